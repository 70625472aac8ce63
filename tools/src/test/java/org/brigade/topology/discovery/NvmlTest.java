package org.brigade.topology.discovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binding against a library in C with NVML's layouts. */
class NvmlTest {
    @TempDir
    private static Path folder;
    private static Path library;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        library = SoftwareNvml.make(folder);
    }

    @Test
    void addressesAreThoseOfSysfs() {
        try (Nvml nvml = Nvml.open(library.toString())) {
            assertEquals(2, nvml.count());
            assertEquals("0000:1a:00.0", nvml.busId(0));
            assertEquals("10000:1b:00.0", nvml.busId(1), "domains above ffff have more digits");
        }
    }

    @Test
    void whatTheDriverTellsArrives() {
        try (Nvml nvml = Nvml.open(library.toString())) {
            assertEquals(90, nvml.computeCapability(1));
            assertEquals("Software GPU 1", nvml.name(1));
            assertEquals(150754820096L, nvml.memory(0));
            assertEquals(5, nvml.pcieGeneration(0), "the best, while the idle GPU is in the first");
            assertEquals(16, nvml.pcieWidth(0));
        }
    }

    @Test
    void processesOnAGpuAreThoseThatComputeThere() {
        try (Nvml nvml = Nvml.open(library.toString())) {
            assertArrayEquals(new int[] {1, 2147483000}, nvml.processes(0));
            assertArrayEquals(new int[0], nvml.processes(1));
        }
    }

    @Test
    void nvLinksAreThoseThatAreUpByFieldOrByState() {
        try (Nvml nvml = Nvml.open(library.toString())) {
            for (int gpu = 0; gpu < 2; gpu++) {
                for (int link = 0; link < 4; link++) {
                    assertTrue(nvml.nvLinkActive(gpu, link), "GPU " + gpu + " link " + link);
                }
                assertFalse(nvml.nvLinkActive(gpu, 4), "down");
                assertFalse(nvml.nvLinkActive(gpu, 17), "not there");
            }
            assertEquals("10000:1b:00.0", nvml.nvLinkPeer(0, 1));
            assertEquals("0000:1a:00.0", nvml.nvLinkPeer(1, 0));
            assertNull(nvml.nvLinkPeer(0, 2), "the switch is not shown");
        }
    }

    @Test
    void linksToTheCpusChipAreCounted() {
        try (Nvml nvml = Nvml.open(library.toString())) {
            assertEquals(9, nvml.c2cLinks(0), "one of ten is down");
            assertEquals(44712, nvml.c2cMegabytes(0));
            assertEquals(0, nvml.c2cLinks(1));
            assertEquals(-1, nvml.c2cMegabytes(1));
        }
    }

    @Test
    void aFunctionThatTheLibraryDoesNotHaveIsSomethingItDoesNotTell() {
        try (Nvml nvml = Nvml.open(library.toString())) {
            assertEquals(-1, nvml.number("nvmlDeviceGetCurrPcieLinkWidth", 0));
        }
    }

    @Test
    void itIsClosedAndCanBeOpenedAgain() {
        for (int round = 0; round < 3; round++) {
            try (Nvml nvml = Nvml.open(library.toString())) {
                assertEquals(2, nvml.count(), "round " + round + ": opened without having been closed");
            }
        }
    }

    @Test
    void aMachineWithoutTheLibraryHearsSo() {
        assertThrows(UnsatisfiedLinkError.class, () -> Nvml.open(folder.resolve("libnone.so").toString()));
    }
}
