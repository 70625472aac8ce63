package org.brigade.op;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.CompiledReductions;

/** Gives a combiner's stretch to compiled code, if all operands lie where compiled code can use them. */
final class CompiledCombine {
    /** For shorter stretches a call of compiled code costs more than it gains. */
    static final int SHORTEST = 256;
    /** The same where an array is used: the JVM must hold off its collector. */
    private static final int SHORTEST_OF_ARRAY = 1024;

    private CompiledCombine() {
    }

    /**
     * As {@link Combiner#combine}.
     *
     * @param reduction of {@link CompiledReductions#number}, or NONE
     * @param shift the logarithm of an element's size
     * @return false if nothing has been done
     */
    static boolean combine(int reduction, int shift, NativeMemory incoming, int incomingAt, int bytes, Region operand,
        long operandAt, Region target, long targetAt) {
        Object targetArray = target.array();
        Object operandArray = operand.array();
        boolean tooShort = bytes < SHORTEST_OF_ARRAY && (targetArray != null || operandArray != null);
        if (reduction == CompiledReductions.NONE || tooShort || !CompiledReductions.areThere()
            || !operand.isPlain(operandAt, shift) || !target.isPlain(targetAt, shift)) {
            return false;
        }
        return CompiledReductions.reduce(reduction, targetArray,
            (targetArray != null ? target.offset() : target.address()) + targetAt, operandArray,
            (operandArray != null ? operand.offset() : operand.address()) + operandAt, incoming.address() + incomingAt,
            shift, bytes);
    }
}
