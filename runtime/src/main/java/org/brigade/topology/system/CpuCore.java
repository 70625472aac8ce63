package org.brigade.topology.system;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.CpuSet;

/**
 * A core, and what it shares with others.
 *
 * @param processors its hardware threads
 * @param socket the kernel's number of the package, -1 if unknown
 * @param node its NUMA node
 * @param cache the processors of that node which share the core's last level of cache: the last level that several
 * cores share, or else the core's own; empty if the kernel tells of no caches
 * @param level of that cache; 0 if unknown
 * @param cacheFolder where the kernel describes that cache; null if unknown
 */
public record CpuCore(CpuSet processors, int socket, NumaNode node, CpuSet cache, int level, String cacheFolder) {
    private static final String CPUS = "sys/devices/system/cpu/cpu";

    /** The cores of a NUMA node, by their lowest processor. */
    public static List<CpuCore> of(SystemFiles files, NumaNode node) {
        List<CpuCore> cores = new ArrayList<>();
        CpuSet seen = CpuSet.EMPTY;
        for (int processor : node.processors().toArray()) {
            if (!seen.contains(processor)) {
                CpuSet siblings =
                    NumaNode.processors(files, CPUS + processor + "/topology/thread_siblings_list");
                CpuSet core = siblings.contains(processor) ? siblings : CpuSet.of(processor);
                seen = seen.or(core);
                CpuCore other = sharing(cores, core);
                cores.add(other == null ? read(files, node, processor, core)
                    : new CpuCore(core, other.socket, node, other.cache, other.level, other.cacheFolder));
            }
        }
        return cores;
    }

    /** A core whose cache this one shares, which spares reading the files of both; null if there is none. */
    private static CpuCore sharing(List<CpuCore> known, CpuSet core) {
        for (int i = known.size() - 1; i >= 0; i--) {
            if (known.get(i).cache.containsAll(core)) {
                return known.get(i);
            }
        }
        return null;
    }

    private static CpuCore read(SystemFiles files, NumaNode node, int processor, CpuSet core) {
        CpuSet sharers = CpuSet.EMPTY;
        long level = 0;
        String last = null;
        String caches = CPUS + processor + "/cache";
        for (String index : files.names(caches)) {
            String folder = caches + "/" + index;
            long its = index.startsWith("index") ? files.number(folder + "/level", 0) : 0;
            CpuSet shared = its > level ? NumaNode.processors(files, folder + "/shared_cpu_list") : CpuSet.EMPTY;
            boolean own = core.containsAll(shared.and(node.processors()));
            // An inner cache that several cores share goes before an outer one of one core.
            if (shared.contains(processor) && (its > 1 || own) && (!own || core.containsAll(sharers))) {
                sharers = shared.and(node.processors());
                level = its;
                last = folder;
            }
        }
        return new CpuCore(core, (int) files.number(CPUS + processor + "/topology/physical_package_id", -1), node,
            sharers, (int) level, last);
    }

    /** Whether other cores share the last level of cache. */
    public boolean sharesCache() {
        return !processors.containsAll(cache);
    }
}
