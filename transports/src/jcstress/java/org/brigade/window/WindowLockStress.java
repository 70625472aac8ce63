package org.brigade.window;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Origins add 1 to two numbers in a rank's memory, each with an exclusive lock, or read both with a shared lock. Two of
 * them at a time: jcstress runs no test on a machine that has fewer cores than the test has actors.
 */
public class WindowLockStress {
    private static final int FIRST = 0;
    private static final int SECOND = 64;

    final NativeMemory block = NativeMemory.allocate(ControlBlock.bytes(1));
    final NativeMemory memory = NativeMemory.allocate(128);

    void add() {
        ControlBlock lock = new ControlBlock(block);
        lock.announceExclusive();
        while (!lock.tryExclusive()) {
            Thread.onSpinWait();
        }
        memory.putLong(FIRST, memory.getLong(FIRST) + 1);
        memory.putLong(SECOND, memory.getLong(SECOND) + 1);
        lock.releaseExclusive();
    }

    void read(III_Result result) {
        ControlBlock lock = new ControlBlock(block);
        while (!lock.tryShared(false)) {
            Thread.onSpinWait();
        }
        result.r1 = (int) memory.getLong(FIRST);
        result.r2 = (int) memory.getLong(SECOND);
        lock.releaseShared();
    }

    /** How often both numbers were increased; -1 if not equally often, or if the lock is not free. */
    int whole() {
        boolean free = block.getLong(0) == 0;
        return free && memory.getLong(FIRST) == memory.getLong(SECOND) ? (int) memory.getLong(FIRST) : -1;
    }

    /** No sum is lost, and the lock is free afterwards. */
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Whole sums.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A change was lost, or the lock is not free.")
    @State
    public static class TwoThatAdd extends WindowLockStress {
        @Actor
        public void one() {
            add();
        }

        @Actor
        public void another() {
            add();
        }

        @Arbiter
        public void afterwards(I_Result result) {
            result.r1 = whole();
        }
    }

    /** The reader never sees one half of a change. */
    @JCStressTest
    @Outcome(id = {"0, 0, 1", "1, 1, 1"}, expect = Expect.ACCEPTABLE, desc = "Nothing, or the whole change.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Half a change was seen, or the lock is not free.")
    @State
    public static class OneThatReads extends WindowLockStress {
        @Actor
        public void writer() {
            add();
        }

        @Actor
        public void reader(III_Result result) {
            read(result);
        }

        @Arbiter
        public void afterwards(III_Result result) {
            result.r3 = whole();
        }
    }
}
