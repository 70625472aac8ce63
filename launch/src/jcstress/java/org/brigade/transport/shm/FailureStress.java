package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two ranks fail at once: one of the two sentences stands, whole, and is seen whole or not at all. */
@JCStressTest
@Outcome(id = {"null, one", "one, one", "null, the other"}, expect = Expect.ACCEPTABLE, desc = "One whole sentence.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A sentence mixed, cut, changed or lost.")
@State
public class FailureStress {
    private final RankTable table = new RankTable(NativeMemory.allocate(SegmentDescriptor.ROWS));

    @Actor
    public void oneFails() {
        table.fail("one", 1);
    }

    @Actor
    public void theOtherLooksAndFails(LL_Result result) {
        result.r1 = table.failure();
        table.fail("the other", 2);
    }

    @Arbiter
    public void afterwards(LL_Result result) {
        result.r2 = table.failure();
    }
}
