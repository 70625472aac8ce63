package org.brigade.op;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.CompiledReductions;

/**
 * A reduction of one operation on one type, applied to bytes as they arrive. It owns scratch arrays: one thread at a
 * time. Made by {@link Combiners}.
 */
public interface Combiner {
    /**
     * Long stretches are reduced in pieces of this many bytes: the arrived values, operands and results of one piece
     * stay in a first-level cache of 32 KiB.
     */
    int PIECE_BYTES = 8 << 10;

    /**
     * {@code target[i] = operand[i] op incoming[i]} for every element of the stretch, or with the incoming value on the
     * left if the combiner was made so.
     *
     * @param incoming where the arrived bytes are
     * @param incomingAt their position, a multiple of 8
     * @param bytes how many, a multiple of {@link #itemBytes}
     */
    void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target,
        long targetAt);

    /**
     * Bytes that must arrive together: one element for elementwise operations, both halves of a complex number or of a
     * value and its index, and one item of the datatype for a user's function.
     */
    int itemBytes();

    /** The number of the compiled loop that does the same, of {@link CompiledReductions#number}; NONE if none does. */
    default int compiled() {
        return CompiledReductions.NONE;
    }
}
