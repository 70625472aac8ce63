package org.brigade.management;

/** A rank of a job, as {@code org.brigade:type=Rank,rank=N}. The rank takes no part when it is read. */
public interface RankMXBean {
    /** Calls since MPI.Init, nonblocking ones and the library's own messages included. */
    long getCalls();

    /** The newest call, its communicator, its peer and its bytes, and whether it has returned; empty: none. */
    String getNewestCall();

    /** Bytes of the newest call; -1 if they are not known, or there is none. */
    long getNewestBytes();

    /**
     * In which call it waits, since when and for whom. Empty if it has not waited for long in the last second; the end
     * of a wait shows a second later.
     */
    String getWaitingFor();
}
