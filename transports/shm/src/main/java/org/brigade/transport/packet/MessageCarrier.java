package org.brigade.transport.packet;

import org.brigade.memory.NativeMemory;

/**
 * A library that carries messages of bytes between the ranks of a fabric, each pair's in order. Tags from 0 on tell
 * them apart. A request is known by the place of its handle, {@link #REQUEST_BYTES} of native memory; memory and
 * request must stay until {@link #test} is true. Calls throw a {@link CarrierException}. All under {@link #lock}.
 */
public interface MessageCarrier {
    /** How often, in nanoseconds, {@link #seekUnreachable} is called. */
    long TEND_NANOS = 250_000_000;

    /** Room for a request's handle. */
    int REQUEST_BYTES = 8;

    /** Held during every call: one thread at a time calls the library, even if that allows more. */
    Object lock();

    /** The library in sentences: {@code the host's MPI}. */
    String name();

    /** What its settings' names begin with: {@code brigade.mpi}. */
    String settings();

    /** Begins to send bytes. */
    void send(long address, int bytes, int peer, int tag, NativeMemory request, int at);

    /** As {@link #send}, but ends only after the receiver has begun to receive: no messages pile up there. */
    void sendAwaited(long address, int bytes, int peer, int tag, NativeMemory request, int at);

    /** Begins to receive exactly this many bytes from one rank. */
    void receive(long address, int bytes, int peer, int tag, NativeMemory request, int at);

    /** Makes a request that receives up to so many bytes from any rank, each time that {@link #start} is called. */
    void prepare(long address, int bytes, int tag, NativeMemory request, int at);

    /** Starts what {@link #prepare} has made, with the same arguments. */
    void start(long address, int bytes, int tag, NativeMemory request, int at);

    /** Whether a request's operation has ended; lets the library make progress. */
    boolean test(NativeMemory request, int at);

    /** Cancels what {@link #start} began; test it afterwards until it has ended. */
    void cancel(NativeMemory request, int at);

    /** Gives up what {@link #prepare} has made; it is not under way. */
    void free(NativeMemory request, int at);

    /** Whether a started receive that failed may be started again, because the failure was the sender's alone. */
    default boolean receivesOn() {
        return false;
    }

    /**
     * Whether long messages go in pieces from the sender's memory straight into the receiver's ({@link LongPieces}): a
     * receive that waits can be taken back, and a peer can be cut off.
     */
    default boolean carriesLong() {
        return false;
    }

    /** Ends a request of {@link #receive} to which nothing has come yet; false, and no change, if something has. */
    default boolean withdraw(NativeMemory request, int at) {
        return false;
    }

    /** A peer is lost: requests from and to it end with an error, if the library can see to that. */
    default void cut(int peer) {
        // Its requests may stay under way.
    }

    /**
     * What the library has noticed of a peer by itself, without a call for it having failed.
     *
     * @return null if nothing, else what is said after the rank's name: {@code cannot be reached: connection reset}
     */
    default String lost(int peer) {
        return null;
    }

    /** Whether a thread can {@link #sleep} until something comes. */
    default boolean wakes() {
        return false;
    }

    /** Prepares for {@link #sleep}; false if there is something to do already. */
    default boolean arm() {
        return false;
    }

    /** Sleeps up to so long, or until there is something to do. Without the lock; any thread. */
    default void sleep(long nanos) {
    }

    /** How long a peer that a thread waits for may be silent until it is asked for a sign of life. */
    default long askNanos() {
        return 3_000_000_000L;
    }

    /**
     * Called every {@link #TEND_NANOS} while an answer is missing: looks whether the hosts of peers acknowledge what is
     * sent to them, and ends connections on which they do not.
     */
    default void seekUnreachable() {
        // It cannot be told.
    }

    /**
     * Says at the first call that this rank leaves; returns whether all others that it could still hear from have said
     * so, too, or never will.
     *
     * @param met the ranks that anything has gone to or come from; the first {@code count} count
     */
    boolean allLeave(int[] met, int count);

    /** Ends the library's part in this fabric. No request is under way any more, or the library has failed. */
    default void close() {
    }
}
