package org.brigade.device;

import java.lang.reflect.Proxy;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two members that start two persistent calls in opposite orders, again and again: both launch them in the order that
 * the first decides, and find the exports of each start.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "One order, and all exports whole.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Members launched differently, or saw exports of another start.")
@State
public class StartBoardStress {
    private static final int CALLS = 2;
    private static final int STARTS = 6;
    private static final int TRIES = 300;

    private final NativeMemory[] boards =
        {NativeMemory.allocate(AnnouncementBoard.BYTES + StartBoard.BYTES),
            NativeMemory.allocate(AnnouncementBoard.BYTES
                + StartBoard.BYTES)};
    private final Member[] members = {new Member(0), new Member(1)};

    public StartBoardStress() {
        int order = members[0].board.takeOrder();
        for (int call = 0; call < CALLS; call++) {
            long[][] cards = {members[0].calls[call].card(), members[1].calls[call].card()};
            for (Member member : members) {
                member.calls[call].meet(new int[] {0, 1}, cards, member.rank == 0 ? order : -1);
                member.order = order;
            }
        }
    }

    private final class Member {
        final int rank;
        final StartBoard board;
        final StartBoard.Call[] calls = new StartBoard.Call[CALLS];
        int order;
        private final int[] starts = new int[CALLS];
        private final boolean[] waits = new boolean[CALLS];
        private final boolean[] ordered = new boolean[CALLS];
        private long launches;
        /** The launches so far, a digit each. */
        private long sequence = 1;
        private int wrong;

        Member(int rank) {
            this.rank = rank;
            board = StartBoard.of(end());
            for (int call = 0; call < CALLS; call++) {
                calls[call] = board.take();
            }
        }

        /** All that a board asks of its endpoint. */
        private Endpoint end() {
            return (Endpoint) Proxy.newProxyInstance(StartBoardStress.class.getClassLoader(),
                new Class<?>[] {Endpoint.class}, (end, method, arguments) -> switch (method.getName()) {
                    case "rank" -> rank;
                    case "size" -> boards.length;
                    case "board" -> boards[(int) arguments[0]];
                    default -> throw new IllegalStateException(method.getName());
                });
        }

        void step() {
            for (int i = 0; i < CALLS; i++) {
                int call = rank == 0 ? i : CALLS - 1 - i;
                if (!waits[call] && starts[call] < STARTS) {
                    starts[call]++;
                    calls[call].start(export(call), ~export(call));
                    waits[call] = true;
                    ordered[call] = false;
                }
                if (rank == 0 && waits[call] && !ordered[call] && calls[call].hasStarted(1)) {
                    ordered[call] = true;
                    board.append(order, call);
                }
            }
            int told = board.read(0, order, launches + 1);
            if (told >= 0) {
                launches++;
                sequence = 2 * sequence + told;
                long send = calls[told].sendExport(1 - rank) - export(told);
                long recv = ~calls[told].recvExport(1 - rank) - export(told);
                // The other may have started its next one meanwhile, or be about to: with the same buffers in a
                // program.
                wrong += (send == 0 || send == 1) && (recv == 0 || recv == 1) ? 0 : 1;
                wrong += waits[told] ? 0 : 1;
                calls[told].launched();
                waits[told] = false;
            }
        }

        private long export(int call) {
            return 100L * call + starts[call];
        }

        boolean isDone() {
            return launches == CALLS * STARTS;
        }
    }

    @Actor
    public void first() {
        for (int i = 0; i < TRIES; i++) {
            members[0].step();
        }
    }

    @Actor
    public void second() {
        for (int i = 0; i < TRIES; i++) {
            members[1].step();
        }
    }

    /** What the actors left undone. */
    @Arbiter
    public void rest(II_Result result) {
        for (int i = 0; i < TRIES && !(members[0].isDone() && members[1].isDone()); i++) {
            members[0].step();
            members[1].step();
        }
        result.r1 = members[0].wrong + members[1].wrong;
        result.r2 = members[0].isDone() && members[1].isDone() && members[0].sequence == members[1].sequence ? 0 : 1;
    }
}
