package org.brigade.aggregation.aggregator;

import java.util.function.Consumer;

/**
 * Logs refused connections: the first at once, of later ones the number, as strangers can connect as often as they
 * like.
 */
final class Refusals {
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final Consumer<String> log;
    private boolean any;
    private long told;
    private int untold;

    Refusals(Consumer<String> log) {
        this.log = log;
    }

    void say(String why, long now) {
        if (any && now - told < INTERVAL_NANOS) {
            untold++;
            return;
        }
        tick(now);
        any = true;
        told = now;
        log.accept("a connection was refused: " + why);
    }

    void tick(long now) {
        if (untold > 0 && now - told >= INTERVAL_NANOS) {
            log.accept(untold + " more connections were refused");
            told = now;
            untold = 0;
        }
    }
}
