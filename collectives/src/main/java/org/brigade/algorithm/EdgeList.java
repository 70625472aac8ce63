package org.brigade.algorithm;

import java.util.Arrays;

/**
 * What one rank sends, or what it receives, in a call whose counts only the two ends of a pair know: blocks that are
 * not empty, of which several may go from one rank to another. Both ends list the blocks of a pair in the same order.
 * Filled in anew for each call; allocates only if there are more edges than before.
 */
public final class EdgeList {
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private int count;
    private int[] peers = new int[DeviceKernel.RANKS];
    private int[] numbers = new int[DeviceKernel.RANKS];
    private long[] at = new long[DeviceKernel.RANKS];
    private long[] bytes = new long[DeviceKernel.RANKS];

    public void clear() {
        count = 0;
    }

    /** Adds the next block to or from a rank; an empty one is left out, as it is at the other end. */
    public void add(int peer, long offset, long length) {
        if (length <= 0 || peer < 0) {
            return;
        }
        if (count == peers.length) {
            peers = Arrays.copyOf(peers, 2 * count);
            numbers = Arrays.copyOf(numbers, 2 * count);
            at = Arrays.copyOf(at, 2 * count);
            bytes = Arrays.copyOf(bytes, 2 * count);
        }
        int number = 0;
        for (int edge = 0; edge < count; edge++) {
            number += peers[edge] == peer ? 1 : 0;
        }
        peers[count] = peer;
        numbers[count] = number;
        at[count] = offset;
        bytes[count] = length;
        count++;
    }

    /**
     * Of each edge of another list a piece.
     *
     * @param skipped bytes of each block before the piece
     * @param step 0: each piece is where it is in its block; else from one piece to the next, from 0 on
     */
    public void pieces(EdgeList whole, long skipped, long length, long step) {
        clear();
        for (int edge = 0; edge < whole.count; edge++) {
            add(whole.peers[edge], step > 0 ? edge * step : whole.at[edge] + skipped, length);
        }
    }

    /** Bytes of this rank's buffer up to the end of the last block. */
    public long end() {
        long end = 0;
        for (int edge = 0; edge < count; edge++) {
            end = Math.max(end, at[edge] + bytes[edge]);
        }
        return end;
    }

    public int count() {
        return count;
    }

    public int peer(int edge) {
        return peers[edge];
    }

    /** The edge's place among those between the same two ranks, from 0 on. */
    public int number(int edge) {
        return numbers[edge];
    }

    /** Where its block begins in this rank's buffer, in bytes. */
    public long at(int edge) {
        return at[edge];
    }

    public long bytes(int edge) {
        return bytes[edge];
    }

    /**
     * A number that stands for these edges: over all ranks, the sum of those sent and of those received is the same if
     * the two ends of all pairs mean the same blocks, and hardly ever else.
     *
     * @param rank whose edges these are
     * @param outgoing whether it sends them
     */
    public long fingerprint(int rank, boolean outgoing) {
        long sum = 0;
        for (int edge = 0; edge < count; edge++) {
            long from = outgoing ? rank : peers[edge];
            long to = outgoing ? peers[edge] : rank;
            sum += mixed(mixed(mixed(mixed(from) + to) + numbers[edge]) + bytes[edge]);
        }
        return sum;
    }

    private static long mixed(long value) {
        long z = (value + SEED) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 29) * 0x94D049BB133111EBL;
        return z ^ z >>> 32;
    }
}
