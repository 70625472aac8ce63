package org.brigade.aggregation.process;

import java.util.Arrays;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationType;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;

/**
 * The slots of one group in one aggregator: what a reducing switch does. A sequence number belongs to slot
 * {@code number modulo slots}, and each slot has two generations (SwitchML's version bit): the newer is being summed,
 * the older is kept for members that have not received it. A member contributes number n + slots only when it has the
 * sum of n, so when the newer generation is complete, no member needs the older.
 *
 * <p>
 * Packets may be lost, duplicated, delayed and reordered. A bitmap records who has contributed. A member that
 * contributes again to a finished sum gets the sum again. Numbers older than both generations are ignored; packets
 * carry the whole number, not just the bit. Contributions are added in the order of the children, whatever their order
 * of arrival, so that the same input gives the same bits in every run: early ones wait in memory of their own.
 *
 * <p>
 * Source: Sapio and others, "Scaling distributed machine learning with in-network aggregation" (SwitchML), NSDI 2021,
 * algorithms 3 and 4; the order of summation and whole numbers are ours. Uses no clock and no network. One thread.
 */
public final class SlotSwitch {
    /** Sends packets. Payloads stay unchanged until the receiver has them. */
    public interface Ports {
        void result(int child, int sequence, AggregationType type, Operator operator, NativeMemory sums, int at,
            int bytes);

        /** To the parent aggregator; never called at a root. */
        void contribute(int sequence, AggregationType type, Operator operator, NativeMemory sums, int at, int bytes);
    }

    /** A packet that violates the protocol, or contradicts the packets of others. */
    public static final class Violation extends Exception {
        private static final long serialVersionUID = 1;

        Violation(String what) {
            super(what);
        }
    }

    private static final AggregationType[] TYPES = AggregationType.values();
    private static final Operator[] OPERATORS = Operator.values();

    private final int children;
    private final int slots;
    private final int payload;
    private final boolean root;
    private final Ports ports;

    private final NativeMemory sums;
    private final Region sumRegion;
    /** By child: a stretch of payload bytes for each slot; null until its first early contribution. */
    private final NativeMemory[] early;
    private final Combiner[] combiners = new Combiner[TYPES.length * OPERATORS.length];

    // By slot: the newer of its generations, 0 or 1.
    private final int[] newer;
    // By generation: 2 slot, and 2 slot + 1.
    private final int[] sequences;
    private final long[][] seen;
    /** By generation: children whose contributions have been added: the first so many. */
    private final int[] summed;
    private final boolean[] whole;
    private final int[] lengths;
    private final AggregationType[] types;
    private final Operator[] operators;

    /** @param slots a power of two */
    public SlotSwitch(int children, int slots, int payload, boolean root, Ports ports) {
        this.children = children;
        this.slots = slots;
        this.payload = payload;
        this.root = root;
        this.ports = ports;
        sums = NativeMemory.allocate(2 * slots * payload);
        sumRegion = Region.of(sums);
        early = new NativeMemory[children];
        newer = new int[slots];
        sequences = new int[2 * slots];
        seen = new long[2 * slots][(children + Long.SIZE - 1) / Long.SIZE];
        summed = new int[2 * slots];
        whole = new boolean[2 * slots];
        lengths = new int[2 * slots];
        types = new AggregationType[2 * slots];
        operators = new Operator[2 * slots];
        for (int slot = 0; slot < slots; slot++) {
            // As if numbers below 0 had been summed, without bytes.
            for (int generation = 2 * slot; generation < 2 * slot + 2; generation++) {
                sequences[generation] = slot - (generation == 2 * slot ? slots : 2 * slots);
                Arrays.fill(seen[generation], -1L);
                whole[generation] = true;
            }
        }
    }

    /** Most bytes that a group with this many children takes. */
    public static long bytes(int children, int slots, int payload) {
        return (long) slots * payload * (2 + Math.max(0, children - 1));
    }

