package org.brigade.cli.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Direct buffers that rotate: slots of two large ones. Slots are a page and a cache line apart at least, so that small
 * ones do not meet in one set of a cache.
 */
final class FreshBuffers {
    private static final int PAGE = 4096;
    private static final int LINE = 64;
    private static final int MOST_SLOTS = 16384;
    /** Contents repeat after so many floats. */
    private static final int PATTERN = 97;

    private final BenchBuffers whole;
    private final ByteBuffer pattern;

    /**
     * @param sendBytes length of the longest message to send
     * @param freshBytes bytes of both sides together over which they rotate; there are two slots at least
     */
    FreshBuffers(long sendBytes, long recvBytes, long freshBytes) {
        whole = BenchBuffers.direct(room(sendBytes, freshBytes), room(recvBytes, freshBytes));
        pattern = BenchBuffers.direct(sendBytes + 4 * PATTERN, 0).first();
    }

    private static long room(long bytes, long freshBytes) {
        return Math.max(2 * stride(bytes), freshBytes / 2);
    }

    private static long stride(long bytes) {
        return (Math.max(bytes, PAGE) + LINE - 1) / LINE * LINE + LINE;
    }

    /** Slots of this size. */
    BenchBuffers[] slots(long sendBytes, long recvBytes) {
        long count = Math.min(whole.first().capacity() / stride(sendBytes),
            whole.second().capacity() / stride(recvBytes));
        BenchBuffers[] slots = new BenchBuffers[(int) Math.min(MOST_SLOTS, count)];
        for (int i = 0; i < slots.length; i++) {
            ByteBuffer send = slice(whole.first(), i, sendBytes);
            ByteBuffer recv = slice(whole.second(), i, recvBytes);
            slots[i] = new BenchBuffers(send, recv, send, recv);
        }
        return slots;
    }

    private static ByteBuffer slice(ByteBuffer all, int slot, long bytes) {
        return all.slice((int) (slot * stride(bytes)), (int) bytes).order(ByteOrder.nativeOrder());
    }

    /** Writes the buffer to send anew; each turn differs from the one before. */
    void rewrite(BenchBuffers slot, int turn) {
        slot.first().put(0, pattern, 4 * (turn % PATTERN), slot.first().capacity());
    }
}
