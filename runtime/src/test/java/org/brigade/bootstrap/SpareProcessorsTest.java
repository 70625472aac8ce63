package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Where the other threads of the JVMs of bound ranks go. */
class SpareProcessorsTest {
    private static final long[] ANYWHERE = {-1, -1};

    /** Ranks on one processor each, from a first one on. */
    private static MachineRanks bound(int first, int ranks, int quota) {
        Processors[] all = new Processors[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            long[] mask = new long[2];
            mask[first + rank >> 6] = 1L << (first + rank & 63);
            all[rank] = Processors.of(mask, quota);
        }
        return new MachineRanks(all, ranks - 1, ranks);
    }

    private static Processors job(long... mask) {
        return Processors.of(mask, 0);
    }

    private static String words(long[] spare) {
        return Processors.of(spare, 0).toString();
    }

    @Test
    void theyGoWhereTheJobMayRunAndNoRankIsBound() {
        assertEquals("16-63", words(SpareProcessors.of(job(-1), bound(0, 16, 0), false, ANYWHERE)));
        assertEquals("0-3,20,64-65", words(SpareProcessors.of(job(0x1fffff, 3), bound(4, 16, 0), true, ANYWHERE)));
    }

    @Test
    void theyStayWhereNoProcessorIsSpareOrTooFewAre() {
        assertNull(SpareProcessors.of(job(0xffff), bound(0, 16, 0), true, ANYWHERE));
        assertNull(SpareProcessors.of(job(0x7fffff), bound(0, 16, 0), false, ANYWHERE), "7 for 16 ranks");
        assertNotNull(SpareProcessors.of(job(0xffffff), bound(0, 16, 0), false, ANYWHERE), "8 for 16 ranks");
        assertNotNull(SpareProcessors.of(job(0x1ffff), bound(0, 16, 0), true, ANYWHERE), "one, if it is to be so");
        assertNull(SpareProcessors.of(Processors.UNKNOWN, bound(0, 16, 0), true, ANYWHERE));
    }

    /** A job that passes the limit of its control group is stopped as a whole. */
    @Test
    void theControlGroupsLimitCountsLikeProcessors() {
        assertNull(SpareProcessors.of(job(-1), bound(0, 16, 16), true, ANYWHERE));
        assertNull(SpareProcessors.of(job(-1), bound(0, 16, 20), false, ANYWHERE));
        assertNotNull(SpareProcessors.of(job(-1), bound(0, 16, 24), false, ANYWHERE));
    }

    @Test
    void thoseOfTheRanksNumaNodeComeFirstIfTheySuffice() {
        long[] node = {0xffffffffL};
        assertEquals("16-31", words(SpareProcessors.of(job(-1), bound(0, 16, 0), false, node)));
        assertEquals("28-63", words(SpareProcessors.of(job(-1), bound(0, 28, 0), false, node)), "4 there for 28 ranks");
        assertEquals("0-29", words(SpareProcessors.of(job(-1), bound(30, 34, 0), false, new long[] {-1L << 32})));
    }
}
