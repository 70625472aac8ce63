package org.brigade.interrupt;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    /** The field of a thread's stat behind its name that says when it began. */
    private static final int START_FIELD = 20;

    /** When the hooks began, as the kernel's start time of a thread; -1: they have not. */
    private static volatile long began = -1;

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
        began = startOfThisThread();
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
        for (int look = 0; began < 0 && look < LOOKS; look++) {
            Nap.nanos(TICK_NANOS / LOOKS);
        }
        return began >= 0 && startOfThisThread() >= began - 1;
    }

    /** The kernel counts in hundredths of a second. */
    private static long startOfThisThread() {
        try (FileInputStream file = new FileInputStream("/proc/thread-self/stat")) {
            String stat = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            int at = stat.lastIndexOf(')') + 1;
            for (int field = 0; field < START_FIELD; field++) {
                at = stat.indexOf(' ', at) + 1;
            }
            return Long.parseLong(stat, at, stat.indexOf(' ', at), 10);
        } catch (IOException noSuchFile) {
            return -1;
        }
    }
}
