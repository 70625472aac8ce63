package org.brigade.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.algorithm.Placement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All members conclude the same of every call, in whatever order their steps come: every order is tried. */
@Tag("calculation")
class DeviceCallAnnouncementsTest {
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
        DeviceCallAnnouncements fast = boards.of(0, 1).claim(7, 0, members);
        DeviceCallAnnouncements slow = boards.of(1, 1).claim(7, 1, members);
        fast.announce(0, 1, 2, Placement.UNALIGNED, 3, 4, 5, 6);
        assertEquals(DeviceCallAnnouncements.ABSENT, fast.look(1, 0));
        slow.announce(0, 1, 2, Placement.UNALIGNED, 3, 4, 5, 6);
        assertEquals(DeviceCallAnnouncements.DEVICE, fast.look(1, 0));
        fast.passed(2);
        fast.passed(3);
        fast.announce(3, 11, 12, Placement.UNALIGNED, 13, 14, 15, 16);
        assertEquals(DeviceCallAnnouncements.DEVICE, slow.look(0, 0));
        for (int word = 0; word < DeviceCallAnnouncements.WORDS; word++) {
            assertEquals(word + 1, slow.word(0, word));
        }
        assertEquals(Placement.UNALIGNED, slow.placement(0));
        assertEquals(DeviceCallAnnouncements.HOST, slow.look(0, 1));
        assertEquals(DeviceCallAnnouncements.HOST, slow.look(0, 2));
        assertEquals(0, slow.reported(0));
        slow.passed(3);
        slow.report(8191);
        slow.announce(3, 21, 22, Placement.UNALIGNED, 23, 24, 25, 26);
        assertEquals(DeviceCallAnnouncements.DEVICE, slow.look(0, 3));
        assertEquals(16, slow.word(0, DeviceCallAnnouncements.RECV_BEGIN));
        assertEquals(DeviceCallAnnouncements.DEVICE, fast.look(1, 3));
        assertEquals(8191, fast.reported(1));
        assertEquals(26, fast.word(1, DeviceCallAnnouncements.RECV_BEGIN));
        assertEquals(24, fast.word(1, DeviceCallAnnouncements.SEND_BEGIN));
        assertEquals(Placement.UNALIGNED, fast.placement(1));
        assertFalse(fast.shares(1));
        slow.announce(4, 1, 2, Placement.UNALIGNED, 3, 4, 5, 6);
        assertEquals(DeviceCallAnnouncements.DEVICE, fast.look(1, 4));
        assertEquals(0, fast.reported(1), "it is said once");
    }

    private static boolean later(DeviceCallAnnouncements line, long call, int rank) {
        return line.announceLater(call, 10 * call + rank, 2, Placement.ALIGNED, 3, 4, 5, 6);
    }

    /** Neither by the announcer, however far ahead, nor by a member that has never looked. */
    @Test
    void anAnnouncementForLaterStaysUntilAllHaveDecided() {
        Boards boards = new Boards(2, 1);
        int[] members = {0, 1};
        DeviceCallAnnouncements fast = boards.of(0, 1).claim(7, 0, members);
        DeviceCallAnnouncements slow = boards.of(1, 1).claim(7, 1, members);
        for (int call = 0; call < AnnouncementBoard.LATER; call++) {
            assertTrue(later(fast, call, 0));
        }
        assertFalse(later(fast, AnnouncementBoard.LATER, 0), "there is no place");
        fast.passed(AnnouncementBoard.LATER + 1);
        assertTrue(later(slow, 0, 1));
        slow.passed(2); // call 1 is on the host there
        assertEquals(DeviceCallAnnouncements.DEVICE, fast.lookLater(1, 0));
        assertEquals(DeviceCallAnnouncements.HOST, fast.lookLater(1, 1));
        assertEquals(DeviceCallAnnouncements.ABSENT, fast.lookLater(1, 2));
        fast.decided(0);
        fast.decided(1);
        assertFalse(later(fast, 2 * AnnouncementBoard.LATER, 0), "the other has not decided call 0");
        assertEquals(DeviceCallAnnouncements.DEVICE, slow.lookLater(0, 0));
        assertEquals(0, slow.word(0, DeviceCallAnnouncements.WHAT));
        slow.decided(0);
        assertTrue(later(fast, 2 * AnnouncementBoard.LATER, 0));
        assertTrue(later(fast, 2 * AnnouncementBoard.LATER + 1, 0), "the other never looks at call 1");
        assertFalse(later(fast, 2 * AnnouncementBoard.LATER + 2, 0), "the other has not begun call 2");
        assertTrue(later(slow, 2, 1));
        assertEquals(DeviceCallAnnouncements.DEVICE, slow.lookLater(0, 2));
        assertEquals(20, slow.word(0, DeviceCallAnnouncements.WHAT));
    }

    /** Blocking calls that began without leaving room for others keep those on the host until they have ended. */
    @Test
    void whoHasTheDeviceAloneIsNotDisturbed() {
        Boards boards = new Boards(2, 2);
        AnnouncementBoard board = boards.of(0, 2);
        DeviceCallAnnouncements alone = board.claim(7, 0, new int[] {0, 1});
        DeviceCallAnnouncements other = board.claim(8, 0, new int[] {0, 1});
        alone.begin();
        alone.announce(0, 1, 2, Placement.UNALIGNED_IN_PLACE, 3, 4, 5, 6);
        assertEquals(DeviceCallAnnouncements.DEVICE, alone.look(0, 0));
        assertFalse(alone.shares(0));
        assertFalse(later(other, 0, 0));
        alone.end();
        assertTrue(later(other, 0, 0));
        alone.begin();
        alone.announce(1, 1, 2, Placement.UNALIGNED_IN_PLACE, 3, 4, 5, 6);
        assertEquals(DeviceCallAnnouncements.DEVICE, alone.look(0, 1));
        assertTrue(alone.shares(0));
        assertEquals(Placement.UNALIGNED_IN_PLACE, alone.placement(0));
        assertTrue(later(other, 1, 0));
    }

    @Test
    void membersDecideAlikeOfCallsForLaterInEveryOrder() {
        for (int plan = 0; plan < 1 << 6; plan++) {
            boolean[][] onDevice = new boolean[2][3];
            for (int bit = 0; bit < 6; bit++) {
                onDevice[bit % 2][bit / 2] = (plan >> bit & 1) != 0;
            }
            LaterOrders.exploreAll(onDevice);
        }
    }

    /** Behind it are the exports of the devices. */
    @Test
    void allLinesLieInTheCallsPartOfTheBoard() {
        Boards boards = new Boards(2, 255); // no byte more
        assertEquals(AnnouncementBoard.BYTES, AnnouncementBoard.bytes(255));
        AnnouncementBoard board = boards.of(0);
        int claimed = 0;
        for (DeviceCallAnnouncements line = board.claim(1, 0, new int[] {0, 1}); line != null; line =
            board.claim(1 + claimed, 0, new int[] {0, 1})) {
            line.announce(0, -1, -1, Placement.UNALIGNED, -1, -1, -1, -1);
            line.passed(1);
            line.announce(2, -1, -1, Placement.UNALIGNED, -1, -1, -1, -1);
            claimed++;
        }
        assertEquals(255, claimed);
        assertEquals(DeviceCallAnnouncements.NEVER, boards.of(1).find(0, 1000));
    }

    @Test
    void communicatorsThatNeverRunOnDevicesTakeNoLine() {
        AnnouncementBoard board = new Boards(10, 1).of(0, 1);
        assertNull(board.claim(1, 0, new int[] {0}), "of one rank");
        assertNull(board.claim(2, 0, new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8}), "of more ranks than kernels serve");
        assertNotNull(board.claim(3, 0, new int[] {0, 1}));
        assertNull(board.claim(4, 0, new int[] {0, 1}), "beyond the last line");
    }
}
