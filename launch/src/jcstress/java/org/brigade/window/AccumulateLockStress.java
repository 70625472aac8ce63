package org.brigade.window;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two origins accumulate at once, again and again: no sum is lost. */
@JCStressTest
@Outcome(id = "600", expect = Expect.ACCEPTABLE, desc = "Both sums.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A sum was lost.")
@State
public class AccumulateLockStress {
    /** One sum a state would mostly be done before the other actor begins. */
    private static final int TIMES = 200;

    private final NativeMemory block = NativeMemory.allocate(ControlBlock.bytes(1));
    private final NativeMemory memory = NativeMemory.allocate(64);

    private void add(int what) {
        ControlBlock lock = new ControlBlock(block);
        for (int i = 0; i < TIMES; i++) {
            while (!lock.tryAccumulate()) {
                Thread.onSpinWait();
            }
            memory.putLong(0, memory.getLong(0) + what);
            lock.releaseAccumulate();
        }
    }

    @Actor
    public void one() {
        add(1);
    }

    @Actor
    public void another() {
        add(2);
    }

    @Arbiter
    public void afterwards(J_Result result) {
        result.r1 = memory.getLong(0);
    }
}
