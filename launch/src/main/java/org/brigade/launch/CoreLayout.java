package org.brigade.launch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.brigade.launch.options.Binding;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.CpuCore;
import org.brigade.topology.system.NumaNode;
import org.brigade.topology.system.SystemFiles;

/**
 * The processors of each rank of a job. Each rank gets a core as its home, in blocks: neighbours share a cache, then a
 * NUMA node, then a socket. Second hardware threads come last: two ranks share a core only if there are more ranks than
 * cores. The rank is bound to its home, or to all usable processors of the home's cache or NUMA node.
 */
final class CoreLayout {
    /** Neighbours in this order are near each other. */
    private static final Comparator<CpuCore> NEAR = new Comparator<>() {
        @Override
        public int compare(CpuCore a, CpuCore b) {
            int order = Integer.compare(a.socket(), b.socket());
            order = order != 0 ? order : Integer.compare(a.node().id(), b.node().id());
            order = order != 0 ? order : Integer.compare(a.cache().first(), b.cache().first());
            return order != 0 ? order : Integer.compare(a.processors().first(), b.processors().first());
        }
    };

    private final CpuSet[] homes;
    private final CpuSet[] bound;
    private final CpuCore[] cores;
    /** See {@link #among()}. */
    private CpuSet among = CpuSet.EMPTY;

    private CoreLayout(int ranks) {
        homes = new CpuSet[ranks];
        bound = new CpuSet[ranks];
        cores = new CpuCore[ranks];
    }

    /**
     * The cores that a job may use, near ones side by side. A processor of which the kernel says nothing more is a core
     * of its own.
     *
     * @param allowed by the affinity
     */
    static List<CpuCore> cores(SystemFiles files, CpuSet allowed) {
        List<CpuCore> usable = new ArrayList<>();
        CpuSet left = allowed;
        for (NumaNode node : NumaNode.read(files)) {
            left = left.minus(add(files, node, left, usable));
        }
        add(files, new NumaNode(-1, left, 0), left, usable);
        Collections.sort(usable, NEAR);
        return usable;
    }

    /** Adds the cores of a node as far as they may be used; returns the processors of the node. */
    private static CpuSet add(SystemFiles files, NumaNode node, CpuSet allowed, List<CpuCore> to) {
        if (node.processors().and(allowed).isEmpty()) {
            return CpuSet.EMPTY; // spares reading the files of a node that is not the job's
        }
        for (CpuCore core : CpuCore.of(files, node)) {
            CpuSet usable = core.processors().and(node.processors()).and(allowed);
            if (!usable.isEmpty()) {
                to.add(new CpuCore(usable, core.socket(), node, core.cache(), core.level(), core.cacheFolder()));
            }
        }
        return node.processors();
    }

    /**
     * Places ranks.
     *
     * @param cores from {@link #cores}
     * @param taken homes of other ranks
     * @param nodeOf the emulated node of each rank, whose ranks become neighbours; null: all are on one
     * @return null if there are more ranks than free processors
     */
    static CoreLayout of(Binding binding, List<CpuCore> cores, CpuSet taken, int ranks, int[] nodeOf) {
        List<CpuCore> free = new ArrayList<>();
        List<CpuSet> threads = new ArrayList<>();
        int processors = 0;
        for (CpuCore core : cores) {
            CpuSet rest = core.processors().minus(taken);
            if (!rest.isEmpty()) {
                free.add(core);
                threads.add(rest);
                processors += rest.size();
            }
        }
        if (ranks > processors) {
            return null;
        }
        int[] sharers = new int[free.size()];
        for (int placed = 0, round = 0; placed < ranks; round++) {
            for (int core = 0; core < sharers.length && placed < ranks; core++) {
                if (threads.get(core).size() > round) {
                    sharers[core]++;
                    placed++;
                }
            }
        }
        CoreLayout layout = new CoreLayout(ranks);
        int[] order = order(ranks, nodeOf);
        CpuCore last = null;
        CpuSet area = null;
        for (int core = 0, place = 0; place < ranks; core++) {
            CpuCore home = free.get(core);
            area = last != null && together(binding, last, home) ? area : area(binding, cores, home);
            last = home;
            int[] its = threads.get(core).toArray();
            for (int turn = 0; turn < sharers[core]; turn++, place++) {
                layout.put(order[place], home, part(its, turn, sharers[core]), area);
            }
        }
        return layout;
    }

    private void put(int rank, CpuCore core, CpuSet home, CpuSet area) {
        cores[rank] = core;
        homes[rank] = home;
        bound[rank] = area == null ? home : area;
    }

    /** By place the rank: ranks of a node side by side. */
    private static int[] order(int ranks, int[] nodeOf) {
        int[] order = new int[ranks];
        for (int node = 0, next = 0; next < ranks; node++) {
            for (int rank = 0; rank < ranks; rank++) {
                if (nodeOf == null || nodeOf[rank] == node) {
                    order[next++] = rank;
                }
            }
        }
        return order;
    }

    /** The hardware threads of one of several ranks on a core. */
    private static CpuSet part(int[] threads, int turn, int sharers) {
        CpuSet part = CpuSet.EMPTY;
        for (int i = turn * threads.length / sharers; i < (turn + 1) * threads.length / sharers; i++) {
            part = part.or(CpuSet.of(threads[i]));
        }
        return part;
    }

    /** All usable processors of the cache or NUMA node; null for a binding to the home. */
    private static CpuSet area(Binding binding, List<CpuCore> cores, CpuCore home) {
        if (binding == Binding.CORE) {
            return null;
        }
        CpuSet area = CpuSet.EMPTY;
        for (CpuCore core : cores) {
            if (together(binding, core, home)) {
                area = area.or(core.processors());
            }
        }
        return area;
    }

    /**
     * Whether a binding puts ranks of both cores on one set. Where the kernel tells of no caches, a NUMA node counts.
     */
    private static boolean together(Binding binding, CpuCore a, CpuCore b) {
        return binding != Binding.CORE && a.node().id() == b.node().id()
            && (binding == Binding.NUMA || a.cache().equals(b.cache()));
    }

    /** The processors that a rank is bound to. */
    CpuSet bound(int rank) {
        return bound[rank];
    }

    /** The processors that are meant for this rank alone. */
    CpuSet home(int rank) {
        return homes[rank];
    }

    /** All processors of the NUMA node of the rank's core. */
    CpuSet node(int rank) {
        return cores[rank].node().processors();
    }

    /** Sets what the ranks of the job may use together: all that is not another job's. */
    void among(CpuSet processors) {
        among = processors;
    }

    /** What the ranks of the job may use together. */
    CpuSet among() {
        return among;
    }

    int ranks() {
        return homes.length;
    }

    /** {@code processors 6,38 (socket 0, NUMA node 0, L3 0-7,32-39)}, as far as the kernel tells. */
    String words(int rank) {
        CpuCore core = cores[rank];
        StringBuilder where = new StringBuilder();
        append(where, "socket ", core.socket());
        append(where, "NUMA node ", core.node().id());
        if (!core.cache().isEmpty() && core.cache().containsAll(bound[rank])) {
            where.append(where.isEmpty() ? "" : ", ").append('L').append(core.level()).append(' ').append(core.cache());
        }
        return "processors " + bound[rank] + (where.isEmpty() ? "" : " (" + where + ")");
    }

    private static void append(StringBuilder where, String what, int number) {
        if (number >= 0) {
            where.append(where.isEmpty() ? "" : ", ").append(what).append(number);
        }
    }
}
