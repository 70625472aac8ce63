package org.brigade.aggregation.process;

import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationType;
import org.brigade.memory.NativeMemory;

/**
 * Contributions to the parent without an answer, by slot. If packets can get lost, they are repeated, ever more seldom,
 * as the cause is mostly a slow member; duplicates do no harm. One thread.
 */
public final class Unanswered {
    /** Sends contributions. */
    public interface Port {
        void contribute(int sequence, AggregationType type, Operator operator, NativeMemory memory, int at, int bytes);
    }

    static final long FIRST_NANOS = 5_000_000;
    static final long MOST_NANOS = 200_000_000;

    private final int slots;
    private final boolean lossy;
    private final Port port;
    private final boolean[] open;
    private final int[] sequences;
    private final AggregationType[] types;
    private final Operator[] operators;
    private final NativeMemory[] memories;
    private final int[] places;
    private final int[] lengths;
    private final long[] next;
    private final long[] intervals;
    private int count;

    /** @param slots a power of two */
    public Unanswered(int slots, boolean lossy, Port port) {
        this.slots = slots;
        this.lossy = lossy;
        this.port = port;
        open = new boolean[slots];
        sequences = new int[slots];
        types = new AggregationType[slots];
        operators = new Operator[slots];
        memories = new NativeMemory[slots];
        places = new int[slots];
        lengths = new int[slots];
        next = new long[slots];
        intervals = new long[slots];
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Contributes; the slot's previous number has been answered. */
    public void contribute(int sequence, AggregationType type, Operator operator, NativeMemory memory, int at,
        int bytes, long now) {
        int slot = sequence & slots - 1;
        if (open[slot]) {
            throw new IllegalStateException(
                "number " + sequence + " before number " + sequences[slot] + " was answered");
        }
        open[slot] = true;
        sequences[slot] = sequence;
        types[slot] = type;
        operators[slot] = operator;
        memories[slot] = memory;
        places[slot] = at;
        lengths[slot] = bytes;
        intervals[slot] = FIRST_NANOS;
        next[slot] = now + FIRST_NANOS;
        count++;
        port.contribute(sequence, type, operator, memory, at, bytes);
    }

    /** Bytes that the answer to a number must have; -1 if it is not awaited, as it came before. */
    public int awaited(int sequence) {
        int slot = sequence & slots - 1;
        return open[slot] && sequences[slot] == sequence ? lengths[slot] : -1;
    }

    public void answered(int sequence) {
        open[sequence & slots - 1] = false;
        count--;
    }

    /** Repeats contributions that are due. */
    public void tick(long now) {
        if (!lossy || count == 0) {
            return;
        }
        for (int slot = 0; slot < slots; slot++) {
            if (open[slot] && now - next[slot] >= 0) {
                intervals[slot] = Math.min(2 * intervals[slot], MOST_NANOS);
                next[slot] = now + intervals[slot];
                port.contribute(sequences[slot], types[slot], operators[slot], memories[slot], places[slot],
                    lengths[slot]);
            }
        }
    }
}
