package org.brigade.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.brigade.algorithm.Placement;
import org.junit.jupiter.api.Test;

/** All members conclude the same of every call, in whatever order their steps come: every order is tried. */
class CallLineTest {
    private static void everyPlan(int ranks, int communicators, int calls, int lines) {
        int bits = ranks * communicators * calls;
        for (int plan = 0; plan < 1 << bits; plan++) {
            boolean[][][] plans = new boolean[ranks][communicators][calls];
            for (int bit = 0; bit < bits; bit++) {
                plans[bit % ranks][bit / ranks % communicators][bit / ranks / communicators] = (plan >> bit & 1) != 0;
            }
            CallOrders.exploreAll(plans, lines);
        }
    }

    @Test
    void twoMembersConcludeTheSameOfFourCalls() {
        everyPlan(2, 1, 4, 1);
    }

    @Test
    void threeMembersConcludeTheSameOfTwoCalls() {
        everyPlan(3, 1, 2, 1);
    }

    /** With one line for three communicators, each is claimed in vain or where the last one was. */
    @Test
    void linesThatAreUsedAgainOrRunOutNeverMislead() {
        everyPlan(2, 3, 1, 1);
        everyPlan(2, 3, 1, 2);
    }

    @Test
    void aFastMembersNextAnnouncementLeavesTheLastOneReadable() {
        Boards boards = new Boards(2, 1);
        int[] members = {0, 1};
        CallLine fast = boards.of(0, 1).claim(7, 0, members);
        CallLine slow = boards.of(1, 1).claim(7, 1, members);
        fast.announce(0, 1, 2, Placement.UNALIGNED, 3, 4, 5, 6);
        assertEquals(CallLine.ABSENT, fast.look(1, 0));
        slow.announce(0, 1, 2, Placement.UNALIGNED, 3, 4, 5, 6);
        assertEquals(CallLine.DEVICE, fast.look(1, 0));
        fast.passed(2);
        fast.passed(3);
        fast.announce(3, 11, 12, Placement.UNALIGNED, 13, 14, 15, 16);
        assertEquals(CallLine.DEVICE, slow.look(0, 0));
        for (int word = 0; word < CallLine.WORDS; word++) {
            assertEquals(word + 1, slow.word(0, word));
        }
        assertEquals(Placement.UNALIGNED, slow.placement(0));
        assertEquals(CallLine.HOST, slow.look(0, 1));
        assertEquals(CallLine.HOST, slow.look(0, 2));
        slow.passed(3);
        slow.announce(3, 21, 22, Placement.UNALIGNED, 23, 24, 25, 26);
        assertEquals(CallLine.DEVICE, slow.look(0, 3));
        assertEquals(16, slow.word(0, CallLine.RECV_BEGIN));
    }

    /** Behind it are the exports of the devices. */
    @Test
    void allLinesLieInTheCallsPartOfTheBoard() {
        Boards boards = new Boards(2, 255); // no byte more
        assertEquals(CallBoard.BYTES, CallBoard.bytes(255));
        CallBoard board = boards.of(0);
        int claimed = 0;
        for (CallLine line = board.claim(1, 0, new int[] {0, 1}); line != null; line =
            board.claim(1 + claimed, 0, new int[] {0, 1})) {
            line.announce(0, -1, -1, Placement.UNALIGNED, -1, -1, -1, -1);
            line.passed(1);
            line.announce(2, -1, -1, Placement.UNALIGNED, -1, -1, -1, -1);
            claimed++;
        }
        assertEquals(255, claimed);
        assertEquals(CallLine.NEVER, boards.of(1).find(0, 1000));
    }

    @Test
    void communicatorsThatNeverRunOnDevicesTakeNoLine() {
        CallBoard board = new Boards(10, 1).of(0, 1);
        assertNull(board.claim(1, 0, new int[] {0}), "of one rank");
        assertNull(board.claim(2, 0, new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}), "of more ranks than kernels serve");
        assertNotNull(board.claim(3, 0, new int[] {0, 1}));
        assertNull(board.claim(4, 0, new int[] {0, 1}), "beyond the last line");
    }
}
