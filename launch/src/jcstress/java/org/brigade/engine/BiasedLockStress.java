package org.brigade.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The lock is biased to the thread that comes first; the other one ends that while the first takes it and lets go. */
@JCStressTest
@Outcome(id = "400", expect = Expect.ACCEPTABLE, desc = "Whole sums.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two threads were inside at once.")
@State
public class BiasedLockStress {
    /** One change a state would mostly be done before the other actor begins. */
    private static final int TIMES = 200;

    private final ProgressLock lock = new ProgressLock();
    private int sum;

    private void add() {
        for (int i = 0; i < TIMES; i++) {
            lock.lock();
            sum++;
            lock.unlock();
        }
    }

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
        result.r1 = sum;
    }
}
