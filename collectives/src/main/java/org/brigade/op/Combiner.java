package org.brigade.op;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/** A reduction of one operation on one type, ready to be applied to bytes as they arrive. */
public interface Combiner {
    /**
     * {@code target[i] = operand[i] op incoming[i]} for every element of the stretch, or with the incoming value on the left where the
     * combiner was made so.
     *
     * @param incoming   where the arrived bytes are
     * @param incomingAt their position, a multiple of 8
     * @param bytes      how many, a whole number of elements
     */
    void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target, long targetAt);
}
