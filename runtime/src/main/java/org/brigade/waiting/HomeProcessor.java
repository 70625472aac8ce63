package org.brigade.waiting;

import org.brigade.nativ.ThreadPlace;

/**
 * The processor of a rank that can have one to itself. A kernel may nevertheless run two ranks on one processor while
 * another is idle, or has only a compiler of a JVM. Two ranks that wait by turns were seen to stay so for tenths of a
 * second, probably because the kernel spares the cache of a thread that has just run. A call of 70 us then took 400. So
 * a rank that has waited for long goes home. It is not bound there, and threads that it starts may run anywhere.
 *
 * <p>
 * Only the thread that began the job goes: several threads of a rank would share its processor.
 */
public final class HomeProcessor {
    /** Nanoseconds between two looks. They double while the kernel moves the rank away again each time. */
    private static final long SHORTEST_REST = 1_000_000;
    private static final long LONGEST_REST = 8_000_000;

    private final int home;
    private final Thread thread = Thread.currentThread();
    private long rest = SHORTEST_REST;
    private long next = System.nanoTime();

    private HomeProcessor(int home) {
        this.home = home;
    }

    /** Of the calling thread; null if the rank has none, which is -1. */
    public static HomeProcessor of(int processor) {
        return processor < 0 ? null : new HomeProcessor(processor);
    }

    /**
     * In a wait that has become long.
     *
     * @return whether this thread was elsewhere and has been moved
     */
    public boolean seek(long now) {
        if (now - next < 0 || Thread.currentThread() != thread || !ThreadPlace.works()) {
            return false;
        }
        boolean away = ThreadPlace.processor() != home;
        rest = away ? Math.min(2 * rest, LONGEST_REST) : Math.max(rest / 2, SHORTEST_REST);
        next = now + rest;
        return away && ThreadPlace.moveTo(home);
    }
}
