package org.brigade.window;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * What a rank has stored before a meeting, all see who have met it; and no stretch is used again before all left it.
 */
public class WindowMeetingStress {
    private static final long STORED = 7;
    private static final long AGAIN = 9;

    private WindowMeetingStress() {
    }

    /** The memory of a window, and the block of a rank. */
    private abstract static class Window {
        final NativeMemory memory = NativeMemory.allocate(64);
        final ControlBlock block = new ControlBlock(NativeMemory.allocate(ControlBlock.bytes(1)));
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before both.")
    @Outcome(id = "0, 7", expect = Expect.ACCEPTABLE, desc = "Between the two.")
    @Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "After the meeting.")
    @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "They have met, and the store is not there.")
    @State
    public static class Arrival extends Window {
        @Actor
        public void target() {
            memory.putLong(0, STORED);
            block.arrive(1);
        }

        @Actor
        public void other(JJ_Result result) {
            result.r1 = block.arrivals();
            result.r2 = memory.getLong(0);
        }
    }

    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "Looked, then left.")
    @Outcome(id = {"9, 0", "9, 1"}, expect = Expect.FORBIDDEN, desc = "The memory served another window already.")
    @State
    public static class Leaving extends Window {
        @Actor
        public void looks(JJ_Result result) {
            result.r1 = memory.getLong(0);
            block.leave();
        }

        @Actor
        public void first(JJ_Result result) {
            if (block.isLeft()) {
                memory.putLong(0, AGAIN);
                result.r2 = 1;
            }
        }
    }
}
