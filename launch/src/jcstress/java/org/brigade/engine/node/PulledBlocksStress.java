package org.brigade.engine.node;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two members, call after call: a block that is there is whole, and stays until its reader goes on. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Every block whole, every call ended.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A block torn, overwritten too early, or lost.")
@State
public class PulledBlocksStress {
    private static final int CALLS = 12;
    private static final int TRIES = 200;
    private static final int WORDS = 20;

    private static final class Member {
        private final PulledBlocks blocks;
        private final NativeMemory own;
        private final int rank;
        private int call = 1;
        private boolean published;

        Member(NativeMemory[] slots, int rank) {
            blocks = new PulledBlocks(slots, rank);
            own = slots[rank];
            this.rank = rank;
        }

        /** @return words of the other's block that are wrong */
        int step() {
            if (call > CALLS) {
                return 0;
            }
            if (!published) {
                for (int word = 0; word < WORDS; word++) {
                    own.putLong(blocks.data() + 8 * word, word(rank, word));
                }
                blocks.publish(call, call * 5L + rank);
                published = true;
            }
            if (!blocks.isThere(1 - rank, call)) {
                return 0;
            }
            int wrong = blocks.what(1 - rank) == call * 5L + 1 - rank ? 0 : 1;
            for (int word = 0; word < WORDS; word++) {
                wrong += blocks.slot(1 - rank).getLong(blocks.data() + 8 * word) == word(1 - rank, word) ? 0 : 1;
            }
            blocks.advance();
            call++;
            published = false;
            return wrong;
        }

        private long word(int whose, int word) {
            return call * 1000L + whose * 100L + word;
        }
    }

    private final NativeMemory[] slots = {slot(), slot()};
    private final Member first = new Member(slots, 0);
    private final Member second = new Member(slots, 1);
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
