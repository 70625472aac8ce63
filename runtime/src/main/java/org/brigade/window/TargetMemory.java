package org.brigade.window;

import java.nio.Buffer;
import java.util.Arrays;
import mpi.spi.DeviceBuffer;
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
    /** What {@link #remove} finds each buffer by. */
    private Object[] keys = new Object[0];

    /** The memory of a window was freed before the window. */
    static final class Freed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Freed(DeviceBuffer buffer) {
            super(buffer + " at 0x" + Long.toHexString(buffer.address) + " was freed");
        }
    }

    /** Memory of one stretch from 0 on. */
    static TargetMemory of(Object buffer, long bytes) {
        TargetMemory memory = new TargetMemory();
        memory.add(0, bytes, buffer, buffer);
        return memory;
    }

    void add(long start, long bytes, Object key, Object buffer) {
        int n = starts.length;
        starts = Arrays.copyOf(starts, n + 1);
        ends = Arrays.copyOf(ends, n + 1);
        buffers = Arrays.copyOf(buffers, n + 1);
        keys = Arrays.copyOf(keys, n + 1);
        keys[n] = key;
        starts[n] = start;
        ends[n] = start + bytes;
        buffers[n] = buffer;
    }

    /** Takes a stretch out; false if there is none with this key. */
    boolean remove(Object key) {
        int i = find(key);
        if (i < 0) {
            return false;
        }
        int last = buffers.length - 1;
        System.arraycopy(starts, i + 1, starts, i, last - i);
        System.arraycopy(ends, i + 1, ends, i, last - i);
        System.arraycopy(buffers, i + 1, buffers, i, last - i);
        System.arraycopy(keys, i + 1, keys, i, last - i);
        starts = Arrays.copyOf(starts, last);
        ends = Arrays.copyOf(ends, last);
        buffers = Arrays.copyOf(buffers, last);
        keys = Arrays.copyOf(keys, last);
        return true;
    }

    boolean has(Object key) {
        return find(key) >= 0;
    }

    /** Two objects for one pointer are equal; so are two buffers of the same content, which are different memory. */
    private int find(Object key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == key || !(key instanceof Buffer) && keys[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }

    /** The address of the first stretch; 0 if there is none, or if it lies on the heap. */
    long address() {
        Object first = buffers.length == 0 ? null : buffers[0];
        return first instanceof DeviceBuffer device ? device.address
            : first instanceof Buffer buffer && buffer.isDirect() ? Libc.address(buffer) : 0;
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

    /** The first buffer that was freed; null if all are there. */
    Freed freed() {
        for (Object each : buffers) {
            if (each instanceof DeviceBuffer device && !device.isAlive()) {
                return new Freed(device);
            }
        }
        return null;
    }

    /**
     * Wraps a region around the packed bytes of items that lie here.
     *
     * @throws Freed if that memory was freed: other memory may lie there now
     */
    Region wrap(Region region, long at, TypeMap items) {
        if (items.size == 0) {
            return region.wrap(null, 0);
        }
        int i = stretch(at, items);
        if (buffers[i] instanceof DeviceBuffer device && !device.isAlive()) {
            throw new Freed(device);
        }
        return items.isContiguous() ? region.wrap(buffers[i], at - starts[i])
            : region.wrap(new TypedBuffer(buffers[i], at - starts[i], items), 0);
    }
}
