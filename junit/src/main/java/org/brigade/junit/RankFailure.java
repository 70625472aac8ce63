package org.brigade.junit;

/** Why a test has failed on a rank; its stack trace is that of the rank. */
public final class RankFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    private final int rank;

    RankFailure(int rank, int size, String text, StackTraceElement[] where, Throwable cause) {
        super("rank " + rank + " of " + size + ": " + text, cause);
        this.rank = rank;
        setStackTrace(where);
    }

    public int rank() {
        return rank;
    }
}
