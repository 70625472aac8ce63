package org.brigade.window;

import java.nio.Buffer;
import java.util.Arrays;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;
import org.brigade.memory.Region;
import org.brigade.nativ.Libc;

/**
 * The memory of one rank in a window, as far as this process can touch it: stretches of displacements in bytes, each
 * with its buffer. Only a dynamic window has more than one stretch. Nothing outside a stretch is ever touched.
 */
final class TargetMemory {
    private long[] starts = new long[0];
    private long[] ends = new long[0];
    private Object[] buffers = new Object[0];

    /** Memory of one stretch from 0 on. */
    static TargetMemory of(Object buffer, long bytes) {
        TargetMemory memory = new TargetMemory();
        memory.add(0, bytes, buffer);
        return memory;
    }

    void add(long start, long bytes, Object buffer) {
        int n = starts.length;
        starts = Arrays.copyOf(starts, n + 1);
        ends = Arrays.copyOf(ends, n + 1);
        buffers = Arrays.copyOf(buffers, n + 1);
        starts[n] = start;
        ends[n] = start + bytes;
        buffers[n] = buffer;
    }

    /** Takes a stretch out; false if there is none with this buffer. */
    boolean remove(Object buffer) {
        for (int i = 0; i < buffers.length; i++) {
            if (buffers[i] == buffer) {
                int last = buffers.length - 1;
                System.arraycopy(starts, i + 1, starts, i, last - i);
                System.arraycopy(ends, i + 1, ends, i, last - i);
                System.arraycopy(buffers, i + 1, buffers, i, last - i);
                starts = Arrays.copyOf(starts, last);
                ends = Arrays.copyOf(ends, last);
                buffers = Arrays.copyOf(buffers, last);
                return true;
            }
        }
        return false;
    }

    boolean has(Object buffer) {
        for (Object each : buffers) {
            if (each == buffer) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return starts.length == 0;
    }

    /** The address of the first stretch; 0 if there is none, or if it lies on the heap. */
    long address() {
        return buffers.length > 0 && buffers[0] instanceof Buffer buffer && buffer.isDirect() ? Libc.address(buffer)
            : 0;
    }

    /** The displacement behind the last stretch. */
    long end() {
        long end = 0;
        for (long each : ends) {
            end = Math.max(end, each);
        }
        return end;
    }

    /** Whether items at a place lie in one stretch. */
    boolean holds(long at, TypeMap items) {
        return items.size == 0 || stretch(at, items) >= 0;
    }

    private int stretch(long at, TypeMap items) {
        for (int i = 0; i < starts.length; i++) {
            if (at + items.lowest >= starts[i] && at + items.highest <= ends[i]) {
                return i;
            }
        }
        return -1;
    }

    /** Wraps a region around the packed bytes of items that lie here. */
    Region wrap(Region region, long at, TypeMap items) {
        if (items.size == 0) {
            return region.wrap(null, 0);
        }
        int i = stretch(at, items);
        return items.isContiguous() ? region.wrap(buffers[i], at - starts[i])
            : region.wrap(new TypedBuffer(buffers[i], at - starts[i], items), 0);
    }
}
