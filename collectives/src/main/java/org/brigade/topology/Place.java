package org.brigade.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.setting.Portable;

/**
 * Where a process runs, as far as its affinity tells. -1 means: on several, or unknown.
 *
 * @param numa NUMA node
 * @param cache the lowest processor that shares the process's last level of cache
 * @param cpu the lowest processor of the only core on which it runs
 */
public record Place(int numa, int cache, int cpu) {
    /** Not bound. */
    public static final Place ANYWHERE = new Place(-1, -1, -1);

    /** The place of this process now. */
    public static Place ofThisProcess() {
        return Portable.ON ? ANYWHERE : read(Path.of("/proc/self/status"), Path.of("/sys/devices/system"));
    }

    /** From the kernel's files; what is missing or unreadable is unknown. */
    static Place read(Path status, Path system) {
        CpuSet bound = CpuSet.EMPTY;
        for (String line : text(status).split("\n")) {
            if (line.startsWith("Cpus_allowed_list:")) {
                bound = CpuSet.listOrEmpty(line.substring(line.indexOf(':') + 1));
            }
        }
        if (bound.isEmpty()) {
            return ANYWHERE;
        }
        Path cpu = system.resolve("cpu/cpu" + bound.first());
        CpuSet core = CpuSet.listOrEmpty(text(cpu.resolve("topology/thread_siblings_list")));
        return new Place(numa(bound, system.resolve("node")), cache(bound, cpu.resolve("cache")),
            core.containsAll(bound) ? bound.first() : -1);
    }

    private static int numa(CpuSet bound, Path nodes) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(nodes, "node[0-9]*")) {
            for (Path node : all) {
                if (CpuSet.listOrEmpty(text(node.resolve("cpulist"))).containsAll(bound)) {
                    return number(node.getFileName().toString().substring("node".length()));
                }
            }
        } catch (IOException | SecurityException e) {
            // a kernel without NUMA
        }
        return -1;
    }

    /** The highest-level cache that all of {@code bound} share. */
    private static int cache(CpuSet bound, Path caches) {
        int found = -1;
        int highest = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(caches, "index[0-9]*")) {
            for (Path cache : all) {
                CpuSet sharers = CpuSet.listOrEmpty(text(cache.resolve("shared_cpu_list")));
                int level = number(text(cache.resolve("level")));
                if (level > highest) {
                    highest = level;
                    found = sharers.containsAll(bound) ? sharers.first() : -1;
                }
            }
        } catch (IOException | SecurityException e) {
            return -1;
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
