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
    // Always copied here, even from a caller's array: two arrays from index 0 are the one form in which every loop vectorises.
    private final double[] held = new double[PIECE];
    private final double[] arrived = new double[PIECE];
    /** For regions that Elements cannot copy; made when first needed. */
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
        read(operand, operandAt, count);
        apply(held, arrived, count);
        write(target, targetAt, count);
    }

    private void read(Region operand, long at, int count) {
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 3);
            staging.doubles.get(0, held, 0, count);
        }
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

    private void apply(double[] a, double[] b, int count) {
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
            default -> throw Combiners.undefined(operator, "double");
        }
    }

    // One method a loop, results in place of the right operands: the compiler turns each into vector instructions where there are any.

    private static void max(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = Math.max(a[i], b[i]);
        }
    }

    private static void min(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = Math.min(a[i], b[i]);
        }
    }

    private static void sum(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] + b[i];
        }
    }

    private static void product(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] * b[i];
        }
    }

    private static void complexProduct(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            double ar = a[i];
            double am = a[i + 1];
            double br = b[i];
            double bm = b[i + 1];
            b[i] = ar * br - am * bm;
            b[i + 1] = ar * bm + am * br;
        }
    }

    private static void maxLocation(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[i] > b[i] || a[i] != a[i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            double value = takeLeft ? a[i] : b[i];
            double index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }

    private static void minLocation(double[] a, double[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[i] < b[i] || a[i] != a[i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            double value = takeLeft ? a[i] : b[i];
            double index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }
}
