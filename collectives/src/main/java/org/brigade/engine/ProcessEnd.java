package org.brigade.engine;

/**
 * An end of this process that is under way: somebody has called System.exit, or a signal has, and the shutdown hooks
 * run while all other threads go on. What these meet then, kernels that were given up and peers that left because this
 * rank does, follows from the end and must not become its reason, nor change its exit code.
 */
public final class ProcessEnd {
    /**
     * How long a thread leaves the end to those who have begun it. They take milliseconds, unless a hook waits for this
     * very thread.
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

    /** If the end has begun, waits for it, which is to say that this seldom returns; at once if not. */
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
