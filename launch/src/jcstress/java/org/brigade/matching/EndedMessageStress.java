package org.brigade.matching;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** One thread ends a message that is well and one that has failed; another looks without the progress lock. */
@JCStressTest
@Outcome(id = {"0, 0, 0", "0, 1, 0", "1, 1, 0"}, expect = Expect.ACCEPTABLE, desc = "Who finds the end finds the data.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The data came after the end, or a failed message has succeeded.")
@State
public class EndedMessageStress {
    private final SendOperation well = new SendOperation(new AttachedBuffer(null));
    private final SendOperation failing = new SendOperation(new AttachedBuffer(null));
    private int data;

    @Actor
    public void ends() {
        failing.fail(new IllegalStateException());
        data = 1;
        well.complete();
    }

    @Actor
    public void looks(III_Result result) {
        result.r3 = failing.hasSucceeded() ? 1 : 0;
        result.r1 = well.hasSucceeded() ? 1 : 0;
        result.r2 = data;
    }
}
