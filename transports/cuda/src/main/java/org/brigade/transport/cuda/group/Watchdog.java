package org.brigade.transport.cuda.group;

import java.util.Arrays;
import org.brigade.interrupt.Nap;
import org.brigade.transport.Endpoint;

/**
 * Watches the peers, in a thread of its own, while work that waits for them is outstanding on a GPU. The calling thread
 * may be inside the driver, in a launch or a copy that does not return before earlier kernels have ended; and for work
 * on a stream no thread may be waiting at all. So this thread raises a kernel's abort word when a peer dies.
 *
 * <p>
 * It looks at processes, never at the time: a stopped or slow rank is waited for. A look costs two loads. The thread is
 * a daemon and exists as long as there is work to watch.
 */
public final class Watchdog {
    /** Between looks, if work was outstanding lately. */
    private static final long TICK_NANOS = 5_000_000;
    /** Between looks, if none was. */
    private static final long IDLE_NANOS = 50_000_000;
    private static final int TICKS_UNTIL_IDLE = 200;

    /**
     * Launches of one communicator or one stream, numbered in the order in which they begin and end. Called by the
     * watchdog's thread.
     */
    public interface Work {
        /** The number of the last launch; written before it is made. */
        long begun();

        /** The number of the last launch that has ended; a word in host memory that its kernel writes. */
        long ended();

        /**
         * What happened to a peer without which the work cannot end; null if all are alive. Asked only when a launch
         * has been outstanding for some milliseconds.
         */
        String lost();

        /**
         * Raises the abort word. Must not wait, nor call the driver, which may be stuck. Called at each look while work
         * is outstanding and a peer is lost.
         */
        void giveUp(String lost);
    }

    private static Work[] watched = {};
    /** By work: the number that was outstanding at the last look; 0 for none. */
    private static long[] outstanding = {};
    private static Thread thread;

    private Watchdog() {
    }

    /** What happened to one of these ranks of the job, or to the job; null if all are alive. */
    static String lost(Endpoint endpoint, int[] members) {
        for (int member : members) {
            String sentence = endpoint.lost(member);
            if (sentence != null) {
                return sentence;
            }
        }
        return endpoint.over();
    }

    /** Watches this work until {@link #forget}. */
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

    /** Stops watching this work. When this returns, no look at it is under way: its memory may be freed. */
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
            Nap.ownThread(quiet < TICKS_UNTIL_IDLE ? TICK_NANOS : IDLE_NANOS);
            synchronized (Watchdog.class) {
                if (watched.length == 0) {
                    thread = null;
                    return;
                }
                quiet = look() ? 0 : quiet + 1;
            }
        }
    }

    /** Whether any work is outstanding. */
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
