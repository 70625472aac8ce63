package org.brigade.engine;

import org.brigade.transport.Endpoint;

/** The end of a job that cannot go on: says why, once for all ranks where that can be had, and ends this process. */
public final class JobEnd {
    /** Exit code of a rank that ends because another one is lost. */
    public static final int LOST_PEER = 1;

    private JobEnd() {
    }

    /** Ends this process because of a lost peer. Does not return. One that is ending already says nothing: the peers have its own word, and its exit code is that of whoever exits. */
    static void because(Endpoint endpoint, String where, String lost) {
        if (ProcessEnd.hasBegun()) {
            ProcessEnd.await();
        } else {
            System.err.println("brigade: rank " + endpoint.rank() + " of " + endpoint.size() + ", " + where + ": " + lost + "; ending the job");
            System.err.flush();
            endpoint.fail(lost, LOST_PEER);
        }
        // Not our own: the launcher takes the code of whichever rank it sees end first, and Abort's has to be the job's.
        Runtime.getRuntime().halt(endpoint.failureCode());
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
