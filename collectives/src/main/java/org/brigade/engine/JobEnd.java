package org.brigade.engine;

import org.brigade.transport.Endpoint;

/** The end of a job that cannot go on: says why, once for all ranks where that can be had, and ends this process. */
public final class JobEnd {
    /**
     * Exit code of a rank that ends because another one is lost; under mpjrun, of one that has found out that the job
     * cannot go on although nobody is.
     */
    public static final int LOST_PEER = 1;
    /**
     * Exit code, under mpjrun, of a rank that ends only because another has: mpjrun looks further for whoever that was,
     * as a process that fails often takes longer to end than those that hear of it. Other launchers take the code of
     * the rank that they see end first, so there it is the failed one's.
     */
    public static final int VICTIM = 86;

    private static final boolean MPJRUN = System.getenv("BRIGADE_LAUNCHER_PID") != null;

    static final String WAITING = "waiting in ";

    private JobEnd() {
    }

    /**
     * Ends this process because of a lost peer. Does not return. One that is ending already says nothing: the peers
     * have its own word, and its exit code is that of whoever exits.
     */
    static void because(Endpoint endpoint, String where, String lost) {
        if (ProcessEnd.hasBegun()) {
            ProcessEnd.await();
            Runtime.getRuntime().halt(endpoint.failureCode());
        }
        say(endpoint, where, lost);
        endpoint.fail(lost, LOST_PEER);
        // Not our own: the launcher takes the code of whichever rank it sees end first, and Abort's has to be the
        // job's.
        Runtime.getRuntime().halt(MPJRUN ? VICTIM : endpoint.failureCode());
    }

    /**
     * Ends this process and with it the job because what it waits for never comes, though all ranks are there. Does not
     * return.
     *
     * @param call what it waits in; the peers, among them the rank that does not do its part, hear who waits
     */
    static void starved(Endpoint endpoint, String call, String why) {
        String over = endpoint.over();
        if (over != null) {
            because(endpoint, WAITING + call, over);
        }
        say(endpoint, WAITING + call, why);
        endpoint.fail("rank " + endpoint.rank() + " waits in " + call + ", but " + why, LOST_PEER);
        Runtime.getRuntime().halt(LOST_PEER);
    }

    private static void say(Endpoint endpoint, String where, String why) {
        System.err.println("brigade: rank " + endpoint.rank() + " of " + endpoint.size() + ", " + where + ": " + why
            + "; ending the job");
        System.err.flush();
    }

    /** Ends this process and with it the job. Does not return. */
    public static void abort(Endpoint endpoint, int code, String why) {
        String sentence = "rank " + endpoint.rank() + " of " + endpoint.size() + " " + why;
        System.err.println("brigade: " + sentence + "; ending the job");
        System.err.flush();
        endpoint.fail(sentence, code);
        Runtime.getRuntime().halt(code);
    }
}
