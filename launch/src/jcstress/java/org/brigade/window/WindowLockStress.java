package org.brigade.window;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Origins add 1 to two numbers in a rank's memory, each with an exclusive lock, or read both with a shared lock. Two of
 * them at a time: jcstress runs no test on a machine that has fewer cores than the test has actors.
 */
public class WindowLockStress {
    private static final int FIRST = 0;
    private static final int SECOND = 64;
    /** One change a state would mostly be done before the other actor begins. */
    private static final int TIMES = 200;

    final NativeMemory block = NativeMemory.allocate(ControlBlock.bytes(1));
    final NativeMemory memory = NativeMemory.allocate(128);

    void add() {
        ControlBlock lock = new ControlBlock(block);
        for (int i = 0; i < TIMES; i++) {
            lock.announceExclusive();
            while (!lock.tryExclusive()) {
                Thread.onSpinWait();
            }
            memory.putLong(FIRST, memory.getLong(FIRST) + 1);
            memory.putLong(SECOND, memory.getLong(SECOND) + 1);
            lock.releaseExclusive();
        }
    }

    /** @return how often half a change was seen */
    int read() {
        ControlBlock lock = new ControlBlock(block);
        int halves = 0;
        for (int i = 0; i < TIMES; i++) {
            while (!lock.tryShared(false)) {
                Thread.onSpinWait();
            }
            halves += memory.getLong(FIRST) == memory.getLong(SECOND) ? 0 : 1;
            lock.releaseShared();
        }
        return halves;
    }

    /** How often both numbers were increased; -1 if not equally often, or if the lock is not free. */
    int whole() {
        boolean free = block.getLong(0) == 0;
        return free && memory.getLong(FIRST) == memory.getLong(SECOND) ? (int) memory.getLong(FIRST) : -1;
    }

    /** No sum is lost, and the lock is free afterwards. */
    @JCStressTest
    @Outcome(id = "400", expect = Expect.ACCEPTABLE, desc = "Whole sums.")
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
    @Outcome(id = "0, 200", expect = Expect.ACCEPTABLE, desc = "Whole changes.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Half a change was seen, or the lock is not free.")
    @State
    public static class OneThatReads extends WindowLockStress {
        @Actor
        public void writer() {
            add();
        }

        @Actor
        public void reader(II_Result result) {
            result.r1 = read();
        }

        @Arbiter
        public void afterwards(II_Result result) {
            result.r2 = whole();
        }
    }
}
