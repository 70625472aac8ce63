package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on doubles.
 *
 * <p>MAX and MIN give NaN where either value is NaN, so that the order of operands never shows.
 *
 * <p>MAXLOC and MINLOC read elements in twos, a value and its index; of equal values the one with the lower index wins.
 */
final class DoubleCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> 3;

    private final Operator operator;
    private final boolean complex;
    private final int itemBytes;
    private final double[] arrived = new double[PIECE];
    /** Operands whose region has no double[] to read them from; made when first needed, as is the staging. */
    private double[] held;
    private NativeMemory staging;

    DoubleCombiner(Operator operator, boolean complex, int itemBytes) {
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
        int count = bytes >> 3;
        for (int done = 0; done < count; done += PIECE) {
            combinePiece(incoming, (incomingAt >> 3) + done, Math.min(PIECE, count - done), operand, operandAt + ((long) done << 3), target, targetAt + ((long) done << 3));
        }
    }

    private void combinePiece(NativeMemory incoming, int index, int count, Region operand, long operandAt, Region target, long targetAt) {
        if (count <= Elements.FEW) {
            for (int i = 0; i < count; i++) {
                arrived[i] = incoming.doubles.get(index + i);
            }
        } else {
            incoming.doubles.get(index, arrived, 0, count);
        }
        double[] a = operand.array() instanceof double[] own ? own : null;
        int ai = 0;
        if (a != null) {
            ai = (int) ((operand.offset() + operandAt) >> 3);
        } else {
            a = read(operand, operandAt, count);
        }
        if (target.array() instanceof double[] own) {
            apply(a, ai, arrived, 0, own, (int) ((target.offset() + targetAt) >> 3), count);
        } else {
            apply(a, ai, arrived, 0, arrived, 0, count);
            write(target, targetAt, count);
        }
    }

    private double[] read(Region operand, long at, int count) {
        if (held == null) {
            held = new double[PIECE];
        }
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 3);
            staging.doubles.get(0, held, 0, count);
        }
        return held;
    }

    private void write(Region target, long at, int count) {
        if (!Elements.put(target, at, arrived, 0, count)) {
            staging().doubles.put(0, arrived, 0, count);
            target.write(at, staging, 0, count << 3);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
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
            default -> throw Combiners.undefined(operator, "double");
        }
    }

    // One method a loop, over plain arrays: the form that the compiler turns into vector instructions.

    private static void max(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = Math.max(a[ai + i], b[bi + i]);
        }
    }

    private static void min(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = Math.min(a[ai + i], b[bi + i]);
        }
    }

    private static void sum(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] + b[bi + i];
        }
    }

    private static void product(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] * b[bi + i];
        }
    }

    private static void complexProduct(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            double ar = a[ai + i];
            double am = a[ai + i + 1];
            double br = b[bi + i];
            double bm = b[bi + i + 1];
            c[ci + i] = ar * br - am * bm;
            c[ci + i + 1] = ar * bm + am * br;
        }
    }

    private static void maxLocation(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] > b[bi + i] || a[ai + i] != a[ai + i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[ai + i] == b[bi + i] || (a[ai + i] != a[ai + i] && b[bi + i] != b[bi + i]);
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            double value = takeLeft ? a[ai + i] : b[bi + i];
            double index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }

    private static void minLocation(double[] a, int ai, double[] b, int bi, double[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] < b[bi + i] || a[ai + i] != a[ai + i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[ai + i] == b[bi + i] || (a[ai + i] != a[ai + i] && b[bi + i] != b[bi + i]);
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            double value = takeLeft ? a[ai + i] : b[bi + i];
            double index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }
}
