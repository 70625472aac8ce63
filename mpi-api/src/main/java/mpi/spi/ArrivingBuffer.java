package mpi.spi;

/**
 * Memory for one message whose length the receiver does not know: it is allocated when a message matches the receive.
 */
public final class ArrivingBuffer {
    /** Longest array that every JVM can make. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private long[] words = new long[0];

    /**
     * Called once, with the message's length in bytes; returns the memory for it.
     *
     * @throws OutOfMemoryError if there is none
     */
    public long[] allocate(long length) {
        long needed = length + Long.BYTES - 1 >> 3;
        if (needed > LONGEST) {
            throw new OutOfMemoryError("an array of " + needed + " longs");
        }
        words = new long[(int) needed];
        return words;
    }

    /** The message, once it has arrived: eight bytes in each long, in the order of memory. */
    public long[] words() {
        return words;
    }
}
