package org.brigade.cli.verify;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.brigade.cli.device.CudaMemory;

/** Memory that a call under trial reads or writes: on a GPU, or off-heap to try the trials themselves. */
public abstract class TrialMemory implements AutoCloseable {
    /** What a call takes for a buffer that begins at byte {@code offset}. */
    public abstract Object at(long offset);

    /** Copies what remains of a direct buffer to byte {@code offset} and behind. */
    public abstract void write(long offset, ByteBuffer source);

    /** Fills what remains of a direct buffer. */
    public abstract void read(long offset, ByteBuffer target);

    public abstract void fill(byte value);

    @Override
    public abstract void close();

    public static TrialMemory device(long bytes) {
        CudaMemory memory = CudaMemory.allocate(bytes);
        return new TrialMemory() {
            @Override
            public Object at(long offset) {
                return memory.at(offset);
            }

            @Override
            public void write(long offset, ByteBuffer source) {
                memory.write(offset, source);
            }

            @Override
            public void read(long offset, ByteBuffer target) {
                memory.read(offset, target);
            }

            @Override
            public void fill(byte value) {
                memory.fill(value);
            }

            @Override
            public void close() {
                memory.close();
            }
        };
    }

    static TrialMemory host(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
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
