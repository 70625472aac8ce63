package mpi.spi.window;

import java.nio.ByteBuffer;
import mpi.spi.Operation;

/**
 * One rank's end of a window: memory of each rank that the others read and write. Calls throw the MPIException of a
 * call that is not allowed now (ERR_RMA_SYNC), of memory outside the window (ERR_RMA_RANGE), or of a lost rank.
 */
public interface WindowEnd {
    /** The memory of a rank if this process can reach it by address; else null. */
    ByteBuffer memory(int rank);

    /** Bytes of this rank's memory. */
    long bytes();

    /** The address of this rank's memory; 0 if it has none. */
    long address();

    /** Begins an access; null if it is complete. Otherwise the calls below complete it too. */
    Operation access(Access access);

    // ---- active targets ----

    /** Collective: completes all accesses of all ranks, and lets the next begin unless the last flag is set. */
    void fence(boolean nothingBefore, boolean nothingAfter);

    /** Lets these ranks, none of them twice, access this rank's memory. */
    void post(int[] origins);

    /** Waits until these ranks have posted. */
    void start(int[] targets);

    /** Completes this rank's accesses since {@link #start}. */
    void complete();

    /** Waits until the ranks that may access this rank's memory have completed. */
    void await();

    /** As {@link #await}, without waiting; true if it has ended. */
    boolean test();

    // ---- passive targets ----

    /** @param check false if no conflicting lock can be held, so that none need be taken */
    void lock(int target, boolean exclusive, boolean check);

    void unlock(int target);

    void lockAll(boolean check);

    void unlockAll();

    /**
     * Completes this rank's accesses to a target, or to all.
     *
     * @param call the user's call, for messages
     * @param target -1 for all
     */
    void flush(String call, int target);

    /** Orders this rank's own loads and stores and those of others. */
    void sync();

    // ---- memory ----

    /**
     * Adds a buffer to the memory of a dynamic window.
     *
     * @param given the caller's object, by which {@link #detach} finds the buffer
     * @param buffer what it leads to
     */
    void attach(Object given, Object buffer, long bytes);

    /** Takes a buffer back. */
    void detach(Object given);

    /** Collective: ends the window. */
    void free();

    // ---- name and errors ----

    /** The name, for messages. */
    String name();

    void rename(String name);

    /** Whether the loss of a rank is an error of calls, else of the job. */
    void returnErrors(boolean wish);

    /** Notes that a call of the program has thrown before it came here. */
    void threw(String call);
}
