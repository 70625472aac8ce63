package mpi.spi;

/** What a receive or a probe found out about a message. The provider fills it in; {@link mpi.Status} extends it. */
public class Envelope {
    /** Rank of the sender in the communicator of the call. */
    public int source;
    /** The message's tag. */
    public int tag;
    /** Bytes that have arrived; for a probe, bytes that would arrive. */
    protected long bytes;
    /** Whether the operation was cancelled. */
    protected boolean cancelled;

    /** Called by the provider. */
    public final void fill(int source, int tag, long bytes, boolean cancelled) {
        this.source = source;
        this.tag = tag;
        this.bytes = bytes;
        this.cancelled = cancelled;
    }

    /** Bytes that have arrived. */
    public final long bytes() {
        return bytes;
    }
}
