package org.brigade.window;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIL_Result;

/**
 * Two origins with exclusive locks each add 1 to two numbers in a rank's memory, while a third reads both under a
 * shared lock: no sum is lost, the reader never sees one half, and the lock is free afterwards.
 */
@JCStressTest
@Outcome(id = {"0, 0, 2", "1, 1, 2", "2, 2, 2"}, expect = Expect.ACCEPTABLE, desc = "Whole sums.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Half a change was seen, or one was lost.")
@State
public class WindowLockStress {
    private static final int FIRST = 0;
    private static final int SECOND = 64;

    private final NativeMemory block = NativeMemory.allocate(ControlBlock.bytes(1));
    private final NativeMemory memory = NativeMemory.allocate(128);

    private void add() {
        ControlBlock lock = new ControlBlock(block);
        lock.announceExclusive();
        while (!lock.tryExclusive()) {
            Thread.onSpinWait();
        }
        memory.putLong(FIRST, memory.getLong(FIRST) + 1);
        memory.putLong(SECOND, memory.getLong(SECOND) + 1);
        lock.releaseExclusive();
    }

    @Actor
    public void one() {
        add();
    }

    @Actor
    public void another() {
        add();
    }

    @Actor
    public void reader(IIL_Result result) {
        ControlBlock lock = new ControlBlock(block);
        while (!lock.tryShared(false)) {
            Thread.onSpinWait();
        }
        result.r1 = (int) memory.getLong(FIRST);
        result.r2 = (int) memory.getLong(SECOND);
        lock.releaseShared();
    }

    @Arbiter
    public void afterwards(IIL_Result result) {
        result.r3 = memory.getLong(FIRST) == memory.getLong(SECOND) && block.getLong(0) == 0 ? memory.getLong(FIRST)
            : -1;
    }
}
