package org.brigade.transport.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.junit.jupiter.api.Test;

class KernelOrdersTest {
    /** Of call.cuh and bandwidth.cuh: what is in front of packets, and what is behind them up to the windows. */
    private static final long FRONT_BYTES =
        CallArguments.SCRATCH_ACKNOWLEDGED + (long) CallArguments.ACKNOWLEDGED_STEP * CallArguments.MAX_RANKS;
    private static final long WORDS_AT = CallArguments.PIPELINES_AT;
    private static final long WINDOWS_AT = CallArguments.SCRATCH_BYTES - CallArguments.WINDOWS_BYTES;

    private record Stretch(String what, long from, long to) {
    }

    @Test
    void noTwoNumberingsShareAByte() {
        List<Stretch> all = new ArrayList<>();
        all.add(new Stretch("by rank", 0, CallArguments.SCRATCH_BYTES));
        for (int root = 0; root < CallArguments.MAX_RANKS; root++) {
            long at = KernelOrders.CHAINS_AT + root * KernelOrders.CHAIN_STEP;
            all.add(new Stretch("front of the chain from " + root, at, at + FRONT_BYTES));
            all.add(new Stretch("words of the chain from " + root, at + WORDS_AT, at + WINDOWS_AT));
        }
        all.add(new Stretch("front of the ring", KernelOrders.RING_AT, KernelOrders.RING_AT + FRONT_BYTES));
        all.add(new Stretch("words and windows of the ring", KernelOrders.RING_AT + WORDS_AT,
            KernelOrders.RING_AT + CallArguments.SCRATCH_BYTES));
        long end = KernelOrders.bytes(new CommunicatorTopology(Order.of(new int[] {0, 2, 1}), Levels.NONE, null));
        for (Stretch one : all) {
            assertTrue(one.to <= end, one + " is beyond " + end);
            for (Stretch other : all) {
                assertTrue(one == other || one.to <= other.from || other.to <= one.from, one + " and " + other);
            }
        }
    }

    @Test
    void wiresThatSayNothingCostNothing() {
        assertEquals(CallArguments.SCRATCH_BYTES, KernelOrders.bytes(CommunicatorTopology.NONE));
        assertSame(KernelOrders.BY_RANK, KernelOrders.of(CommunicatorTopology.NONE, 1, new long[4]));
        assertSame(KernelOrder.RANKS, KernelOrders.BY_RANK.ring());
        assertSame(KernelOrder.RANKS, KernelOrders.BY_RANK.chain(3));
    }

    @Test
    void chainsWithoutOrdersOfTheirOwnAreNumberedAsTheRing() {
        KernelOrders numberings =
            KernelOrders.of(new CommunicatorTopology(Order.of(new int[] {0, 2, 1}), Levels.NONE, null), 1, new long[3]);
        assertSame(numberings.ring(), numberings.chain(2));
    }
}
