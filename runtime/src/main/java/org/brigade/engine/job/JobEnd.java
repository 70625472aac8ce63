package org.brigade.engine.job;

import java.util.List;
import org.brigade.interrupt.ProcessEnd;
import org.brigade.recording.CallRecording;
import org.brigade.transport.Endpoint;

/** The end of a job that cannot go on: says why, if possible once for all ranks, and ends this process. */
public final class JobEnd {
    /**
     * Exit code of a rank that ends because another rank is lost. Under mpjrun: of a rank that has found that the job
     * cannot go on although no rank is lost.
     */
    public static final int LOST_PEER = 1;
    /**
     * Exit code, under mpjrun, of a rank that ends only because another has ended: mpjrun then looks for the first one,
     * as a failing process often ends later than those that hear of it. Other launchers take the code of the first rank
     * that they see end, so there the victim uses the failed rank's code.
     */
    public static final int VICTIM = 86;

    private static final boolean MPJRUN = System.getenv("BRIGADE_LAUNCHER_PID") != null;

    public static final String WAITING = "waiting in ";

    /** What to do before this process ends, which no shutdown hook then does; null: nothing. */
    private static volatile Runnable last;

    private JobEnd() {
    }

    /** Names what this process must take away before it ends. It must not throw. */
    public static void beforeEnd(Runnable step) {
        last = step;
    }

    /**
     * Starts a daemon thread of the library's own that other ranks wait for. If it fails, nobody else answers them: the
     * job ends, and says why.
     */
    public static Thread startService(Endpoint endpoint, String name, Runnable service) {
        Thread thread = new Thread(name) {
            @Override
            public void run() {
                try {
                    service.run();
                } catch (Throwable e) {
                    e.printStackTrace();
                    threw(endpoint, "threw " + e.getClass().getName() + " out of its thread " + getName());
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void halt(int code) {
        Runnable step = last;
        if (step != null) {
            step.run();
        }
        if (CallRecording.ON) {
            CallRecording.end();
        }
        Runtime.getRuntime().halt(code);
    }

    /**
     * Ends this process because a peer is lost. Does not return. A process that is already ending first waits for that
     * end, in silence: its exit code is decided. Only a shutdown hook that needs the peer, or keeps this thread,
     * counts.
     */
    public static void because(Endpoint endpoint, String where, String lost) {
        ProcessEnd.await();
        say(endpoint, where, lost);
        endpoint.fail(lost, LOST_PEER);
        if (endpoint.lostLauncher() == null) {
            showCalls(endpoint);
        }
        // Not a code of our own: the launcher takes the code of the rank that it sees end first, and that must be
        // Abort's.
        halt(MPJRUN ? VICTIM : endpoint.failureCode());
    }

    /**
     * Ends this process and the job because an awaited message never comes, although all ranks run. Does not return.
     *
     * @param call the waiting call; the peers, among them the rank that is missing in it, learn who waits
     */
    public static void starved(Endpoint endpoint, String call, String why) {
        String over = endpoint.over();
        if (over != null) {
            because(endpoint, WAITING + call, over);
        }
        say(endpoint, WAITING + call, why);
        endpoint.fail("rank " + endpoint.rank() + " waits in " + call + ", but " + why, LOST_PEER);
        showCalls(endpoint);
        halt(LOST_PEER);
    }

    /** Says which calls the ranks have made last, if no other rank has done so. */
    private static void showCalls(Endpoint endpoint) {
        List<String> lines = endpoint.lastCalls(true);
        if (!lines.isEmpty()) {
            System.err.print(text(lines));
            System.err.flush();
            endpoint.callsAreShown();
        }
    }

    /** What is said of the last calls of a node's ranks. */
    public static String text(List<String> lines) {
        StringBuilder text = new StringBuilder("brigade: the last calls of the ranks here (brigade.last.calls):\n");
        for (String line : lines) {
            text.append("brigade:   ").append(line).append('\n');
        }
        return text.toString();
    }

    private static void say(Endpoint endpoint, String where, String why) {
        System.err.println("brigade: rank " + endpoint.rank() + " of " + endpoint.size() + ", " + where + ": " + why
            + "; ending the job");
        System.err.flush();
    }

    /** Ends this process and the job because an exception has left the program. Does not return. */
    public static void threw(Endpoint endpoint, String why) {
        end(endpoint, 1, why, true);
    }

    /** Ends this process and the job, as the program wants. Does not return. */
    public static void abort(Endpoint endpoint, int code, String why) {
        endpoint.lastCalls(false); // that nobody else shows them: the program knows why it ends
        end(endpoint, code, why, false);
    }

    private static void end(Endpoint endpoint, int code, String why, boolean shows) {
        String sentence = "rank " + endpoint.rank() + " of " + endpoint.size() + " " + why;
        System.err.println("brigade: " + sentence + "; ending the job");
        System.err.flush();
        endpoint.fail(sentence, code);
        if (shows) {
            showCalls(endpoint);
        }
        halt(code);
    }
}
