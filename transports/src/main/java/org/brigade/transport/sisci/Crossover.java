package org.brigade.transport.sisci;

import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Sisci;
import org.brigade.nativ.SisciException;

/**
 * From how many bytes on DMA is faster than the processor. Measured once a process, on the first connection that opens, on memory of the peer that nobody uses yet; a few milliseconds.
 */
final class Crossover {
    /** Where it cannot be measured: public figures of Dolphin adapters (kritjo/sisci-perf, 2024) have the two meet between 1 and 2 MiB. */
    static final long USUAL = 1 << 20;

    private static final int SMALLEST = 32 << 10;
    private static final int TRIES = 3;
    private static final int PATIENCE_MILLIS = 1000;

    private static long known;

    private Crossover() {
    }

    static synchronized long between(long set, Outbox target, DmaChannel[] channels) {
        if (set > 0) {
            return Math.max(InboxDescriptor.INLINE_BYTES + 1, set);
        }
        if (known == 0) {
            try {
                known = measure(target, channels);
            } catch (SisciException e) {
                known = USUAL;
            }
        }
        return known;
    }

    /** What was measured; 0 if nothing was yet. */
    static synchronized long known() {
        return known;
    }

    private static long measure(Outbox target, DmaChannel[] channels) {
        int chunk = SisciSettings.stagingBytes(target.ringBytes);
        NativeMemory source = channels[0].staging();
        for (int bytes = SMALLEST; bytes <= target.ringBytes; bytes <<= 1) {
            long dma = Long.MAX_VALUE;
            long copy = Long.MAX_VALUE;
            for (int i = 0; i < TRIES; i++) {
                dma = Math.min(dma, byDma(target, channels, bytes, chunk));
                copy = Math.min(copy, byProcessor(target, source, bytes, chunk));
            }
            if (dma <= copy) {
                return bytes;
            }
        }
        return 2L * target.ringBytes;
    }

    private static long byDma(Outbox target, DmaChannel[] channels, int bytes, int chunk) {
        int ring = InboxDescriptor.ring(0, target.ringBytes);
        long begin = System.nanoTime();
        int next = 0;
        for (int at = 0; at < bytes; at += chunk, next = (next + 1) % channels.length) {
            channels[next].await(PATIENCE_MILLIS);
            channels[next].staging();
            channels[next].startStaged(ring + at, Math.min(chunk, bytes - at));
        }
        for (DmaChannel channel : channels) {
            int state = channel.await(PATIENCE_MILLIS);
            if (state != Sisci.DMA_DONE && state != Sisci.DMA_IDLE) {
                throw SisciException.of("SCIStartDmaTransfer", SisciException.TRANSFER_FAILED);
            }
        }
        return System.nanoTime() - begin;
    }

    private static long byProcessor(Outbox target, NativeMemory source, int bytes, int chunk) {
        int ring = InboxDescriptor.ring(0, target.ringBytes);
        long begin = System.nanoTime();
        for (int at = 0; at < bytes; at += chunk) {
            target.copy(source.address(), ring + at, Math.min(chunk, bytes - at));
        }
        if (target.check() != Sisci.SEQUENCE_OK) {
            throw SisciException.of("SCICheckSequence", SisciException.TRANSFER_FAILED);
        }
        return System.nanoTime() - begin;
    }
}
