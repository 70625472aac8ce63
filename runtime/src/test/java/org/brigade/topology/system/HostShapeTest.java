package org.brigade.topology.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostShapeTest {
    @TempDir
    private Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    /** Two NUMA nodes of two cores with two hardware threads each; the cores of a node share its L3. */
    @Test
    void processorsCoresSharedCachesAndNumaNodesAreCounted() throws IOException {
        for (int node = 0; node < 2; node++) {
            file("sys/devices/system/node/node" + node + "/cpulist", 4 * node + "-" + (4 * node + 3));
            for (int cpu = 4 * node; cpu < 4 * node + 4; cpu++) {
                String folder = "sys/devices/system/cpu/cpu" + cpu;
                int first = cpu / 2 * 2;
                file(folder + "/topology/thread_siblings_list", first + "-" + (first + 1));
                file(folder + "/cache/index0/level", "2");
                file(folder + "/cache/index0/shared_cpu_list", first + "-" + (first + 1));
                file(folder + "/cache/index1/level", "3");
                file(folder + "/cache/index1/shared_cpu_list", 4 * node + "-" + (4 * node + 3));
            }
        }
        file("proc/cpuinfo", "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: Some Processor 7000");
        assertEquals(new HostShape(8, 4, 2, 2, "Some Processor 7000, family 25 model 1"),
            HostShape.of(new SystemFiles(root)));
        assertEquals("8 processors, 4 cores, 2 shared caches, 2 NUMA nodes, Some Processor 7000, family 25 model 1",
            HostShape.of(new SystemFiles(root)).toString());
    }

    @Test
    void aKernelThatTellsLittleIsAShapeToo() throws IOException {
        file("sys/devices/system/cpu/online", "0");
        assertEquals("1 processor, 1 core, 0 shared caches, 1 NUMA node",
            HostShape.of(new SystemFiles(root)).toString());
    }

    @Test
    void thisMachineHasOne() {
        assertTrue(HostShape.here().processors() > 0, HostShape.here()::toString);
        assertEquals(HostShape.here(), HostShape.here());
    }
}
