package mpi.spi;

/**
 * What stands below package {@code mpi}: the only way down. Found by {@link java.util.ServiceLoader}; there is one.
 *
 * <p>
 * Package {@code mpi} has checked its arguments before it calls (state, null, counts, ranks, roots, tags, types against
 * buffers, bounds); errors that only show below (truncation, a dead peer) come up as {@link mpi.MPIException}.
 */
public interface Provider {
    /** Joins the job. Called once. */
    void init();

    /** Leaves the job: collective, waits for what is still under way. Called once, after init. */
    void finish();

    /** Ends the whole job with this exit code; does not return. */
    void abort(int code, String why);

    /** The communicator of all ranks. */
    Communicator world();

    /** The communicator of this rank alone. */
    Communicator self();

    /** Gives {@link SendMode#BUFFERED} sends this many bytes to keep messages in. */
    void attachBuffer(long bytes);

    /** Waits until all buffered sends have been delivered, then takes their space away. */
    void detachBuffer();

    /**
     * Waits until at least one of the first {@code n} operations is complete and returns its index; nulls are skipped.
     * All null: -1.
     */
    int awaitAny(Operation[] operations, int n);

    /** Folds one value into another outside any communicator: {@code inout = in op inout}. Offsets in bytes. */
    void reduceLocal(Object in, long inOffset, Object inout, long inoutOffset, int count, TypeLayout type,
        Reduction op);

    /**
     * What a buffer that is neither an array nor an NIO buffer stands for: a {@link DeviceBuffer}, the array or NIO
     * buffer that a pointer object wraps, or null if it is nothing that is known here.
     *
     * @throws IllegalArgumentException for a pointer that leads nowhere; its message says what is wrong and the cure,
     * to stand behind "sendbuf "
     */
    Object underlying(Object buffer);

    /** This machine's name. */
    String processorName();
}
