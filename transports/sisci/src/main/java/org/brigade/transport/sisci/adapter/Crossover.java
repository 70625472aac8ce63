package org.brigade.transport.sisci.adapter;

import org.brigade.memory.NativeMemory;

/**
 * The message size from which on DMA is faster than the processor, and the best size of a transfer. Measured once per
 * process, on the first connection that opens, in memory of the peer that nobody uses yet. This takes a few
 * milliseconds.
 *
 * @param bytes messages of this size and more go by DMA
 * @param transfer bytes of one transfer: where queues overlap, short transfers end sooner; where the adapter runs them
 * one after the other, each costs its start
 */
public record Crossover(long bytes, int transfer) {
    private static final int SMALLEST = 32 << 10;
    private static final int SMALLEST_TRANSFER = 128 << 10;
    /**
     * Used where it cannot be measured. By public figures of Dolphin adapters (kritjo/sisci-perf, 2024), DMA and the
     * processor are equally fast somewhere between 1 and 2 MiB.
     */
    public static final long USUAL = 1 << 20;
    /** Used where there is no DMA. */
    public static final Crossover NEVER = new Crossover(Long.MAX_VALUE, SMALLEST_TRANSFER);

    private static final int TRIES = 3;
    private static final int PATIENCE_MILLIS = 1000;

    private static Crossover known;

    /** @param set the crossover that the user has set, or 0 to measure it */
    public static synchronized Crossover between(long set, Outbox target, DmaChannel[] channels) {
        int longest = SisciSettings.stagingBytes(target.ringBytes);
        if (set > 0) {
            return new Crossover(Math.max(InboxDescriptor.INLINE_BYTES + 1, set), longest);
        }
        if (known == null) {
            try {
                known = measure(target, channels, transfer(target, channels, longest));
            } catch (SisciException e) {
                known = new Crossover(USUAL, longest);
            }
        }
        return known;
    }

    /** The transfer length that fills a ring soonest, or a shorter one that takes at most a twentieth longer. */
    private static int transfer(Outbox target, DmaChannel[] channels, int longest) {
        long best = fastest(target, channels, longest);
        int chosen = longest;
        for (int chunk = longest >> 1; chunk >= SMALLEST_TRANSFER; chunk >>= 1) {
            long time = fastest(target, channels, chunk);
            if (time <= best + best / 20) {
                chosen = chunk;
                best = Math.min(best, time);
            }
        }
        return chosen;
    }

    private static long fastest(Outbox target, DmaChannel[] channels, int chunk) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            best = Math.min(best, byDma(target, channels, target.ringBytes, chunk));
        }
        return best;
    }

    private static Crossover measure(Outbox target, DmaChannel[] channels, int chunk) {
        NativeMemory source = channels[0].staging();
        for (int bytes = SMALLEST; bytes <= target.ringBytes; bytes <<= 1) {
            long dma = Long.MAX_VALUE;
            long copy = Long.MAX_VALUE;
            for (int i = 0; i < TRIES; i++) {
                dma = Math.min(dma, byDma(target, channels, bytes, chunk));
                copy = Math.min(copy, byProcessor(target, source, bytes, chunk));
            }
            if (dma <= copy) {
                return new Crossover(bytes, chunk);
            }
        }
        return new Crossover(2L * target.ringBytes, chunk);
    }

    private static long byDma(Outbox target, DmaChannel[] channels, int bytes, int chunk) {
        int ring = InboxDescriptor.ring(0, target.ringBytes);
        long begin = System.nanoTime();
        int next = 0;
        for (int at = 0; at < bytes; at += chunk, next = (next + 1) % channels.length) {
            channels[next].await(PATIENCE_MILLIS);
            channels[next].staging();
            channels[next].startStaged(target.remote, ring + at, Math.min(chunk, bytes - at));
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
