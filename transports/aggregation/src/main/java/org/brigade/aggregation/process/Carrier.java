package org.brigade.aggregation.process;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Carries the frames of one connection: an ordered stream of bytes each way. Nothing blocks. One thread at a time. */
public interface Carrier {
    /**
     * Whether the connection exists; makes progress with connecting.
     *
     * @throws IOException if it does not exist and cannot be made
     */
    boolean connected() throws IOException;

    /** Name of the other end, for messages. */
    String peer();

    /**
     * Reads available bytes.
     *
     * @return number of bytes; 0 if none are available, -1 if the other end has closed and all has been read
     * @throws IOException if the other end is lost
     */
    int read(ByteBuffer target) throws IOException;

    /** Sends as much as there is room for, the first part first. What has been taken may be overwritten. */
    void write(ByteBuffer... parts) throws IOException;

    /** Says whether this end has more to send, and wants to be called when there is room again. */
    void awaitRoom(boolean wanted);

    void close();
}
