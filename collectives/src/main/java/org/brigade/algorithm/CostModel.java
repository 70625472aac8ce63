package org.brigade.algorithm;

import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.Wires;

/**
 * The terms of the algorithms' {@linkplain Algorithm#cost costs} where no two messages share a link: a message of m
 * bytes takes {@code ts + m / B}. On device memory ts is a launch. Reducing while receiving costs nothing extra. A rank
 * of a tree serves its children one after another. Good for ratios, not for times.
 */
public final class CostModel {
    /** Shorter windows cost more in extra steps than their overlap saves. */
    private static final double LEAST_WINDOW = 4 << 10;
    /** Longer windows gain nothing, and do not fit caches and staging areas. */
    private static final double MOST_WINDOW = 4 << 20;

    private final double start;
    private final double perByte;

    /** @param latencyNanos ts; @param gigabytesPerSecond B */
    public CostModel(double latencyNanos, double gigabytesPerSecond) {
        start = latencyNanos;
        perByte = 1 / gigabytesPerSecond;
    }

    /** ts: nanoseconds of an empty message, or of a launch. */
    public double start() {
        return start;
    }

    /** Nanoseconds of the bytes alone: m / B. */
    public double transfer(double bytes) {
        return bytes * perByte;
    }

    /** {@code ts + m / B}. */
    public double message(double bytes) {
        return start + bytes * perByte;
    }

    /**
     * Equation (5) of Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), {@code
     * (M/C + h - 1)(ts + C/B)}, with the windows counted in whole.
     *
     * @param hops h: ranks that a window passes one after another
     * @param messages how many times the bytes of a window the busiest rank sends
     * @param chunk C; 0: one window
     */
    public double pipeline(int hops, double messages, long bytes, long chunk) {
        double window = chunk == 0 || chunk > bytes ? bytes : chunk;
        return windows(bytes, chunk) * (start + messages * window * perByte) + (hops - 1) * (start + window * perByte);
    }

    /** {@link #pipeline} of two halves at once that share the ranks' ports: a window is no longer than a half. */
    public double opposite(int hops, long bytes, long chunk) {
        long half = (bytes + 1) / 2;
        return pipeline(hops, 1, bytes, chunk == 0 ? half : Math.min(half, chunk));
    }

    /**
     * The window that makes a pipeline fastest: the C at which {@link #pipeline} is least, {@code sqrt(M ts B/(h -
     * 1))}, rounded to a power of two and kept within 4 KiB and 4 MiB.
     *
     * @param hops {@link Algorithm#hops}
     * @return bytes; 0 if there are no hops, when the model does not apply
     */
    public long bestChunk(int hops, long bytes) {
        if (hops == 0) {
            return 0;
        }
        double best = hops == 1 ? MOST_WINDOW : Math.sqrt(bytes * start / perByte / (hops - 1));
        double within = Math.max(LEAST_WINDOW, Math.min(MOST_WINDOW, best));
        long power = Long.highestOneBit((long) within);
        return within / power > Math.sqrt(2) ? 2 * power : power;
    }

    /** Number of windows that the bytes are cut into. */
    public static double windows(long bytes, long chunk) {
        return chunk == 0 || bytes <= chunk ? 1 : Math.ceil((double) bytes / chunk);
    }

    public static int floorLog(int ranks) {
        return 31 - Integer.numberOfLeadingZeros(ranks);
    }

    /** Rounds of a tree: the least k with radix^k >= ranks. */
    public static int rounds(int ranks, int radix) {
        int rounds = 0;
        for (long reached = 1; reached < ranks; reached *= radix) {
            rounds++;
        }
        return rounds;
    }

    /** Messages one after another down a k-nomial tree. */
    public static int treeMessages(int ranks, int radix) {
        return (Math.min(radix, ranks) - 1) * rounds(ranks, radix);
    }

    /** Messages one after another down the trees of all levels. */
    public static int treeMessages(int ranks, int radix, Wires wires) {
        Hierarchy hierarchy = wires.hierarchy(ranks);
        int messages = 0;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            messages += treeMessages(hierarchy.most(level), radix);
        }
        return messages;
    }
}
