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

    /**
     * Called by the provider of a probe, after {@link #fill}.
     *
     * @param elements basic elements that the sender's call has sent, or objects
     */
    public void fillSent(long elements, boolean objects) {
        // Of interest to the user's status only.
    }

    /** Bytes that have arrived. */
    public final long bytes() {
        return bytes;
    }
}
