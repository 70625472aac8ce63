package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on chars, as unsigned 16-bit numbers.
 */
final class CharCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> 1;

    private final Operator operator;
    private final int itemBytes;
    private final char[] arrived = new char[PIECE];
    /** Operands whose region has no char[] to read them from; made when first needed, as is the staging. */
    private char[] held;
    private NativeMemory staging;

    CharCombiner(Operator operator, int itemBytes) {
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
                arrived[i] = incoming.chars.get(index + i);
            }
        } else {
            incoming.chars.get(index, arrived, 0, count);
        }
        char[] a = operand.array() instanceof char[] own ? own : null;
        int ai = 0;
        if (a != null) {
            ai = (int) ((operand.offset() + operandAt) >> 1);
        } else {
            a = read(operand, operandAt, count);
        }
        if (target.array() instanceof char[] own) {
            apply(a, ai, arrived, 0, own, (int) ((target.offset() + targetAt) >> 1), count);
        } else {
            apply(a, ai, arrived, 0, arrived, 0, count);
            write(target, targetAt, count);
        }
    }

    private char[] read(Region operand, long at, int count) {
        if (held == null) {
            held = new char[PIECE];
        }
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 1);
            staging.chars.get(0, held, 0, count);
        }
        return held;
    }

    private void write(Region target, long at, int count) {
        if (!Elements.put(target, at, arrived, 0, count)) {
            staging().chars.put(0, arrived, 0, count);
            target.write(at, staging, 0, count << 1);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
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
            default -> throw Combiners.undefined(operator, "char");
        }
    }

    // One method a loop, over plain arrays: the form that the compiler turns into vector instructions.

    private static void max(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) Math.max(a[ai + i], b[bi + i]);
        }
    }

    private static void min(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) Math.min(a[ai + i], b[bi + i]);
        }
    }

    private static void sum(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) (a[ai + i] + b[bi + i]);
        }
    }

    private static void product(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) (a[ai + i] * b[bi + i]);
        }
    }

    private static void and(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) (a[ai + i] & b[bi + i]);
        }
    }

    private static void or(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) (a[ai + i] | b[bi + i]);
        }
    }

    private static void xor(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) (a[ai + i] ^ b[bi + i]);
        }
    }

    private static void logicalAnd(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) (a[ai + i] != 0 && b[bi + i] != 0 ? 1 : 0);
        }
    }

    private static void logicalOr(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) ((a[ai + i] | b[bi + i]) != 0 ? 1 : 0);
        }
    }

    private static void logicalXor(char[] a, int ai, char[] b, int bi, char[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (char) ((a[ai + i] != 0) != (b[bi + i] != 0) ? 1 : 0);
        }
    }
}
