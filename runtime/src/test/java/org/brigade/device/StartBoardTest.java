package org.brigade.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Persistent calls that members start in orders of their own are launched in one order, whatever comes first. */
class StartBoardTest {
    private static final int CALLS = 5;
    private static final int STARTS = 40;

    /** One member of a communicator, which starts its calls in an order of its own, each {@link #STARTS} times. */
    private static final class Member {
        final StartBoard board;
        final StartBoard.Call[] calls = new StartBoard.Call[CALLS];
        final int[] starts = new int[CALLS];
        /** Started; then launched, and not ended. */
        final boolean[] waits = new boolean[CALLS];
        final boolean[] runs = new boolean[CALLS];
        final boolean[] ordered = new boolean[CALLS];
        final List<Integer> launched = new ArrayList<>();
        long next;
        int order;

        Member(StartBoard board) {
            this.board = board;
        }

        boolean isDone() {
            return launched.size() == CALLS * STARTS;
        }

        void step(SplittableRandom random, int rank, int members) {
            int call = random.nextInt(CALLS);
            switch (random.nextInt(3)) {
                case 0 -> {
                    if (!waits[call] && !runs[call] && starts[call] < STARTS) {
                        calls[call].start(1000L * call + ++starts[call], rank);
                        waits[call] = true;
                        ordered[call] = false;
                    }
                }
                case 1 -> {
                    runs[call] = false; // it has ended here
                    for (int i = 0; rank == 0 && i < CALLS; i++) {
                        boolean all = waits[i] && !ordered[i];
                        for (int member = 0; member < members && all; member++) {
                            all = calls[i].hasStarted(member);
                        }
                        if (all) {
                            ordered[i] = true;
                            board.append(order, i);
                        }
                    }
                }
                default -> {
                    int told = board.read(0, order, next);
                    if (told >= 0) {
                        next++;
                        assertTrue(waits[told], "told of a call that has not been started here");
                        for (int member = 0; member < members; member++) {
                            assertTrue(calls[told].sendExport(member) >= 1000L * told + starts[told]
                                && calls[told].sendExport(member) < 1000L * (told + 1), "exports of another call");
                            assertEquals(member, calls[told].recvExport(member));
                        }
                        calls[told].launched();
                        waits[told] = false;
                        runs[told] = true;
                        launched.add(told);
                    }
                }
            }
        }
    }

    private static void run(Member[] members, SplittableRandom random) {
        int ranks = members.length;
        int[] world = new int[ranks];
        int order = members[0].board.takeOrder();
        assertTrue(order >= 0, "no order is left");
        for (int call = 0; call < CALLS; call++) {
            long[][] cards = new long[ranks][];
            for (int rank = 0; rank < ranks; rank++) {
                world[rank] = rank;
                members[rank].calls[call] = members[rank].board.take();
                assertNotNull(members[rank].calls[call], "no slot is left");
                cards[rank] = members[rank].calls[call].card();
            }
            for (int rank = 0; rank < ranks; rank++) {
                members[rank].calls[call].meet(world, cards, rank == 0 ? order : -1);
            }
        }
        for (Member member : members) {
            member.order = order;
            member.next = members[0].board.entries(order) + 1;
        }
        boolean done = false;
        while (!done) {
            int rank = random.nextInt(4) == 0 ? 0 : random.nextInt(ranks);
            members[rank].step(random, rank, ranks);
            done = true;
            for (Member member : members) {
                done &= member.isDone();
            }
        }
        for (Member member : members) {
            assertEquals(members[0].launched, member.launched);
            for (StartBoard.Call call : member.calls) {
                call.free();
            }
        }
        members[0].board.giveOrder(order);
    }

    /** More communicators than there are orders, and more calls than slots, one after the other. */
    @Test
    void allMembersLaunchInOneOrder() {
        for (int ranks = 2; ranks <= 4; ranks++) {
            Boards all = new Boards(ranks, 255);
            StartBoard[] boards = new StartBoard[ranks];
            for (int rank = 0; rank < ranks; rank++) {
                boards[rank] = all.starts(rank);
            }
            SplittableRandom random = new SplittableRandom(ranks);
            for (int communicator = 0; communicator < 20; communicator++) {
                Member[] members = new Member[ranks];
                for (int rank = 0; rank < ranks; rank++) {
                    members[rank] = new Member(boards[rank]);
                }
                run(members, random);
            }
        }
    }

    /** The slot of a call that a member has not launched yet is no other call's. */
    @Test
    void aSlotIsFreeWhenAllHaveLaunched() {
        Boards all = new Boards(2, 255);
        StartBoard fast = all.starts(0);
        StartBoard slow = all.starts(1);
        List<StartBoard.Call> calls = new ArrayList<>();
        for (StartBoard.Call call = fast.take(); call != null; call = fast.take()) {
            calls.add(call);
        }
        assertEquals(StartBoard.SLOTS, calls.size());
        StartBoard.Call first = calls.get(0);
        StartBoard.Call its = slow.take();
        long[][] cards = {first.card(), its.card()};
        first.meet(new int[] {0, 1}, cards, -1);
        its.meet(new int[] {0, 1}, cards, -1);
        first.start(1, 2);
        its.start(3, 4);
        first.launched();
        first.free();
        assertNull(fast.take(), "the other member has still to read it");
        its.launched();
        assertNotNull(fast.take());
    }
}
