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
    private final float[] arrived = new float[PIECE];
    /** Operands whose region has no float[] to read them from; made when first needed, as is the staging. */
    private float[] held;
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
        float[] a = operand.array() instanceof float[] own ? own : null;
        int ai = 0;
        if (a != null) {
            ai = (int) ((operand.offset() + operandAt) >> 2);
        } else {
            a = read(operand, operandAt, count);
        }
        if (target.array() instanceof float[] own) {
            apply(a, ai, arrived, 0, own, (int) ((target.offset() + targetAt) >> 2), count);
        } else {
            apply(a, ai, arrived, 0, arrived, 0, count);
            write(target, targetAt, count);
        }
    }

    private float[] read(Region operand, long at, int count) {
        if (held == null) {
            held = new float[PIECE];
        }
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 2);
            staging.floats.get(0, held, 0, count);
        }
        return held;
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

    private void apply(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        switch (operator) {
            case MAX -> max(a, ai, b, bi, c, ci, count);
            case MIN -> min(a, ai, b, bi, c, ci, count);
            case SUM -> sum(a, ai, b, bi, c, ci, count);
            case PROD -> {
                if (complex) {
                    complexProduct(a, ai, b, bi, c, ci, count);
                } else {
                    product(a, ai, b, bi, c, ci, count);
                }
            }
            case MAXLOC -> maxLocation(a, ai, b, bi, c, ci, count);
            case MINLOC -> minLocation(a, ai, b, bi, c, ci, count);
            default -> throw Combiners.undefined(operator, "float");
        }
    }

    // One method a loop, over plain arrays: the form that the compiler turns into vector instructions.

    private static void max(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = Math.max(a[ai + i], b[bi + i]);
        }
    }

    private static void min(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = Math.min(a[ai + i], b[bi + i]);
        }
    }

    private static void sum(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] + b[bi + i];
        }
    }

    private static void product(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] * b[bi + i];
        }
    }

    private static void complexProduct(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            float ar = a[ai + i];
            float am = a[ai + i + 1];
            float br = b[bi + i];
            float bm = b[bi + i + 1];
            c[ci + i] = ar * br - am * bm;
            c[ci + i + 1] = ar * bm + am * br;
        }
    }

    private static void maxLocation(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] > b[bi + i] || a[ai + i] != a[ai + i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[ai + i] == b[bi + i] || (a[ai + i] != a[ai + i] && b[bi + i] != b[bi + i]);
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            float value = takeLeft ? a[ai + i] : b[bi + i];
            float index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }

    private static void minLocation(float[] a, int ai, float[] b, int bi, float[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] < b[bi + i] || a[ai + i] != a[ai + i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[ai + i] == b[bi + i] || (a[ai + i] != a[ai + i] && b[bi + i] != b[bi + i]);
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            float value = takeLeft ? a[ai + i] : b[bi + i];
            float index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }
}
