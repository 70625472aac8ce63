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

    /** Ranks that may all run on the same processors. */
    private static MachineRanks unbound(int ranks, int quota, long... mask) {
        Processors[] all = new Processors[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            all[rank] = Processors.of(mask, quota);
        }
        return new MachineRanks(all, ranks - 1, ranks);
    }

    @Test
    void whereNoRankIsBoundTheyLeaveAProcessorToEachRank() {
        assertEquals("2-63", words(SpareProcessors.within(unbound(2, 0, -1), false)));
        assertEquals("16-63", words(SpareProcessors.within(unbound(16, 0, -1), false)));
        assertEquals("43-63", words(SpareProcessors.within(unbound(42, 0, -1L << 1), false)), "one for two ranks");
        assertEquals("8,10,12", words(SpareProcessors.within(unbound(2, 0, 0b1010100000110), false)));
    }

    @Test
    void theyStayWhereThatWouldCrowdThem() {
        assertNull(SpareProcessors.within(unbound(44, 0, -1), false), "20 for 44 ranks");
        assertEquals("44-63", words(SpareProcessors.within(unbound(44, 0, -1), true)));
        assertNull(SpareProcessors.within(unbound(2, 0, 3), true), "a processor each");
        assertNull(SpareProcessors.within(unbound(3, 0, 3), true), "more ranks than processors");
        assertNull(SpareProcessors.within(unbound(2, 2, -1), true), "the control group's limit");
        assertNull(SpareProcessors.within(unbound(2, 0), true), "nothing is known");
        assertNull(SpareProcessors.within(unbound(1, 0, 1), true), "one processor");
    }

    @Test
    void nobodyWaitsForARankThatIsAlone() {
        assertNull(SpareProcessors.within(unbound(1, 0, -1), false));
        assertEquals("1-63", words(SpareProcessors.within(unbound(1, 0, -1), true)));
    }

    /** As Open MPI binds more than two ranks: to sockets, here of 8 processors. */
    @Test
    void theyStayOnTheRanksSocket() {
        Processors[] all = new Processors[6];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = Processors.of(new long[] {rank < 3 ? 0xff : 0xff00}, 0);
        }
        assertEquals("3-7", words(SpareProcessors.within(new MachineRanks(all, 1, 6), false)));
        assertEquals("11-15", words(SpareProcessors.within(new MachineRanks(all, 5, 6), false)));
        assertNull(SpareProcessors.within(bound(0, 16, 0), true), "bound to one processor each");
    }
}
