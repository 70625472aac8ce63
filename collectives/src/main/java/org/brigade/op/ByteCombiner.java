package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on bytes, signed, and on booleans as bytes that are 0 or 1.
 */
final class ByteCombiner implements Combiner {
    private static final int PIECE = PIECE_BYTES;

    private final Operator operator;
    private final int itemBytes;
    private final byte[] arrived = new byte[PIECE];
    /** Operands whose region has no byte[] to read them from; made when first needed, as is the staging. */
    private byte[] held;
    private NativeMemory staging;

    ByteCombiner(Operator operator, int itemBytes) {
        this.operator = operator;
        this.itemBytes = itemBytes;
    }

    @Override
    public int itemBytes() {
        return itemBytes;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target, long targetAt) {
        int count = bytes;
        for (int done = 0; done < count; done += PIECE) {
            combinePiece(incoming, incomingAt + done, Math.min(PIECE, count - done), operand, operandAt + done, target, targetAt + done);
        }
    }

    private void combinePiece(NativeMemory incoming, int index, int count, Region operand, long operandAt, Region target, long targetAt) {
        if (count <= Elements.FEW) {
            for (int i = 0; i < count; i++) {
                arrived[i] = incoming.bytes.get(index + i);
            }
        } else {
            incoming.bytes.get(index, arrived, 0, count);
        }
        byte[] a = operand.array() instanceof byte[] own ? own : null;
        int ai = 0;
        if (a != null) {
            ai = (int) (operand.offset() + operandAt);
        } else {
            a = read(operand, operandAt, count);
        }
        if (target.array() instanceof byte[] own) {
            apply(a, ai, arrived, 0, own, (int) (target.offset() + targetAt), count);
        } else {
            apply(a, ai, arrived, 0, arrived, 0, count);
            write(target, targetAt, count);
        }
    }

    private byte[] read(Region operand, long at, int count) {
        if (held == null) {
            held = new byte[PIECE];
        }
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count);
            staging.bytes.get(0, held, 0, count);
        }
        return held;
    }

    private void write(Region target, long at, int count) {
        if (!Elements.put(target, at, arrived, 0, count)) {
            staging().bytes.put(0, arrived, 0, count);
            target.write(at, staging, 0, count);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
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
            default -> throw Combiners.undefined(operator, "byte");
        }
    }

    // One method a loop, over plain arrays: the form that the compiler turns into vector instructions.

    private static void max(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) Math.max(a[ai + i], b[bi + i]);
        }
    }

    private static void min(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) Math.min(a[ai + i], b[bi + i]);
        }
    }

    private static void sum(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) (a[ai + i] + b[bi + i]);
        }
    }

    private static void product(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) (a[ai + i] * b[bi + i]);
        }
    }

    private static void and(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) (a[ai + i] & b[bi + i]);
        }
    }

    private static void or(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) (a[ai + i] | b[bi + i]);
        }
    }

    private static void xor(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) (a[ai + i] ^ b[bi + i]);
        }
    }

    private static void logicalAnd(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) (a[ai + i] != 0 && b[bi + i] != 0 ? 1 : 0);
        }
    }

    private static void logicalOr(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) ((a[ai + i] | b[bi + i]) != 0 ? 1 : 0);
        }
    }

    private static void logicalXor(byte[] a, int ai, byte[] b, int bi, byte[] c, int ci, int count) {
        for (int i = 0; i < count; i++) {
            c[ci + i] = (byte) ((a[ai + i] != 0) != (b[bi + i] != 0) ? 1 : 0);
        }
    }
}
