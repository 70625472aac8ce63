package org.brigade.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceTest {
    @TempDir
    private Path root;

    /** Two NUMA nodes of four processors, two caches of level 3 in each, two threads a core. */
    @BeforeEach
    void writeTheMachine() throws IOException {
        for (int node = 0; node < 2; node++) {
            write("node/node" + node + "/cpulist", 4 * node + "-" + (4 * node + 3));
        }
        for (int cpu = 0; cpu < 8; cpu++) {
            String folder = "cpu/cpu" + cpu + "/";
            write(folder + "topology/thread_siblings_list", cpu / 2 * 2 + "-" + (cpu / 2 * 2 + 1));
            write(folder + "cache/index0/level", "1");
            write(folder + "cache/index0/shared_cpu_list", Integer.toString(cpu));
            write(folder + "cache/index3/level", "3");
            write(folder + "cache/index3/shared_cpu_list", cpu / 2 * 2 + "-" + (cpu / 2 * 2 + 1));
        }
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private Place boundTo(String list) throws IOException {
        write("status", "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t" + list + "\nMems_allowed_list:\t0");
        return Place.read(root.resolve("status"), root);
    }

    @Test
    void aProcessBoundToACoreKnowsItsNodeItsCacheAndItsProcessor() throws IOException {
        assertEquals(new Place(1, 6, 7), boundTo("7"));
        assertEquals(new Place(1, 6, 6), boundTo("6-7"));
    }

    @Test
    void aProcessBoundToANumaNodeKnowsNoCacheAndNoProcessor() throws IOException {
        assertEquals(new Place(0, -1, -1), boundTo("0-3"));
    }

    @Test
    void aProcessBoundToNothingIsAnywhere() throws IOException {
        assertEquals(Place.ANYWHERE, boundTo("0-7"));
    }

    @Test
    void filesThatAreMissingOrSayNothingAreUnknown() throws IOException {
        assertEquals(Place.ANYWHERE, Place.read(root.resolve("none"), root.resolve("none")));
        assertEquals(Place.ANYWHERE, boundTo("x-y"));
        write("cpu/cpu7/cache/index3/level", "high");
        write("node/node1/cpulist", "");
        assertEquals(-1, boundTo("7").numa());
    }

    @Test
    void thisProcessHasAPlace() {
        Place here = Place.ofThisProcess();
        assertEquals(here, Place.ofThisProcess());
    }
}
