package mpi.spi;

import java.nio.ByteBuffer;

/**
 * The implementation below package {@code mpi}, found by {@link java.util.ServiceLoader}; there is one.
 *
 * <p>
 * Package {@code mpi} checks its arguments first (state, null, counts, ranks, roots, tags, types against buffers,
 * bounds). Errors that only the implementation can find (truncation, a dead peer) are thrown as
 * {@link mpi.MPIException}.
 */
public interface Provider {
    /** Joins the job. Called once. */
    void init();

    /** Leaves the job: collective, completes all operations. Called once, after init. */
    void finish();

    /** Ends the whole job with this exit code; does not return. */
    void abort(int code, String why);

    /** The communicator of all ranks. */
    Communicator world();

    /** The communicator of this rank alone. */
    Communicator self();

    /** Gives {@link SendMode#BUFFERED} sends this many bytes for their messages. */
    void attachBuffer(long bytes);

    /** Waits until all buffered sends have been delivered, then removes their room. */
    void detachBuffer();

    /**
     * Waits until at least one of the first {@code n} operations is complete and returns its index; skips nulls.
     * Returns -1 if all are null. If an operation has failed, sets its entry to null and throws its failure.
     */
    int awaitAny(Operation[] operations, int n);

    /** Reduces within this process: {@code inout = in op inout}. Offsets in bytes. */
    void reduceLocal(Object in, long inOffset, Object inout, long inoutOffset, int count, TypeLayout type,
        Reduction op);

    /**
     * The memory of a buffer that is neither an array nor an NIO buffer: a {@link DeviceBuffer}, the array or NIO
     * buffer that a pointer object wraps, or null if the object is unknown.
     *
     * @throws IllegalArgumentException for an invalid pointer; its message continues the sentence "sendbuf ", with the
     * cure
     */
    Object underlying(Object buffer);

    /**
     * A zeroed direct buffer in memory that other ranks of the node can map; null if there is none, and other memory
     * will do.
     */
    ByteBuffer mappable(int bytes);

    /** The value of a setting; null if the user has not set it. */
    String setting(String name);

    /** The value of a setting that is a number; its default if the user has not set it. */
    long limit(String name);

    /** Ports and published names. */
    PortNames ports();

    /** The communicator to the processes that have spawned this job; null if none have. */
    InterCommunicator parent();

    /** Which command of a spawn has started this process; 0 if none has. */
    int applicationNumber();

    /** How many processes this job and those that it spawns can have in all without sharing processors. */
    int universeSize();

    /** This machine's name. */
    String processorName();
}
