package org.brigade.cli.bench;

import java.util.concurrent.atomic.AtomicLong;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Libc;

/**
 * Measures how fast two cores of this machine can do an adapter's work. One core copies from memory into a ring, as a
 * DMA engine would. Another core copies from the ring into memory, as a receiver does. No flow over emulated adapters
 * can be faster, whatever rate they emulate.
 */
final class CopyLimit {
    private static final int RING = 4 << 20;
    private static final int PIECE = 128 << 10;
    private static final int TRIES = 5;

    private final NativeMemory source;
    private final NativeMemory target;
    private final NativeMemory ring = NativeMemory.allocate(RING);
    private final AtomicLong filled = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final int bytes;

    private CopyLimit(int bytes) {
        this.bytes = bytes;
        source = NativeMemory.allocate(bytes);
        target = NativeMemory.allocate(bytes);
    }

    /**
     * GB/s of one message; the best of several tries.
     *
     * @param bytes length of the message, a multiple of 128 KiB
     */
    static double measure(int bytes) {
        CopyLimit limit = new CopyLimit(bytes);
        double best = 0;
        for (int i = 0; i < TRIES; i++) {
            best = Math.max(best, limit.once());
        }
        return best;
    }

    private double once() {
        filled.set(0);
        taken.set(0);
        Thread receiver = new Thread(this::take, "copy-limit");
        receiver.setDaemon(true);
        long begin = System.nanoTime();
        receiver.start();
        for (int at = 0; at < bytes; at += PIECE) {
            await(taken, at + PIECE - RING);
            Libc.copy(ring.address() + at % RING, source.address() + at, PIECE);
            filled.set(at + PIECE);
        }
        await(taken, bytes);
        return bytes / (double) (System.nanoTime() - begin);
    }

    private void take() {
        for (int at = 0; at < bytes; at += PIECE) {
            await(filled, at + PIECE);
            Libc.copy(target.address() + at, ring.address() + at % RING, PIECE);
            taken.set(at + PIECE);
        }
    }

    private static void await(AtomicLong reached, long wanted) {
        for (int turn = 0; reached.get() < wanted; turn++) {
            if (turn < 1000) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }
}
