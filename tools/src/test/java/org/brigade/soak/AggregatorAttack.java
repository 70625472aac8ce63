package org.brigade.soak;

import java.util.Random;
import org.brigade.aggregation.aggregator.HostileClients;

/** Hostile clients of an aggregator. */
final class AggregatorAttack implements Attack {
    private static final int TIMES = 60;

    @Override
    public String name() {
        return "aggregator";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        try {
            new HostileClients(random).attack(TIMES);
            trials.passed("attacks on an aggregator", TIMES);
        } catch (AssertionError | Exception broken) {
            java.io.StringWriter trace = new java.io.StringWriter();
            broken.printStackTrace(new java.io.PrintWriter(trace));
            trials.failed("attacks on an aggregator", trace.toString());
        }
    }
}
