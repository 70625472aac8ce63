package org.brigade.engine.node;

import org.brigade.memory.NativeMemory;
import org.brigade.nativ.CompiledExchange;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** As {@link PulledBlocksStress}, with a member whose calls are compiled code and one whose calls are Java. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every block whole, every call ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A block torn, overwritten too early, or lost.")
@State
public class CompiledBlocksStress {
    private static final int CALLS = 12;
    private static final int TRIES = 200;
    private static final int WORDS = 20;
    private static final int BYTES = 8 * WORDS;

    private abstract static class Member {
        final PulledBlocks blocks;
        final int rank;
        int call = 1;
        boolean published;

        Member(NativeMemory[] slots, int rank) {
            blocks = new PulledBlocks(slots, rank);
            this.rank = rank;
        }

        /** @return words of the other's block that are wrong */
        final int step() {
            if (call > CALLS || !hasExchanged()) {
                return 0;
            }
            int wrong = 0;
            for (int word = 0; word < WORDS; word++) {
                wrong += other(word) == word(1 - rank, word) ? 0 : 1;
            }
            blocks.advance();
            call++;
            published = false;
            return wrong;
        }

        /** Publishes this member's block if it is not, and looks for the other's. */
        abstract boolean hasExchanged();

        abstract long other(int word);

        final long what() {
            return (long) call << Integer.SIZE | BYTES;
        }

        final long word(int whose, int word) {
            return call * 1000L + whose * 100L + word;
        }

        final void fill(NativeMemory memory, int at) {
            for (int word = 0; word < WORDS; word++) {
                memory.putLong(at + 8 * word, word(rank, word));
            }
        }
    }

    private static final class InJava extends Member {
        InJava(NativeMemory[] slots, int rank) {
            super(slots, rank);
        }

        @Override
        boolean hasExchanged() {
            if (!published) {
                fill(blocks.slot(rank), blocks.data());
                blocks.publish(call, what());
                published = true;
            }
            return blocks.isThere(1 - rank, call);
        }

        @Override
        long other(int word) {
            return blocks.slot(1 - rank).getLong(blocks.data() + 8 * word);
        }
    }

    private static final class Compiled extends Member {
        private final NativeMemory send = NativeMemory.allocate(BYTES);
        private final NativeMemory recv = NativeMemory.allocate(2 * BYTES);
        private final CompiledExchange exchange;

        Compiled(NativeMemory[] slots, int rank) {
            super(slots, rank);
            exchange = CompiledExchange.of(new long[] {slots[0].address(), slots[1].address()}, rank, 0, 0);
        }

        @Override
        boolean hasExchanged() {
            if (published) {
                return exchange.end(blocks.at(), call, what(), CompiledExchange.GATHER, null,
                    recv.address(), 0, BYTES, 1, 0, false, 0, -1) == CompiledExchange.DONE;
            }
            fill(send, 0);
            published = true;
            return exchange.run(blocks.at(), call, what(), CompiledExchange.GATHER, null,
                send.address(), null, recv.address(), 0, BYTES, 1, 0, -1, 0) == CompiledExchange.DONE;
        }

        @Override
        long other(int word) {
            return recv.getLong((1 - rank) * BYTES + 8 * word);
        }
    }

    private final NativeMemory[] slots = {slot(), slot()};
    private final Member first = new InJava(slots, 0);
    private final Member second = new Compiled(slots, 1);
    private int wrongFirst;

    private static NativeMemory slot() {
        return NativeMemory.allocate(PullSlots.SLOT_BYTES);
    }

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
        while (first.call <= CALLS || second.call <= CALLS) {
            wrong += first.step() + second.step();
        }
        result.r2 = wrong;
    }
}
