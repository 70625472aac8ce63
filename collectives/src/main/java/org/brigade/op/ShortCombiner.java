package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on shorts.
 *
 * <p>MAXLOC and MINLOC read elements in twos, a value and its index; of equal values the one with the lower index wins.
 */
final class ShortCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> 1;

    private final Operator operator;
    private final int itemBytes;
    private final short[] arrived = new short[PIECE];
    /** Operands whose region has no short[] to read them from; made when first needed, as is the staging. */
    private short[] held;
    private NativeMemory staging;

    ShortCombiner(Operator operator, int itemBytes) {
        this.operator = operator;
        this.itemBytes = itemBytes;
    }

    @Override
    public int itemBytes() {
        return itemBytes;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target, long targetAt) {
        int count = bytes >> 1;
        for (int done = 0; done < count; done += PIECE) {
            combinePiece(incoming, (incomingAt >> 1) + done, Math.min(PIECE, count - done), operand, operandAt + ((long) done << 1), target, targetAt + ((long) done << 1));
        }
    }

    private void combinePiece(NativeMemory incoming, int index, int count, Region operand, long operandAt, Region target, long targetAt) {
        if (count <= Elements.FEW) {
            for (int i = 0; i < count; i++) {
                arrived[i] = incoming.shorts.get(index + i);
            }
        } else {
            incoming.shorts.get(index, arrived, 0, count);
        }
        short[] a = operand.array() instanceof short[] own ? own : null;
        int ai = 0;
        if (a != null) {
            ai = (int) ((operand.offset() + operandAt) >> 1);
        } else {
            a = read(operand, operandAt, count);
        }
        if (target.array() instanceof short[] own) {
            apply(a, ai, arrived, 0, own, (int) ((target.offset() + targetAt) >> 1), count);
        } else {
            apply(a, ai, arrived, 0, arrived, 0, count);
            write(target, targetAt, count);
        }
    }

    private short[] read(Region operand, long at, int count) {
        if (held == null) {
            held = new short[PIECE];
        }
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 1);
            staging.shorts.get(0, held, 0, count);
        }
        return held;
    }

    private void write(Region target, long at, int count) {
        if (!Elements.put(target, at, arrived, 0, count)) {
            staging().shorts.put(0, arrived, 0, count);
            target.write(at, staging, 0, count << 1);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        switch (operator) {
            case MAX -> max(a, ai, b, bi, c, ci, count);
            case MIN -> min(a, ai, b, bi, c, ci, count);
            case SUM -> sum(a, ai, b, bi, c, ci, count);
            case PROD -> product(a, ai, b, bi, c, ci, count);
            case BAND -> and(a, ai, b, bi, c, ci, count);
            case BOR -> or(a, ai, b, bi, c, ci, count);
            case BXOR -> xor(a, ai, b, bi, c, ci, count);
            case LAND -> logicalAnd(a, ai, b, bi, c, ci, count);
            case LOR -> logicalOr(a, ai, b, bi, c, ci, count);
            case LXOR -> logicalXor(a, ai, b, bi, c, ci, count);
            case MAXLOC -> maxLocation(a, ai, b, bi, c, ci, count);
            case MINLOC -> minLocation(a, ai, b, bi, c, ci, count);
            default -> throw Combiners.undefined(operator, "short");
        }
    }

    // One method a loop, over plain arrays: the form that the compiler turns into vector instructions.

    private static void max(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) Math.max(a[ai + i], b[bi + i]);
        }
    }

    private static void min(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) Math.min(a[ai + i], b[bi + i]);
        }
    }

    private static void sum(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) (a[ai + i] + b[bi + i]);
        }
    }

    private static void product(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) (a[ai + i] * b[bi + i]);
        }
    }

    private static void and(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) (a[ai + i] & b[bi + i]);
        }
    }

    private static void or(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) (a[ai + i] | b[bi + i]);
        }
    }

    private static void xor(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) (a[ai + i] ^ b[bi + i]);
        }
    }

    private static void logicalAnd(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) (a[ai + i] != 0 && b[bi + i] != 0 ? 1 : 0);
        }
    }

    private static void logicalOr(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) ((a[ai + i] | b[bi + i]) != 0 ? 1 : 0);
        }
    }

    private static void logicalXor(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (short) ((a[ai + i] != 0) != (b[bi + i] != 0) ? 1 : 0);
        }
    }

    private static void maxLocation(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] > b[bi + i];
            boolean tie = a[ai + i] == b[bi + i];
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            short value = takeLeft ? a[ai + i] : b[bi + i];
            short index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }

    private static void minLocation(short[] a, int ai, short[] b, int bi, short[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] < b[bi + i];
            boolean tie = a[ai + i] == b[bi + i];
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            short value = takeLeft ? a[ai + i] : b[bi + i];
            short index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }
}
