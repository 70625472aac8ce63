package mpi.spi;

/**
 * Memory for one message whose length the receiver does not know: it is allocated when a message matches the receive.
 */
public final class ArrivingBuffer {
    private byte[] bytes = new byte[0];

    /** Called once, with the message's length; returns the memory for it. */
    public byte[] allocate(long length) {
        bytes = new byte[Math.toIntExact(length)];
        return bytes;
    }

    /** The message, once it has arrived. */
    public byte[] bytes() {
        return bytes;
    }
}
