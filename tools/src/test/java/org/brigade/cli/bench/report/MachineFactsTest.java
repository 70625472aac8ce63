package org.brigade.cli.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFactsTest {
    @TempDir
    Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private void cache(int cpu, int index, String level, String type, String size, String shared) throws IOException {
        String folder = "sys/devices/system/cpu/cpu" + cpu + "/cache/index" + index + "/";
        file(folder + "level", level);
        file(folder + "type", type);
        file(folder + "size", size);
        file(folder + "shared_cpu_list", shared);
    }

    @Test
    void processorsCoresAndCachesAreRead() throws IOException {
        file("proc/cpuinfo",
            "processor\t: 0\nvendor_id\t: Maker\ncpu family\t: 6\nmodel\t\t: 9\nmodel name\t: Fast One\n");
        file("proc/meminfo", "MemFree: 1 kB\nMemTotal:       16777216 kB");
        file("proc/sys/kernel/osrelease", "6.1.2");
        file("sys/devices/system/cpu/online", "0-3");
        for (int cpu = 0; cpu < 4; cpu++) {
            file("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list", cpu < 2 ? "0-1" : "2-3");
            cache(cpu, 0, "1", "Data", "32K", cpu < 2 ? "0-1" : "2-3");
            cache(cpu, 1, "1", "Instruction", "32K", cpu < 2 ? "0-1" : "2-3");
            cache(cpu, 2, "3", "Unified", "4096K", "0-3");
        }
        MachineFacts facts = MachineFacts.read(root);
        assertEquals(new MachineFacts("Maker", "Fast One, family 6 model 9", 4, 2,
            List.of("L1 32 KiB, one for each core", "L3 4 MiB, one for all"), 4 << 20, "a common L3", "6.1.2",
            16L << 30),
            facts);
        assertEquals("2 with 4 hardware threads", facts.words().get("cores"));
    }

    @Test
    void aContainerThatHidesEverythingIsNoError() {
        MachineFacts facts = MachineFacts.read(root);
        assertEquals(0, facts.processors());
        assertTrue(facts.freshBytes(2) >= 1 << 20);
    }

    @Test
    void freshBuffersAreBeyondTheCachesButNotBeyondReason() {
        assertEquals(50 << 20, facts(50L << 20, 64L << 30).freshBytes(2));
        assertEquals(256 << 20, facts(2L << 30, 64L << 30).freshBytes(2), "512 MiB in all at most");
        assertEquals(32 << 20, facts(2L << 30, 512L << 20).freshBytes(2), "an eighth of the memory at most");
    }

    private static MachineFacts facts(long cache, long memory) {
        return new MachineFacts("", "", 2, 2, List.of(), cache, "", "", memory);
    }
}
