package org.brigade.algorithm.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call sends at most fits into a slot of the scratch, as lines.cuh divides it. */
class LinesKernelTest {
    private static final int UNIT = 16;

    /** A call of so many bytes, as the table counts them. */
    private static BlockExchange call(Collective collective, int ranks, long bytes) {
        BlockExchange call = new BlockExchange(ranks, 0) {
        };
        call.collective = collective;
        call.bytes = bytes;
        return call;
    }

    /** The longest block between two ranks, if one may be all there is. */
    private static long longestBlock(Collective collective, int ranks, long bytes) {
        return switch (collective) {
            case ALLREDUCE, REDUCE -> ranks > 2 ? parts(bytes, ranks) : bytes;
            case BCAST -> parts(bytes, ranks - 1);
            default -> bytes;
        };
    }

    private static long parts(long bytes, int parts) {
        return ((bytes + UNIT - 1) / UNIT + parts - 1) / parts * UNIT;
    }

    @ParameterizedTest
    @EnumSource(names = {"BCAST", "REDUCE", "ALLREDUCE", "REDUCE_SCATTER", "ALLGATHER", "ALLGATHERV", "ALLTOALL"})
    void theLongestCallFitsIntoItsSlots(Collective collective) {
        Restrictions limits = DeviceCatalogue.find(collective, "lines").restrictions();
        DeviceKernel kernel = DeviceCatalogue.find(collective, "lines").kernel();
        for (int ranks = 2; ranks <= DeviceKernel.RANKS; ranks++) {
            long most = limits.maximumBytes(ranks);
            assertNull(limits.violatedBy(ranks, most, true));
            assertNotNull(limits.violatedBy(ranks, most + 1, true));
            int phases = (kernel.flags(call(collective, ranks, most)) & DeviceKernel.GATHERED) != 0 ? 2 : 1;
            long slot = LinesKernel.CALL_BYTES / phases / ranks & -LinesKernel.LINE_BYTES;
            long block = longestBlock(collective, ranks, most);
            long lines = (block + LinesKernel.LINE_DATA - 1) / LinesKernel.LINE_DATA;
            long used = lines * LinesKernel.LINE_BYTES;
            assertTrue(used <= slot, ranks + " ranks: " + used + " bytes in " + slot);
            assertTrue(block > slot / 3, ranks + " ranks: a block of " + block + " bytes leaves most of " + slot);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCAN", "EXSCAN", "GATHER", "SCATTER", "ALLTOALLV", "BARRIER"})
    void collectivesThatItDoesNotServeLackIt(Collective collective) {
        assertNull(DeviceCatalogue.find(collective, "lines"));
    }

    /** The kernel divides a vector only where it has a second phase to put it together. */
    @ParameterizedTest
    @EnumSource(names = {"ALLREDUCE", "REDUCE"})
    void twoRanksExchangeWholeVectors(Collective collective) {
        DeviceKernel kernel = new LinesKernel();
        assertEquals(0, kernel.flags(call(collective, 2, 1 << 20)));
        assertEquals(DeviceKernel.GATHERED, kernel.flags(call(collective, 3, 1 << 20)));
    }

    @ParameterizedTest
    @EnumSource(names = {"BCAST", "REDUCE", "ALLREDUCE", "REDUCE_SCATTER", "ALLGATHER", "ALLTOALL"})
    void onStreamsOnlyAReduceScatterMustNotOverwriteItsInput(Collective collective) {
        DeviceKernel kernel = new LinesKernel();
        for (int registered = 0; registered < Registration.OVERWRITTEN; registered++) {
            assertTrue(kernel.runsOnStreams(collective, registered));
        }
        assertEquals(collective != Collective.REDUCE_SCATTER,
            kernel.runsOnStreams(collective, Registration.OVERWRITTEN));
    }
}
