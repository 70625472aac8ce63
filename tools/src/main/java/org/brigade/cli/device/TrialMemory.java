package org.brigade.cli.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory that a call under trial reads or writes: on a GPU, or off-heap to try the trials themselves. */
public interface TrialMemory extends AutoCloseable {
    /** What an MPI call takes for a buffer that begins at byte {@code offset}. */
    Object at(long offset);

    /** Copies a direct buffer's bytes, from its position to its limit, to byte {@code offset} and behind. */
    void write(long offset, ByteBuffer source);

    /** Fills a direct buffer, from its position to its limit, with the bytes from {@code offset} on. */
    void read(long offset, ByteBuffer target);

    /** Sets all bytes to one value; done when this returns. */
    void fill(byte value);

    @Override
    void close();

    /** @throws IllegalArgumentException for more than a buffer can have */
    static TrialMemory host(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                "a trial needs " + bytes + " bytes of memory in one piece, and 2 GiB are possible; start fewer ranks");
        }
        ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
        return new TrialMemory() {
            @Override
            public Object at(long offset) {
                return memory.slice((int) offset, memory.capacity() - (int) offset).order(ByteOrder.nativeOrder());
            }

            @Override
            public void write(long offset, ByteBuffer source) {
                memory.put((int) offset, source, source.position(), source.remaining());
            }

            @Override
            public void read(long offset, ByteBuffer target) {
                target.put(target.position(), memory, (int) offset, target.remaining());
            }

            @Override
            public void fill(byte value) {
                for (int i = 0; i < memory.capacity(); i++) {
                    memory.put(i, value);
                }
            }

            @Override
            public void close() {
                // The collector's.
            }
        };
    }
}
