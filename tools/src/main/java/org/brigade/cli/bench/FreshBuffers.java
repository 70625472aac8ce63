package org.brigade.cli.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffers that rotate. Direct ones are slots of two large buffers, a page and a cache line apart at least, so that
 * small ones do not meet in one set of a cache. Java arrays are of a page at least, for the same reason; only the
 * target of accesses to a window is direct in any case, as its places are in one buffer.
 */
public final class FreshBuffers {
    private static final int PAGE = 4096;
    private static final int LINE = 64;
    private static final int MOST_SLOTS = 16384;
    /** Contents repeat after so many floats. */
    private static final int PATTERN = 97;

    private final long freshBytes;
    private final boolean floats;
    /** The two large buffers. With arrays only the target of accesses, if there is one. */
    private final BenchBuffers whole;
    private final BenchBuffers pattern;

    private FreshBuffers(long freshBytes, boolean floats, BenchBuffers whole, BenchBuffers pattern) {
        this.freshBytes = freshBytes;
        this.floats = floats;
        this.whole = whole;
        this.pattern = pattern;
    }

    /**
     * Direct buffers.
     *
     * @param sendBytes length of the longest message to send
     * @param freshBytes bytes of both sides together over which they rotate; there are two slots at least
     */
    public static FreshBuffers direct(long sendBytes, long recvBytes, long freshBytes) {
        return new FreshBuffers(freshBytes, false,
            BenchBuffers.direct(room(sendBytes, freshBytes), room(recvBytes, freshBytes)),
            BenchBuffers.direct(sendBytes + 4 * PATTERN, 0));
    }

    /**
     * Java arrays.
     *
     * @param floats whether they are of floats; else of bytes
     * @param targetBytes length of the longest access to a window; 0 if there are none
     */
    static FreshBuffers arrays(boolean floats, long sendBytes, long targetBytes, long freshBytes) {
        return new FreshBuffers(freshBytes, floats,
            BenchBuffers.direct(0, targetBytes == 0 ? 0 : room(targetBytes, freshBytes)),
            BenchBuffers.arrays(floats, sendBytes + 4 * PATTERN, 0));
    }

    private boolean areArrays() {
        return !(pattern.send() instanceof ByteBuffer);
    }

    private static long room(long bytes, long freshBytes) {
        return Math.max(2 * stride(bytes), freshBytes / 2);
    }

    private static long stride(long bytes) {
        return (Math.max(bytes, PAGE) + LINE - 1) / LINE * LINE + LINE;
    }

    private static int count(long room, long bytes) {
        return (int) Math.min(MOST_SLOTS, room / stride(bytes));
    }

    /** Slots of this size. Arrays are made anew: keep one size's at a time. */
    BenchBuffers[] slots(long sendBytes, long recvBytes) {
        boolean arrays = areArrays();
        int count = arrays ? Math.min(count(room(sendBytes, freshBytes), sendBytes),
            count(room(recvBytes, freshBytes), recvBytes))
            : Math.min(count(whole.first().capacity(), sendBytes), count(whole.second().capacity(), recvBytes));
        BenchBuffers[] slots = new BenchBuffers[count];
        for (int i = 0; i < slots.length; i++) {
            if (arrays) {
                slots[i] = BenchBuffers.arrays(floats, Math.max(sendBytes, PAGE), Math.max(recvBytes, PAGE));
            } else {
                ByteBuffer send = slice(whole.first(), i, sendBytes);
                ByteBuffer recv = slice(whole.second(), i, recvBytes);
                slots[i] = new BenchBuffers(send, recv, send, recv);
            }
        }
        return slots;
    }

    private static ByteBuffer slice(ByteBuffer all, int slot, long bytes) {
        return all.slice((int) (slot * stride(bytes)), (int) bytes).order(ByteOrder.nativeOrder());
    }

    /** Writes the buffer to send anew; each turn differs from the one before. */
    void rewriteSend(BenchBuffers slot, int turn) {
        int first = turn % PATTERN;
        if (slot.send() instanceof ByteBuffer send) {
            send.put(0, pattern.first(), 4 * first, send.capacity());
        } else if (slot.send() instanceof float[] send) {
            System.arraycopy(pattern.send(), first, send, 0,
                Math.min(send.length, ((float[]) pattern.send()).length - first));
        } else {
            byte[] send = (byte[]) slot.send();
            System.arraycopy(pattern.send(), 4 * first, send, 0,
                Math.min(send.length, ((byte[]) pattern.send()).length - 4 * first));
        }
    }

    // ---- accesses to a window ----

    /** This rank's memory that others access. */
    ByteBuffer target() {
        return whole.second();
    }

    /** How many places of this size are in the target. */
    int places(long bytes) {
        return count(whole.second().capacity(), bytes);
    }

    /** Where a place begins. */
    int place(int number, long bytes) {
        return (int) (number * stride(bytes));
    }

    /** Writes a place anew. */
    void rewriteTarget(int place, int bytes, int turn) {
        if (pattern.send() instanceof ByteBuffer) {
            target().put(place, pattern.first(), 4 * (turn % PATTERN), bytes);
        } else {
            target().put(place, (byte[]) pattern.send(), 4 * (turn % PATTERN), bytes);
        }
    }
}
