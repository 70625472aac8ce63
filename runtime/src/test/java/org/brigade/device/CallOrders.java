package org.brigade.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.brigade.algorithm.Placement;

/**
 * All orders in which the steps of a communicator's members can come: plans say, by rank, communicator and call, whose
 * data are on devices.
 */
final class CallOrders {
    /**
     * A rank that goes through communicators one after another: claims a line, makes calls, frees. Restarted for every
     * order of steps.
     */
    private static final class Walker {
        private final AnnouncementBoard board;
        private final int rank;
        private final int[] members;
        /** By communicator and call: whether this rank has its data on a device. */
        private final boolean[][] onDevice;
        private DeviceCallAnnouncements line;
        private int communicator;
        /** -1: the line has to be claimed next. */
        private int call = -1;
        /** -1: the call has to begin next; else the member to look at next. */
        private int member = -1;
        private boolean all;
        /** What it has concluded: 'D' or 'H', one letter a call. */
        final StringBuilder conclusions = new StringBuilder();

        Walker(AnnouncementBoard board, int rank, int[] members, boolean[][] onDevice) {
            this.board = board;
            this.rank = rank;
            this.members = members;
            this.onDevice = onDevice;
        }

        boolean ended() {
            return communicator == onDevice.length;
        }

        String state() {
            return communicator + "," + call + "," + member + (line == null ? "h" : "d") + all + conclusions;
        }

        /** One step; false if it has to wait for somebody. */
        boolean step() {
            if (call < 0) {
                line = board.claim(10 + communicator, rank, members);
                call = 0;
            } else if (call == onDevice[communicator].length) {
                if (line != null) {
                    line.retire();
                }
                communicator++;
                call = -1;
            } else if (member < 0) {
                begin();
            } else {
                return look();
            }
            return true;
        }

        private void begin() {
            if (line != null && onDevice[communicator][call] && line.reachesAll()) {
                line.announce(call, 100 * call + rank, communicator, Placement.ALIGNED, 1, 2, 3, 4);
                member = 0;
                all = true;
                skipSelf();
                return;
            }
            if (line != null) {
                line.passed(call + 1);
            }
            conclude(false);
        }

        private boolean look() {
            int seen = line.look(member, call);
            if (seen == DeviceCallAnnouncements.ABSENT) {
                return false;
            }
            if (seen == DeviceCallAnnouncements.DEVICE) {
                assertEquals(100 * call + member, line.word(member, DeviceCallAnnouncements.WHAT),
                    "the announcement of another call");
                assertEquals(communicator, line.word(member, DeviceCallAnnouncements.BYTES),
                    "the announcement of another communicator");
            }
            all &= seen == DeviceCallAnnouncements.DEVICE;
            member++;
            skipSelf();
            return true;
        }

        private void skipSelf() {
            if (member == rank) {
                member++;
            }
            if (member == members.length) {
                conclude(all);
            }
        }

        private void conclude(boolean device) {
            conclusions.append(device ? 'D' : 'H');
            call++;
            member = -1;
            all = false;
        }
    }

    private final int ranks;
    private final int lines;
    private final boolean[][][] plans;
    private final Set<String> seen = new HashSet<>();
    private int ends;

    private CallOrders(boolean[][][] plans, int lines) {
        this.ranks = plans.length;
        this.lines = lines;
        this.plans = plans;
    }

    /** Tries all orders; fails where two members conclude differently, or all wait. */
    static void exploreAll(boolean[][][] plans, int lines) {
        CallOrders orders = new CallOrders(plans, lines);
        orders.explore(new int[0], 0);
        assertTrue(orders.ends > 0, "no order comes to an end");
    }

    private Walker[] walk(int[] steps, int count) {
        int[] members = new int[ranks];
        Arrays.setAll(members, i -> i);
        Boards boards = new Boards(ranks, lines);
        Walker[] walkers = new Walker[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            walkers[rank] = new Walker(boards.of(rank, lines), rank, members, plans[rank]);
        }
        for (int i = 0; i < count; i++) {
            walkers[steps[i]].step();
        }
        return walkers;
    }

    /** Tries every rank's step next, after the given ones. */
    private void explore(int[] steps, int count) {
        boolean moved = false;
        boolean ended = true;
        for (int rank = 0; rank < ranks; rank++) {
            Walker[] walkers = walk(steps, count);
            if (walkers[rank].ended()) {
                continue;
            }
            ended = false;
            if (!walkers[rank].step()) {
                continue;
            }
            moved = true;
            StringBuilder state = new StringBuilder();
            for (Walker walker : walkers) {
                state.append(walker.state()).append(' ');
            }
            if (seen.add(state.toString())) {
                int[] next = Arrays.copyOf(steps, count + 1);
                next[count] = rank;
                explore(next, count + 1);
            }
        }
        if (ended) {
            ends++;
            compare(walk(steps, count));
        } else {
            assertTrue(moved, () -> "all wait after " + Arrays.toString(Arrays.copyOf(steps, count)) + " of "
                + Arrays.deepToString(plans));
        }
    }

    private void compare(Walker[] walkers) {
        int at = 0;
        for (int c = 0; c < plans[0].length; c++) {
            for (int call = 0; call < plans[0][c].length; call++, at++) {
                boolean possible = true;
                for (int rank = 0; rank < ranks; rank++) {
                    possible &= plans[rank][c][call];
                    assertEquals(walkers[0].conclusions.charAt(at), walkers[rank].conclusions.charAt(at),
                        "conclusions of ranks 0 and " + rank + " of call " + call + " of communicator " + c + " of "
                            + Arrays.deepToString(plans));
                }
                char expected = possible ? 'D' : 'H';
                if (c < lines) { // later ones may find no line
                    assertEquals(expected, walkers[0].conclusions.charAt(at),
                        "call " + call + " of communicator " + c + " of " + Arrays.deepToString(plans));
                }
            }
        }
    }
}
