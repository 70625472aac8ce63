package org.brigade.launch;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.brigade.bootstrap.Processors;
import org.brigade.setting.Portable;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.CpuCore;
import org.brigade.topology.system.SystemFiles;

/** What mpjrun could bind ranks to here, for {@code brigade info}. */
public final class BindingInventory {
    private BindingInventory() {
    }

    /** The path of the program that binds ranks; null if there is none. */
    public static String taskset() {
        return RankBinder.taskset();
    }

    /** One line. */
    public static String line() {
        return Portable.ON ? "mpjrun binds no ranks: " + Portable.WHY
            : line(Processors.ofThisThread(), new SystemFiles(Path.of("/")), taskset());
    }

    /** @param taskset null if there is none */
    static String line(Processors allowed, SystemFiles files, String taskset) {
        CpuSet mask = CpuSet.ofMask(allowed.mask());
        if (mask.isEmpty()) {
            return "mpjrun cannot bind ranks: the kernel does not say which processors they may use";
        }
        List<CpuCore> cores = CoreLayout.cores(files, mask);
        Set<CpuSet> caches = new HashSet<>();
        Set<Integer> nodes = new HashSet<>();
        for (CpuCore core : cores) {
            if (!core.cache().isEmpty()) {
                caches.add(core.cache());
            }
            nodes.add(core.node().id());
        }
        int most = Math.min(mask.size(), allowed.quota());
        return "mpjrun binds ranks if asked (--bind-to core, cache or numa): at most " + most + " here, to "
            + count(cores.size(), "core") + ", " + (caches.isEmpty() ? "unknown caches" : count(caches.size(), "cache"))
            + ", " + count(nodes.size(), "NUMA node") + "; by "
            + (taskset != null ? taskset : "JNA, as there is no taskset: the job starts 0.1 s later")
            + "; other threads of a bound rank's JVM run on processors that no rank has, if there are enough"
            + " (brigade.spare.cores)";
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