    /** A child's contribution has arrived. Its bytes may be overwritten afterwards; its position is a multiple of 8. */
    public void contribution(int child, int sequence, int typeCode, int operatorCode, NativeMemory from, int at,
        int bytes) throws Violation {
        int slot = sequence & slots - 1;
        int generation = 2 * slot + newer[slot];
        int ahead = sequence - sequences[generation];
        if (ahead == -slots) {
            generation ^= 1;
        } else if (ahead < 0) {
            return; // superseded long ago
        } else if (ahead == slots) {
            if (!whole[generation]) {
                throw new Violation("child " + child + " contributes number " + sequence + " before number "
                    + sequences[generation] + " of the same slot was summed");
            }
            generation ^= 1;
            newer[slot] ^= 1;
            begin(generation, sequence);
        } else if (ahead != 0) {
            throw new Violation(
                "child " + child + " contributes number " + sequence + ", " + ahead + " ahead of its slot");
        }
        if ((seen[generation][child >> 6] >> child & 1) != 0) {
            if (whole[generation] && lengths[generation] > 0) {
                answer(generation, child);
            }
            return;
        }
        check(generation, child, typeCode, operatorCode, bytes);
        seen[generation][child >> 6] |= 1L << child;
        if (child == summed[generation]) {
            add(generation, from, at);
            for (int next = summed[generation]; next < children
                && (seen[generation][next >> 6] >> next & 1) != 0; next++) {
                add(generation, early[next], slot * payload);
            }
            if (summed[generation] == children) {
                complete(generation);
            }
        } else {
            if (early[child] == null) {
                early[child] = NativeMemory.allocate(slots * payload);
            }
            early[child].bytes.put(slot * payload, from.bytes, at, bytes);
        }
    }

    private void begin(int generation, int sequence) {
        sequences[generation] = sequence;
        Arrays.fill(seen[generation], 0);
        summed[generation] = 0;
        whole[generation] = false;
        lengths[generation] = 0;
    }

    private void check(int generation, int child, int typeCode, int operatorCode, int bytes) throws Violation {
        AggregationType type = AggregationType.of(typeCode);
        if (type == null || type.layout == null || operatorCode < 0 || operatorCode > Operator.MINLOC.ordinal()
            || bytes < 1 || bytes > payload || bytes % type.bytes != 0
            || combiner(type, OPERATORS[operatorCode]) == null) {
            throw new Violation("child " + child + " contributes " + bytes + " bytes of type " + typeCode
                + " for operation " + operatorCode + ", which is impossible");
        }
        if (lengths[generation] == 0) {
            lengths[generation] = bytes;
            types[generation] = type;
            operators[generation] = OPERATORS[operatorCode];
        } else if (lengths[generation] != bytes || types[generation] != type
            || operators[generation].ordinal() != operatorCode) {
            throw new Violation("child " + child + " contributes " + bytes + " bytes of " + type + " to "
                + OPERATORS[operatorCode] + " where others contribute " + lengths[generation]
                + " of " + types[generation] + " to " + operators[generation]
                + ": the ranks called with different counts, types or operations");
        }
    }

    /** Null if the operation is not defined on the type. */
    private Combiner combiner(AggregationType type, Operator operator) {
        int index = type.ordinal() * OPERATORS.length + operator.ordinal();
        if (combiners[index] == null && serves(type, operator)) {
            combiners[index] = Combiners.of(type.layout, Reduction.predefined(operator), false);
        }
        return combiners[index];
    }

    /** Whether this aggregator reduces a type by an operation: elementwise ones, so no pairs. */
    static boolean serves(AggregationType type, Operator operator) {
        return type.layout != null && operator.ordinal() < Operator.MAXLOC.ordinal()
            && Combiners.supports(type.layout, Reduction.predefined(operator));
    }

    private void add(int generation, NativeMemory from, int at) {
        int place = generation * payload;
        if (summed[generation]++ == 0) {
            sums.bytes.put(place, from.bytes, at, lengths[generation]);
        } else {
            combiner(types[generation], operators[generation]).combine(from, at, lengths[generation], sumRegion, place,
                sumRegion, place);
        }
    }

    private void complete(int generation) {
        if (root) {
            answerAll(generation);
        } else {
            ports.contribute(sequences[generation], types[generation], operators[generation], sums,
                generation * payload, lengths[generation]);
        }
    }

    /** The sum of a number has come from the parent. Returns whether it was awaited: false for a duplicate. */
    public boolean result(int sequence, NativeMemory from, int at, int bytes) throws Violation {
        int slot = sequence & slots - 1;
        int generation = 2 * slot + newer[slot];
        if (sequences[generation] != sequence || whole[generation] || summed[generation] < children) {
            return false;
        }
        if (bytes != lengths[generation]) {
            throw new Violation(
                "number " + sequence + " went up with " + lengths[generation] + " bytes and came down with " + bytes);
        }
        sums.bytes.put(generation * payload, from.bytes, at, bytes);
        answerAll(generation);
        return true;
    }

    private void answerAll(int generation) {
        whole[generation] = true;
        for (int child = 0; child < children; child++) {
            answer(generation, child);
        }
    }

    private void answer(int generation, int child) {
        ports.result(child, sequences[generation], types[generation], operators[generation], sums, generation * payload,
            lengths[generation]);
    }
}
