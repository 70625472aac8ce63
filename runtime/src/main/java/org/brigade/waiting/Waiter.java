package org.brigade.waiting;

import org.brigade.nativ.AwaitedWord;

/** A waiting call that can say what it waits for. */
public interface Waiter {
    /**
     * Tells which word in shared memory ends the wait: while this rank has nothing else to do, it looks at that alone.
     * None, if several may. Under the engine's lock.
     */
    default void show(AwaitedWord word) {
        word.forget();
    }

    /** Describes the wait as it is now. Asked when it has become long, under the engine's lock. */
    void describe(Wait wait);
}
