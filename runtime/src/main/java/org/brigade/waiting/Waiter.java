package org.brigade.waiting;

/** A waiting call that can say what it waits for. */
public interface Waiter {
    /** Describes the wait as it is now. Asked when it has become long, under the engine's lock. */
    void describe(Wait wait);
}
