package org.brigade.transport.cuda.group;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.brigade.transport.Endpoint;

/**
 * Looks after the peers while work is outstanding on a GPU that waits for them, from a thread of its own. Whoever made
 * a call may be inside the driver, in a launch or a copy that does not return before the kernels in front of it have
 * ended; and for what was put on a stream nobody may be waiting at all. So it is here that a kernel's abort word is
 * raised when a peer dies.
 *
 * <p>
 * It looks at processes, never at the time: a rank that is stopped, or slow, is waited for. Looking at work is two
 * loads. The thread is a daemon, and there as long as there is work to watch.
 */
public final class Watchdog {
    /** Between looks, while something was outstanding lately. */
    private static final long TICK_NANOS = 5_000_000;
    /** Between looks, while nothing was. */
    private static final long IDLE_NANOS = 50_000_000;
    private static final int TICKS_UNTIL_IDLE = 200;

    /**
     * Launches of one communicator or one stream, numbered in the order in which they begin and end. The watchdog calls
     * it from its thread.
     */
    public interface Work {
        /** The number of the last launch; written before it is made. */
        long begun();

        /** The number of the last launch that has ended; a word in host memory that its kernel writes. */
        long ended();

        /**
         * What happened to a peer without whom the work cannot end; null if all are there. Asked only when a launch has
         * been outstanding for some milliseconds.
         */
        String lost();

        /**
         * Raises the abort word. Must not wait, nor call the driver, which may be what is stuck. Called at each look
         * while work is outstanding and a peer is lost.
         */
        void giveUp(String lost);
    }

    private static Work[] watched = {};
    /** For each: the number that was outstanding at the last look; 0 for none. */
    private static long[] outstanding = {};
    private static Thread thread;

    private Watchdog() {
    }

    /** What happened to one of these ranks of the job, or to the job; null if all is well. */
    static String lost(Endpoint endpoint, int[] members) {
        for (int member : members) {
            String sentence = endpoint.lost(member);
            if (sentence != null) {
                return sentence;
            }
        }
        return endpoint.over();
    }

    /** From now on looks after this work, until {@link #forget}. */
    public static synchronized void watch(Work work) {
        watched = Arrays.copyOf(watched, watched.length + 1);
        outstanding = Arrays.copyOf(outstanding, watched.length);
        watched[watched.length - 1] = work;
        if (thread == null) {
            thread = new Thread(Watchdog::run, "brigade-cuda-watchdog");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Looks after this work no longer; when this returns, it is not being looked at: what it reads and writes may be
     * freed.
     */
    public static synchronized void forget(Work work) {
        int last = watched.length - 1;
        for (int i = 0; i <= last; i++) {
            if (watched[i] == work) {
                watched[i] = watched[last];
                outstanding[i] = outstanding[last];
                watched = Arrays.copyOf(watched, last);
                outstanding = Arrays.copyOf(outstanding, last);
                return;
            }
        }
    }

    private static void run() {
        int quiet = 0;
        while (true) {
            LockSupport.parkNanos(quiet < TICKS_UNTIL_IDLE ? TICK_NANOS : IDLE_NANOS);
            synchronized (Watchdog.class) {
                if (watched.length == 0) {
                    thread = null;
                    return;
                }
                quiet = look() ? 0 : quiet + 1;
            }
        }
    }

    /** Whether anything is outstanding. */
    private static boolean look() {
        boolean any = false;
        for (int i = 0; i < watched.length; i++) {
            Work work = watched[i];
            long ended = work.ended();
            boolean runs = work.begun() != ended;
            if (runs && outstanding[i] == ended + 1) {
                String lost = work.lost();
                if (lost != null) {
                    work.giveUp(lost);
                }
            }
            outstanding[i] = runs ? ended + 1 : 0;
            any |= runs;
        }
        return any;
    }
}
