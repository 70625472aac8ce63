package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on floats.
 *
 * <p>MAX and MIN give NaN where either value is NaN, so that the order of operands never shows.
 *
 * <p>MAXLOC and MINLOC read elements in twos, a value and its index; of equal values the one with the lower index wins.
 */
final class FloatCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> 2;

    private final Operator operator;
    private final boolean complex;
    private final int itemBytes;
    // Always copied here, even from a caller's array: two arrays from index 0 are the one form in which every loop vectorises.
    private final float[] held = new float[PIECE];
    private final float[] arrived = new float[PIECE];
    /** For regions that Elements cannot copy; made when first needed. */
    private NativeMemory staging;

    FloatCombiner(Operator operator, boolean complex, int itemBytes) {
        this.operator = operator;
        this.complex = complex;
        this.itemBytes = itemBytes;
    }

    @Override
    public int itemBytes() {
        return itemBytes;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target, long targetAt) {
        int count = bytes >> 2;
        for (int done = 0; done < count; done += PIECE) {
            combinePiece(incoming, (incomingAt >> 2) + done, Math.min(PIECE, count - done), operand, operandAt + ((long) done << 2), target, targetAt + ((long) done << 2));
        }
    }

    private void combinePiece(NativeMemory incoming, int index, int count, Region operand, long operandAt, Region target, long targetAt) {
        if (count <= Elements.FEW) {
            for (int i = 0; i < count; i++) {
                arrived[i] = incoming.floats.get(index + i);
            }
        } else {
            incoming.floats.get(index, arrived, 0, count);
        }
        read(operand, operandAt, count);
        apply(held, arrived, count);
        write(target, targetAt, count);
    }

    private void read(Region operand, long at, int count) {
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 2);
            staging.floats.get(0, held, 0, count);
        }
    }

    private void write(Region target, long at, int count) {
        if (!Elements.put(target, at, arrived, 0, count)) {
            staging().floats.put(0, arrived, 0, count);
            target.write(at, staging, 0, count << 2);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply(float[] a, float[] b, int count) {
        switch (operator) {
            case MAX -> max(a, b, count);
            case MIN -> min(a, b, count);
            case SUM -> sum(a, b, count);
            case PROD -> {
                if (complex) {
                    complexProduct(a, b, count);
                } else {
                    product(a, b, count);
                }
            }
            case MAXLOC -> maxLocation(a, b, count);
            case MINLOC -> minLocation(a, b, count);
            default -> throw Combiners.undefined(operator, "float");
        }
    }

    // One method a loop, results in place of the right operands: the compiler turns each into vector instructions where there are any.

    private static void max(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = Math.max(a[i], b[i]);
        }
    }

    private static void min(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = Math.min(a[i], b[i]);
        }
    }

    private static void sum(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] + b[i];
        }
    }

    private static void product(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] * b[i];
        }
    }

    private static void complexProduct(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            float ar = a[i];
            float am = a[i + 1];
            float br = b[i];
            float bm = b[i + 1];
            b[i] = ar * br - am * bm;
            b[i + 1] = ar * bm + am * br;
        }
    }

    private static void maxLocation(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[i] > b[i] || a[i] != a[i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            float value = takeLeft ? a[i] : b[i];
            float index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }

    private static void minLocation(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[i] < b[i] || a[i] != a[i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            float value = takeLeft ? a[i] : b[i];
            float index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }
}
