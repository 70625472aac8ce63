package org.brigade.management;

/** A rank of a job, as {@code org.brigade:type=Rank,rank=N}. The rank takes no part when it is read. */
public interface RankMXBean {
    /** Calls since MPI.Init, nonblocking ones and the library's own messages included. */
    long getCalls();

    /**
     * Bytes of these calls but receives, whose senders count them. A collective counts its vector or its block; the
     * last seven short calls may be missing.
     */
    long getBytes();

    /** The newest call, its communicator, its peer and its bytes, and whether it has returned; empty: none. */
    String getNewestCall();

    /** Bytes of the newest call; -1 if they are not known, or there is none. */
    long getNewestBytes();

    /** The algorithm that ran the newest call; empty if that is no collective, or none has run it yet. */
    String getNewestAlgorithm();

    /**
     * In which call it waits, since when and for whom. Empty if it has not waited for long in the last second; the end
     * of a wait shows a second later.
     */
    String getWaitingFor();
}
