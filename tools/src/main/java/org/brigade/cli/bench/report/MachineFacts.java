package org.brigade.cli.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.brigade.select.ByteSize;
import org.brigade.topology.CpuSet;

/**
 * What the kernel says about this machine; empty or 0 where it does not.
 *
 * @param vendor the processor's, as the kernel writes it: {@code AuthenticAMD}
 * @param processors that are online
 * @param cores that these are of
 * @param caches in words, the nearest first: {@code L2 2 MiB, one for each core}
 * @param cacheBytes of all last-level caches together
 * @param sharing whether the first two cores share a cache, in words
 * @param memoryBytes of the machine
 */
public record MachineFacts(String vendor, String processor, int processors, int cores, List<String> caches,
    long cacheBytes, String sharing, String kernel, long memoryBytes) {
    public static MachineFacts here() {
        return read(Path.of("/"));
    }

    /** @param root below which proc and sys are */
    static MachineFacts read(Path root) {
        Map<String, String> processor = new LinkedHashMap<>();
        for (String line : text(root.resolve("proc/cpuinfo")).split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                processor.putIfAbsent(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            }
        }
        Path cpus = root.resolve("sys/devices/system/cpu");
        CpuSet online = CpuSet.listOrEmpty(text(cpus.resolve("online")));
        Set<String> cores = new LinkedHashSet<>();
        List<Integer> firsts = new ArrayList<>();
        for (int cpu : online.toArray()) {
            String siblings = text(cpus.resolve("cpu" + cpu + "/topology/thread_siblings_list"));
            if (cores.add(siblings.isEmpty() ? Integer.toString(cpu) : siblings)) {
                firsts.add(cpu);
            }
        }
        List<String> caches = new ArrayList<>();
        long last = 0;
        String sharing = firsts.size() < 2 ? "" : "no common cache";
        for (int index = 0; index < 8 && !firsts.isEmpty(); index++) {
            Path cache = cpus.resolve("cpu" + firsts.get(0) + "/cache/index" + index);
            String level = text(cache.resolve("level"));
            if (level.isEmpty() || text(cache.resolve("type")).equals("Instruction")) {
                continue;
            }
            Set<String> instances = new LinkedHashSet<>();
            for (int cpu : firsts) {
                instances.add(text(cpus.resolve("cpu" + cpu + "/cache/index" + index + "/shared_cpu_list")));
            }
            long size = bytes(text(cache.resolve("size")));
            last = size * instances.size();
            caches.add("L" + level + " " + ByteSize.words(size) + (instances.size() == firsts.size()
                ? ", one for each core"
                : instances.size() == 1 ? ", one for all" : ", " + instances.size() + " of them"));
            if (firsts.size() > 1
                && CpuSet.listOrEmpty(text(cache.resolve("shared_cpu_list"))).contains(firsts.get(1))) {
                sharing = sharing.startsWith("no") ? "a common L" + level : sharing;
            }
        }
        String name = processor.getOrDefault("model name", processor.getOrDefault("cpu", ""));
        String model = processor.get("model");
        return new MachineFacts(processor.getOrDefault("vendor_id", ""),
            model == null || name.isEmpty() ? name
                : name + ", family " + processor.get("cpu family") + " model " + model,
            online.toArray().length, cores.size(), caches, last, sharing,
            text(root.resolve("proc/sys/kernel/osrelease")), memory(text(root.resolve("proc/meminfo"))));
    }

    /**
     * Bytes over which each rank rotates fresh buffers: all ranks' together are twice the last-level caches, but at
     * most 512 MiB and an eighth of the memory.
     */
    public long freshBytes(int ranks) {
        long all = Math.max(2 * cacheBytes, 64L << 20);
        long most = memoryBytes == 0 ? 512L << 20 : Math.min(512L << 20, memoryBytes / 8);
        return Math.max(1 << 20, Math.min(all, most) / ranks);
    }

    /** Pairs of a name and a value for tables; only what is known. */
    public Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("processor", processor);
        words.put("cores", cores + (processors == cores ? "" : " with " + processors + " hardware threads"));
        words.put("caches", String.join("; ", caches));
        words.put("the first two cores share", sharing);
        words.put("memory", memoryBytes == 0 ? "" : Math.round(memoryBytes / (double) (1 << 30)) + " GiB");
        words.put("kernel", kernel);
        words.values().removeIf(String::isEmpty);
        return words;
    }

    private static long memory(String meminfo) {
        for (String line : meminfo.split("\n")) {
            if (line.startsWith("MemTotal:")) {
                return bytes(line.substring("MemTotal:".length()).replace("kB", "K").replace(" ", ""));
            }
        }
        return 0;
    }

    private static long bytes(String text) {
        try {
            return ByteSize.parse(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException | SecurityException e) {
            return "";
        }
    }
}
