package org.brigade.engine.node;

import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two members, window after window, as a movement-avoiding reduction does: each begins the sum of one slice, adds to
 * that of the other, and reads both. Every sum must be whole, and stay until its readers have left the window.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every sum whole, every window left.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A sum torn, overwritten too early, or lost.")
@State
public class SharedBufferStress {
    private static final int WINDOWS = 8;
    private static final int TICKS = 3;
    private static final int TRIES = 400;
    private static final int WORDS = 20;
    /** Two halves less than they usually are. */
    private static final int BYTES = SharedBuffer.bytes(2) - 2 * (1 << 20) + 2 * 2 * WORDS * 8;

    private static final class Member {
        private final SharedBuffer buffer;
        private final int rank;
        private int window;
        private int step;

        Member(ByteBuffer memory, int rank) {
            buffer = new SharedBuffer(memory, 2, rank);
            this.rank = rank;
        }

        /** Goes on if it can. @return words of sums that are wrong */
        int step() {
            if (window == WINDOWS) {
                return 0;
            }
            long first = (long) window * TICKS;
            int wrong = 0;
            switch (step) {
                case 0 -> {
                    if (window >= 2 && !buffer.hasReached(1 - rank, first - TICKS)) {
                        return 0;
                    }
                    add(rank, false);
                }
                case 1 -> {
                    if (!buffer.hasReached(1 - rank, first + 1)) {
                        return 0;
                    }
                    add(1 - rank, true);
                }
                default -> {
                    if (!buffer.hasReached(1 - rank, first + 2)) {
                        return 0;
                    }
                    for (int word = 0; word < 2 * WORDS; word++) {
                        wrong += buffer.half(window).getLong(8 * word) == value(0, word) + value(1, word) ? 0 : 1;
                    }
                }
            }
            buffer.publish(first + step + 1);
            step = (step + 1) % TICKS;
            window += step == 0 ? 1 : 0;
            return wrong;
        }

        private void add(int slice, boolean more) {
            for (int word = slice * WORDS; word < (slice + 1) * WORDS; word++) {
                long before = more ? buffer.half(window).getLong(8 * word) : 0;
                buffer.half(window).putLong(8 * word, before + value(rank, word));
            }
        }

        private long value(int whose, int word) {
            return window * 1_000_000L + whose * 1000L + word;
        }
    }

    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private final Member first = new Member(memory, 0);
    private final Member second = new Member(memory, 1);
    private int wrongFirst;

    @Actor
    public void first() {
        for (int i = 0; i < TRIES; i++) {
            wrongFirst += first.step();
        }
    }

    @Actor
    public void second(II_Result result) {
        for (int i = 0; i < TRIES; i++) {
            result.r1 += second.step();
        }
    }

    @Arbiter
    public void rest(II_Result result) {
        int wrong = wrongFirst;
        while (first.window < WINDOWS || second.window < WINDOWS) {
            wrong += first.step() + second.step();
        }
        result.r2 = wrong;
    }
}
