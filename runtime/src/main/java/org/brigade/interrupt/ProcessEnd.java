package org.brigade.interrupt;

import java.util.HashSet;
import java.util.Set;
import org.brigade.process.Platform;
import org.brigade.setting.Setting;

/**
 * A shutdown of this process that is under way: System.exit or a signal has started the shutdown hooks, and all other
 * threads go on. Errors that these threads then meet (aborted kernels, peers that leave because this rank does) follow
 * from the shutdown. They must not be reported as its reason, nor change its exit code. The shutdown hooks themselves
 * communicate like the program: their errors count.
 */
public final class ProcessEnd {
    private static final long TICK_NANOS = 10_000_000L;
    /** Looks for the hook that Brigade has, which begins together with the others. */
    private static final int LOOKS = 100;

    /** When the hooks began, as the kernel's start time of a thread; -1: they have not. */
    private static volatile long began = -1;
    /** Where threads do not tell their start: those that ran when Brigade's hook began; null: it has not. */
    private static volatile Set<Thread> older;

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

    /** How long hooks may take. */
    public static long graceNanos() {
        return Setting.number("grace") * 1_000_000_000L;
    }

    /** Brigade's own hook tells that it runs. */
    public static void begins() {
        began = Platform.here().startOfThisThread();
        if (began < 0) {
            Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
            now.remove(Thread.currentThread());
            older = now;
        }
    }

    /**
     * If the shutdown has begun, leaves it to the hooks, so this seldom returns: after the time that hooks may take, as
     * one of them may wait for this very thread. Returns at once if it has not begun, and in a hook.
     */
    public static void await() {
        if (!hasBegun() || isHook()) {
            return;
        }
        long deadline = System.nanoTime() + graceNanos();
        while (System.nanoTime() - deadline < 0) {
            Nap.nanos(TICK_NANOS);
        }
    }

    /** Whether this thread is a hook, or began after the hooks did. */
    private static boolean isHook() {
        for (int look = 0; began < 0 && older == null && look < LOOKS; look++) {
            Nap.nanos(TICK_NANOS / LOOKS);
        }
        return began >= 0 ? Platform.here().startOfThisThread() >= began - 1
            : older != null && !older.contains(Thread.currentThread());
    }
}
