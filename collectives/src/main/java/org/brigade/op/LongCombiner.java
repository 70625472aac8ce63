package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on longs.
 *
 * <p>MAXLOC and MINLOC read elements in twos, a value and its index; of equal values the one with the lower index wins.
 */
final class LongCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> 3;

    private final Operator operator;
    private final int itemBytes;
    private final long[] arrived = new long[PIECE];
    /** Operands whose region has no long[] to read them from; made when first needed, as is the staging. */
    private long[] held;
    private NativeMemory staging;

    LongCombiner(Operator operator, int itemBytes) {
        this.operator = operator;
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
                arrived[i] = incoming.longs.get(index + i);
            }
        } else {
            incoming.longs.get(index, arrived, 0, count);
        }
        long[] a = operand.array() instanceof long[] own ? own : null;
        int ai = 0;
        if (a != null) {
            ai = (int) ((operand.offset() + operandAt) >> 3);
        } else {
            a = read(operand, operandAt, count);
        }
        if (target.array() instanceof long[] own) {
            apply(a, ai, arrived, 0, own, (int) ((target.offset() + targetAt) >> 3), count);
        } else {
            apply(a, ai, arrived, 0, arrived, 0, count);
            write(target, targetAt, count);
        }
    }

    private long[] read(Region operand, long at, int count) {
        if (held == null) {
            held = new long[PIECE];
        }
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 3);
            staging.longs.get(0, held, 0, count);
        }
        return held;
    }

    private void write(Region target, long at, int count) {
        if (!Elements.put(target, at, arrived, 0, count)) {
            staging().longs.put(0, arrived, 0, count);
            target.write(at, staging, 0, count << 3);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
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
            default -> throw Combiners.undefined(operator, "long");
        }
    }

    // One method a loop, over plain arrays: the form that the compiler turns into vector instructions.

    private static void max(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = Math.max(a[ai + i], b[bi + i]);
        }
    }

    private static void min(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = Math.min(a[ai + i], b[bi + i]);
        }
    }

    private static void sum(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] + b[bi + i];
        }
    }

    private static void product(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] * b[bi + i];
        }
    }

    private static void and(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] & b[bi + i];
        }
    }

    private static void or(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] | b[bi + i];
        }
    }

    private static void xor(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] ^ b[bi + i];
        }
    }

    private static void logicalAnd(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = a[ai + i] != 0 && b[bi + i] != 0 ? 1L : 0L;
        }
    }

    private static void logicalOr(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (a[ai + i] | b[bi + i]) != 0 ? 1L : 0L;
        }
    }

    private static void logicalXor(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (a[ai + i] != 0) != (b[bi + i] != 0) ? 1L : 0L;
        }
    }

    private static void maxLocation(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] > b[bi + i];
            boolean tie = a[ai + i] == b[bi + i];
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            long value = takeLeft ? a[ai + i] : b[bi + i];
            long index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }

    private static void minLocation(long[] a, int ai, long[] b, int bi, long[] c, int ci, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[ai + i] < b[bi + i];
            boolean tie = a[ai + i] == b[bi + i];
            boolean takeLeft = tie ? a[ai + i + 1] <= b[bi + i + 1] : left;
            long value = takeLeft ? a[ai + i] : b[bi + i];
            long index = takeLeft ? a[ai + i + 1] : b[bi + i + 1];
            c[ci + i] = value;
            c[ci + i + 1] = index;
        }
    }
}
