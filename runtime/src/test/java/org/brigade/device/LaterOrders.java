package org.brigade.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.brigade.algorithm.Placement;

/**
 * All orders in which two members begin calls without waiting, and decide them: plans say, by rank and call, whose data
 * are on devices.
 */
final class LaterOrders {
    /** Begins calls and decides the announced ones in order, as its steps say. */
    private static final class Member {
        private final DeviceCallAnnouncements line;
        private final int rank;
        private final boolean[] onDevice;
        private int begun;
        private int next;
        /** By call: D or H, one letter each; a dot while it is undecided. */
        private final char[] decided;

        Member(Boards boards, int rank, boolean[] onDevice) {
            line = boards.of(rank, 1).claim(3, rank, new int[] {0, 1});
            this.rank = rank;
            this.onDevice = onDevice;
            decided = new char[onDevice.length];
            Arrays.fill(decided, '.');
        }

        boolean step(boolean begins) {
            return begins ? begin() : decide();
        }

        private boolean begin() {
            if (begun == onDevice.length) {
                return false;
            }
            if (onDevice[begun]) {
                assertTrue(line.announceLater(begun, 10 * begun + rank, 0, Placement.ALIGNED, 1, 2, 3, 4));
            } else {
                line.passed(begun + 1);
                decided[begun] = 'H';
            }
            begun++;
            return true;
        }

        private boolean decide() {
            while (next < begun && decided[next] != '.') {
                next++;
            }
            int seen = next == begun ? DeviceCallAnnouncements.ABSENT : line.lookLater(1 - rank, next);
            if (seen == DeviceCallAnnouncements.ABSENT) {
                return false;
            }
            if (seen == DeviceCallAnnouncements.DEVICE) {
                assertEquals(10 * next + 1 - rank, line.word(1 - rank, DeviceCallAnnouncements.WHAT),
                    "another call's announcement");
            }
            line.decided(next);
            decided[next] = seen == DeviceCallAnnouncements.DEVICE ? 'D' : 'H';
            return true;
        }
    }

    private final boolean[][] plan;
    private final Set<String> seen = new HashSet<>();
    private int ends;

    private LaterOrders(boolean[][] plan) {
        this.plan = plan;
    }

    /** Tries all orders; fails where the members decide differently, or all wait. */
    static void exploreAll(boolean[][] plan) {
        LaterOrders orders = new LaterOrders(plan);
        orders.explore(new int[0]);
        assertTrue(orders.ends > 0, "no order comes to an end");
    }

    private Member[] walk(int[] steps) {
        Boards boards = new Boards(2, 1);
        Member[] members = {new Member(boards, 0, plan[0]), new Member(boards, 1, plan[1])};
        for (int step : steps) {
            members[step / 2].step(step % 2 == 0);
        }
        return members;
    }

    private void explore(int[] steps) {
        boolean moved = false;
        for (int step = 0; step < 4; step++) {
            Member[] members = walk(steps);
            if (members[step / 2].step(step % 2 == 0)) {
                moved = true;
                StringBuilder state = new StringBuilder();
                for (Member member : members) {
                    state.append(member.begun).append(member.next).append(member.decided);
                }
                if (seen.add(state.toString())) {
                    int[] more = Arrays.copyOf(steps, steps.length + 1);
                    more[steps.length] = step;
                    explore(more);
                }
            }
        }
        if (!moved) {
            ends++;
            Member[] members = walk(steps);
            for (int call = 0; call < plan[0].length; call++) {
                char expected = plan[0][call] && plan[1][call] ? 'D' : 'H';
                assertEquals("" + expected + expected, "" + members[0].decided[call] + members[1].decided[call],
                    "call " + call + " of " + Arrays.deepToString(plan) + " after " + Arrays.toString(steps));
            }
        }
    }
}
