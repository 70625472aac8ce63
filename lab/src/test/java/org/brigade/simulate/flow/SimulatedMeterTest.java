package org.brigade.simulate.flow;

import static org.brigade.topology.profile.TransferType.CPU_CPU_INTER;
import static org.brigade.topology.profile.TransferType.GPU_GPU_INTER;
import static org.brigade.topology.profile.TransferType.GPU_READ_CPUMEM_KERNEL;
import static org.brigade.topology.profile.TransferType.GPU_WRITE_CPUMEM_KERNEL;
import static org.brigade.topology.profile.TransferType.GPU_WRITE_GPUMEM_KERNEL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.TransferSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedMeterTest {
    private final SimulatedMeter amd = new SimulatedMeter(Machines.find("amd-v100"));
    private final SimulatedMeter intel = new SimulatedMeter(Machines.find("intel-v100"));

    private static double gigabytes(SimulatedMeter meter, Transfer... transfers) {
        return meter.bandwidth(TransferSet.of(transfers)) / 1e9;
    }

    @Test
    void singleTransfersHaveTheRatesOfTheMachine() {
        assertEquals(8.82, gigabytes(amd, Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 0, 3)), 1e-6);
        assertEquals(10.07,
            gigabytes(amd, Transfer.local(GPU_WRITE_CPUMEM_KERNEL, 0, 3), Transfer.local(GPU_READ_CPUMEM_KERNEL, 3, 3)),
            1e-6);
        assertEquals(2, gigabytes(intel, Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 0, 3)), 1e-6);
        assertEquals(12, gigabytes(amd, new Transfer(GPU_GPU_INTER, Transfer.HERE, Transfer.NEXT, 3, 3)), 1e-6,
            "PCIe, the GPU at the adapter's NUMA node");
        assertEquals(8.82, gigabytes(amd, new Transfer(GPU_GPU_INTER, Transfer.PREVIOUS, Transfer.HERE, 0, 3)), 1e-6,
            "a GPU at another one");
        assertEquals(12, gigabytes(amd, new Transfer(CPU_CPU_INTER, Transfer.HERE, Transfer.NEXT, 2, 1)), 1e-6,
            "PCIe of the adapter");
    }

    /** The three kinds of 004. */
    @Test
    void readingOnesOwnMemoryWhileWritingFarIsSlow() {
        Transfer read = Transfer.local(GPU_READ_CPUMEM_KERNEL, 3, 0);
        Transfer far = Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 0, 3);
        assertEquals(0.6 * 8.82, gigabytes(amd, read, far), 1e-6);
        assertEquals(8.82, gigabytes(amd, Transfer.local(GPU_READ_CPUMEM_KERNEL, 2, 0), far), 1e-6,
            "another node's memory");
        assertEquals(0.6 * 8.82,
            gigabytes(amd, Transfer.local(GPU_READ_CPUMEM_KERNEL, 1, 1), Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 1, 3)),
            1e-6);
        assertEquals(10.07,
            gigabytes(amd, Transfer.local(GPU_READ_CPUMEM_KERNEL, 1, 1), Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 1, 2)),
            1e-6, "a GPU of the same node");
        assertEquals(8.82,
            gigabytes(amd, Transfer.local(GPU_READ_CPUMEM_KERNEL, 1, 1), Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 2, 3)),
            1e-6, "another GPU writes");
    }

    @Test
    void peersOfOtherSocketsAreSlowOnIntelAndBounceBuffersAreNot() {
        double direct = gigabytes(intel, Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 1, 2));
        double bounced = gigabytes(intel, Transfer.local(GPU_WRITE_CPUMEM_KERNEL, 1, 0),
            Transfer.local(GPU_READ_CPUMEM_KERNEL, 0, 2));
        assertTrue(bounced > 4 * direct, bounced + " against " + direct);
    }

    @Test
    void moreThanThreeTransfersAtOneMemoryAreSlow() {
        Transfer[] four = {Transfer.local(GPU_WRITE_CPUMEM_KERNEL, 0, 1), Transfer.local(GPU_READ_CPUMEM_KERNEL, 1, 1),
            Transfer.local(GPU_WRITE_CPUMEM_KERNEL, 2, 1),
            Transfer.local(GPU_READ_CPUMEM_KERNEL, 1, 3)};
        assertEquals(10.07, gigabytes(amd, four[0], four[1], four[2]), 1e-6);
        assertEquals(0.55 * 51.2 / 4, gigabytes(amd, four), 1e-6);
        assertEquals(0.45 * 64 / 4, gigabytes(intel, four), 1e-6);
    }

    /** The search for paths relies on it. */
    @ParameterizedTest
    @ValueSource(strings = {"amd-v100", "intel-v100", "ac922", "rx1"})
    void aTransferMoreMakesNoSetFaster(String name) {
        SimulatedMeter meter = new SimulatedMeter(Machines.find(name));
        NodeLayout layout = meter.layout();
        Random random = new Random(7);
        for (int run = 0; run < 300; run++) {
            List<Transfer> set = new ArrayList<>();
            double before = Double.POSITIVE_INFINITY;
            for (int i = 0; i < 8; i++) {
                int gpu = random.nextInt(layout.gpus());
                int other = random.nextInt(layout.gpus());
                int numa = random.nextInt(layout.numaNodes());
                set.add(layout.peers()[gpu][other] && random.nextBoolean()
                    ? Transfer.local(GPU_WRITE_GPUMEM_KERNEL, gpu, other)
                    : random.nextBoolean() ? Transfer.local(GPU_WRITE_CPUMEM_KERNEL, gpu, numa)
                        : Transfer.local(GPU_READ_CPUMEM_KERNEL, numa, gpu));
                double now = meter.bandwidth(TransferSet.of(set));
                assertTrue(now <= before * (1 + 1e-9), set + ": " + now + " after " + before);
                before = now;
            }
        }
    }

    /** What a write between two GPUs goes through, but for the names. */
    private static List<Integer> alike(NodeLayout layout, int from, int to) {
        return Arrays.stream(layout.footprints().of(Transfer.local(GPU_WRITE_GPUMEM_KERNEL, from, to)).kinds()).boxed()
            .toList();
    }

    @Test
    void layoutsSayWhatIsWhereAndWhatIsAlike() {
        NodeLayout layout = amd.layout();
        assertEquals(4, layout.numaNodes());
        assertArrayEquals(new int[] {3, 1, 1, 0}, layout.numaOfGpu());
        assertArrayEquals(new int[] {0}, layout.nicNuma());
        assertTrue(layout.peers()[0][3] && !layout.peers()[2][2]);
        NodeLayout rx1 = new SimulatedMeter(Machines.find("rx1")).layout();
        assertTrue(rx1.peers()[0][3]);
        assertFalse(rx1.peers()[3][4], "QPI lies between");
        assertNotEquals(alike(rx1, 0, 1), alike(rx1, 0, 2), "one card, or two");
        assertEquals(alike(rx1, 0, 2), alike(rx1, 5, 6));
    }

    @Test
    void whatTheMachineDoesNotHaveIsToldByName() {
        SimulatedMeter ac922 = new SimulatedMeter(Machines.find("ac922"));
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> gigabytes(ac922, new Transfer(CPU_CPU_INTER, 0, 1, 0, 0))).getMessage().contains("one node"));
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> gigabytes(ac922, Transfer.local(GPU_WRITE_CPUMEM_KERNEL, 0, 2))).getMessage()
            .contains("2 NUMA nodes"));
        SimulatedMeter rx1 = new SimulatedMeter(Machines.find("rx1"));
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> gigabytes(rx1, Transfer.local(GPU_WRITE_GPUMEM_KERNEL, 0, 5))).getMessage()
            .contains("no path for it into GPU memory"));
    }
}
