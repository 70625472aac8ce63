package org.brigade.aggregation.process;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What carries the frames of one connection: an ordered stream of bytes each way. Nothing blocks. One thread at a time.
 */
public interface Carrier {
    /**
     * Whether the way to the other end is there; looks for it where it is not.
     *
     * @throws IOException if there is none, and will be none
     */
    boolean connected() throws IOException;

    /** Who is at the other end, for messages. */
    String peer();

    /**
     * Takes what has come.
     *
     * @return bytes; 0 if nothing is there, -1 if the other end has closed and all has been taken
     * @throws IOException if the other end is lost
     */
    int read(ByteBuffer target) throws IOException;

    /** Sends what there is room for, of the first part first; it may be overwritten when it has been taken. */
    void write(ByteBuffer... parts) throws IOException;

    /** Says whether this end has more to send, and so is to be called when there is room again. */
    void awaitRoom(boolean wanted);

    void close();
}
