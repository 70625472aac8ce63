package org.brigade.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Memory that ranks of a node share: one rank makes a file, all of them map parts of it, then its maker removes the
 * file's name. From then on only the mappings keep it, so that it ends with the processes, however they end.
 */
public interface NodeMemory {
    /** Characters that a name has at most, all of them ASCII. */
    int NAME_LENGTH = 128;

    /** Makes an empty file, and returns its name. */
    String make() throws IOException;

    /** Fills a stretch of the file with zeros, so that a lack of memory shows here. */
    void fill(String name, long from, int bytes) throws IOException;

    /**
     * Maps a stretch of the file.
     *
     * @param fill whether to {@link #fill} it first; false if another rank does
     */
    ByteBuffer map(String name, long from, int bytes, boolean fill) throws IOException;

    /** Removes the name; does nothing if there is none. */
    void removeName(String name);

    /** Gives back the memory of a stretch that nobody uses any more; who reads it then finds zeros. */
    void release(ByteBuffer stretch);

    /** Bytes that are free for such memory, for messages. */
    long free();

    /** Where the memory lies, for messages: {@code /dev/shm}. */
    String place();
}
