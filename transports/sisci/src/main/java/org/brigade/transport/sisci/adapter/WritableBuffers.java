package org.brigade.transport.sisci.adapter;

import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory of direct buffers that is registered with the adapter (SCIRegisterSegmentMemory) as segments, so that peers'
 * DMA can write there. Registering locks pages, which takes about as long as a copy, so a buffer stays registered until
 * others need its place. All whole pages of a buffer are registered at once, as later messages may go elsewhere in it.
 *
 * <p>
 * Buffers are known by weak references: registered memory may be freed. An address whose buffer is gone, or another's,
 * is registered anew.
 */
public final class WritableBuffers {
    public static final int PAGE = 4096;
    private static final int MOST = 32;
    private static final int MOST_REFUSALS = 4;

    /** The whole pages of one buffer. */
    public static final class Target {
        public final int id;
        public final long base;
        private final long end;
        private final long device;
        private final long segment;
        private final WeakReference<Buffer> buffer;
        private int uses;

        private Target(int id, long base, long end, long device, long segment, Buffer buffer) {
            this.id = id;
            this.base = base;
            this.end = end;
            this.device = device;
            this.segment = segment;
            this.buffer = new WeakReference<>(buffer);
        }

        /** Whether it was registered for this very buffer, and not for another view of the same memory. */
        public boolean isOf(Object other) {
            return buffer.get() == other;
        }
    }

    private final Adapter adapter;
    /** In the order of their last use. */
    private final List<Target> targets = new ArrayList<>();
    private int refusals;
    private String refusal;

    public WritableBuffers(Adapter adapter) {
        this.adapter = adapter;
    }

    /**
     * The target that has a range of pages of a buffer's memory; the caller must {@link #release} or {@link #withdraw}
     * it. Null if the adapter does not accept the memory, or a message is arriving in some of it under another
     * registration.
     *
     * @param start address of the buffer's byte 0
     * @param from first page of the range, as an address
     * @param to its end
     */
    public synchronized Target of(Buffer buffer, long start, long from, long to) {
        for (int i = targets.size() - 1; i >= 0; i--) {
            Target each = targets.get(i);
            boolean alive = each.buffer.get() != null;
            if (alive && each.base <= from && to <= each.end) {
                targets.remove(i);
                targets.add(each);
                each.uses++;
                return each;
            }
            if ((!alive || each.base < to && from < each.end) && each.uses == 0) {
                remove(i);
            } else if (each.base < to && from < each.end) {
                return null;
            }
        }
        if (refusals >= MOST_REFUSALS) {
            return null;
        }
        for (int i = 0; i < targets.size() && targets.size() >= MOST; i++) {
            if (targets.get(i).uses == 0) {
                remove(i--);
            }
        }
        Target made = make(buffer, start + PAGE - 1 & -PAGE, start + bytes(buffer) & -PAGE);
        if (made != null) {
            made.uses++;
            targets.add(made);
        }
        return made;
    }

    private Target make(Buffer buffer, long base, long end) {
        long device = 0;
        long segment = 0;
        int[] id = new int[1];
        try {
            device = Sisci.open();
            segment = adapter.createSegment(device, end - base, Sisci.flag("SCI_FLAG_EMPTY"), id);
            Sisci.registerMemory(base, end - base, segment);
            Sisci.prepareSegment(segment, adapter.number, 0);
            Sisci.setAvailable(segment, adapter.number);
            return new Target(id[0], base, end, device, segment, buffer);
        } catch (SisciException e) {
            refusals++;
            refusal = e.getMessage();
            remove(segment, device);
            return null;
        }
    }

    public synchronized void release(Target target) {
        target.uses--;
    }

    /** Ends a target at once: when this returns, nobody writes there. */
    public synchronized void withdraw(Target target) {
        remove(targets.indexOf(target));
    }

    /** Why the adapter last refused memory; null if it never did. */
    public synchronized String refusal() {
        return refusal;
    }

    private void remove(int index) {
        Target target = targets.remove(index);
        remove(target.segment, target.device);
    }

    private void remove(long segment, long device) {
        if (segment != 0) {
            Teardown.run(() -> Sisci.setUnavailable(segment, adapter.number));
            Teardown.run(() -> Sisci.removeSegment(segment, Sisci.flag("SCI_FLAG_FORCE_REMOVE")));
        }
        if (device != 0) {
            Teardown.run(() -> Sisci.close(device));
        }
    }

    public synchronized void close() {
        while (!targets.isEmpty()) {
            remove(targets.size() - 1);
        }
    }

    private static long bytes(Buffer buffer) {
        int shift;
        if (buffer instanceof ByteBuffer) {
            shift = 0;
        } else if (buffer instanceof ShortBuffer || buffer instanceof CharBuffer) {
            shift = 1;
        } else if (buffer instanceof IntBuffer || buffer instanceof FloatBuffer) {
            shift = 2;
        } else if (buffer instanceof LongBuffer || buffer instanceof DoubleBuffer) {
            shift = 3;
        } else {
            throw new IllegalArgumentException("not a buffer: " + buffer);
        }
        return (long) buffer.capacity() << shift;
    }
}
