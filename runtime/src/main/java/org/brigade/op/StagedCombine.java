package org.brigade.op;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Reductions whose operand or target lies in device memory: both are copied to native memory whole, as combiners work
 * in small pieces and every copy to or from a device takes some 10 us however short.
 */
public final class StagedCombine {
    /** Bytes to reduce at once if the caller may choose: the copies then take longer than their start. */
    public static final int PIECE_BYTES = 256 << 10;

    private NativeMemory memory;
    private Region staged;

    /** Whether a reduction needs this class. */
    public static boolean isNeeded(Region operand, Region target) {
        return operand.isDevice() || target.isDevice();
    }

    /** As {@link Combiner#combine}. */
    public void combine(Combiner combiner, NativeMemory incoming, int incomingAt, int bytes, Region operand,
        long operandAt, Region target, long targetAt) {
        if (!isNeeded(operand, target)) {
            combiner.combine(incoming, incomingAt, bytes, operand, operandAt, target, targetAt);
            return;
        }
        if (memory == null || memory.capacity() < bytes) {
            memory = NativeMemory.allocate(Math.max(bytes, 4096));
            staged = Region.of(memory);
        }
        boolean operandStaged = operand.isDevice();
        boolean targetStaged = target.isDevice();
        if (operandStaged) {
            operand.read(operandAt, memory, 0, bytes);
        }
        combiner.combine(incoming, incomingAt, bytes, operandStaged ? staged : operand, operandStaged ? 0 : operandAt,
            targetStaged ? staged : target, targetStaged ? 0 : targetAt);
        if (targetStaged) {
            target.write(targetAt, memory, 0, bytes);
        }
    }
}
