package org.brigade.engine;

/**
 * A shutdown of this process that is under way: System.exit or a signal has started the shutdown hooks, and all other
 * threads go on. Errors that these threads then meet (aborted kernels, peers that leave because this rank does) follow
 * from the shutdown. They must not be reported as its reason, nor change its exit code.
 */
public final class ProcessEnd {
    /**
     * How long a thread leaves the shutdown to the threads that have begun it. They take milliseconds, unless a hook
     * waits for this very thread.
     */
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private ProcessEnd() {
    }

    /** Whether it has begun. True before the first hook runs; not for hot paths. */
    public static boolean hasBegun() {
        Thread probe = new Thread("brigade-probe");
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException begun) {
            return true;
        }
    }

    /** If the shutdown has begun, waits for it, so this seldom returns; else returns at once. */
    public static void await() {
        if (!hasBegun()) {
            return;
        }
        boolean interrupted = false;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (long left = PATIENCE_NANOS; left > 0; left = deadline - System.nanoTime()) {
            try {
                Thread.sleep(left / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
