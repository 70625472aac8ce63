package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.memory.ShortElements;

/**
 * Predefined operations on 16-bit floating point numbers, with the results of the kernels on devices: both operands
 * become floats, are combined as floats, and the result is rounded to the nearest 16-bit number after every step.
 *
 * <p>
 * MAX and MIN give NaN where either value is NaN.
 */
final class HalfCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> 1;

    private final Operator operator;
    /** Whether it is BFLOAT16 rather than FLOAT16. */
    private final boolean brain;
    private final short[] bits = new short[PIECE];
    private final float[] held = new float[PIECE];
    private final float[] arrived = new float[PIECE];
    /** For regions that ShortElements cannot copy; made on first use. */
    private NativeMemory staging;

    HalfCombiner(Operator operator, boolean brain) {
        this.operator = operator;
        this.brain = brain;
    }

    @Override
    public int itemBytes() {
        return 2;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target,
        long targetAt) {
        int count = bytes >> 1;
        for (int done = 0; done < count; done += PIECE) {
            combinePiece(incoming, (incomingAt >> 1) + done, Math.min(PIECE, count - done), operand,
                operandAt + ((long) done << 1), target, targetAt + ((long) done << 1));
        }
    }

    private void combinePiece(NativeMemory incoming, int index, int count, Region operand, long operandAt,
        Region target, long targetAt) {
        incoming.shorts.get(index, bits, 0, count);
        widen(arrived, count);
        if (!ShortElements.get(operand, operandAt, bits, 0, count)) {
            operand.read(operandAt, staging(), 0, count << 1);
            staging.shorts.get(0, bits, 0, count);
        }
        widen(held, count);
        apply(count);
        narrow(count);
        if (!ShortElements.put(target, targetAt, bits, 0, count)) {
            staging().shorts.put(0, bits, 0, count);
            target.write(targetAt, staging, 0, count << 1);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void widen(float[] to, int count) {
        if (brain) {
            for (int i = 0; i < count; i++) {
                to[i] = Half.bfloat16(bits[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                to[i] = Half.float16(bits[i]);
            }
        }
    }

    private void apply(int count) {
        switch (operator) {
            case MAX -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = Math.max(held[i], arrived[i]);
                }
            }
            case MIN -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = Math.min(held[i], arrived[i]);
                }
            }
            case SUM -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = held[i] + arrived[i];
                }
            }
            case PROD -> {
                for (int i = 0; i < count; i++) {
                    arrived[i] = held[i] * arrived[i];
                }
            }
            default -> throw Combiners.undefined(operator, "16-bit floating point");
        }
    }

    private void narrow(int count) {
        if (brain) {
            for (int i = 0; i < count; i++) {
                bits[i] = Half.toBfloat16(arrived[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                bits[i] = Half.toFloat16(arrived[i]);
            }
        }
    }
}
