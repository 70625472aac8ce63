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
    // Always copied here, even from a caller's array: two arrays from index 0 are the one form in which every loop vectorises.
    private final char[] held = new char[PIECE];
    private final char[] arrived = new char[PIECE];
    /** For regions that Elements cannot copy; made when first needed. */
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
        read(operand, operandAt, count);
        apply(held, arrived, count);
        write(target, targetAt, count);
    }

    private void read(Region operand, long at, int count) {
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 1);
            staging.chars.get(0, held, 0, count);
        }
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

    private void apply(char[] a, char[] b, int count) {
        switch (operator) {
            case MAX -> max(a, b, count);
            case MIN -> min(a, b, count);
            case SUM -> sum(a, b, count);
            case PROD -> product(a, b, count);
            case BAND -> and(a, b, count);
            case BOR -> or(a, b, count);
            case BXOR -> xor(a, b, count);
            case LAND -> logicalAnd(a, b, count);
            case LOR -> logicalOr(a, b, count);
            case LXOR -> logicalXor(a, b, count);
            default -> throw Combiners.undefined(operator, "char");
        }
    }

    // One method a loop, results in place of the right operands: the compiler turns each into vector instructions where there are any.

    private static void max(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] > b[i] ? a[i] : b[i];
        }
    }

    private static void min(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] < b[i] ? a[i] : b[i];
        }
    }

    private static void sum(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) (a[i] + b[i]);
        }
    }

    private static void product(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) (a[i] * b[i]);
        }
    }

    private static void and(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) (a[i] & b[i]);
        }
    }

    private static void or(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) (a[i] | b[i]);
        }
    }

    private static void xor(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) (a[i] ^ b[i]);
        }
    }

    private static void logicalAnd(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) (a[i] != 0 && b[i] != 0 ? 1 : 0);
        }
    }

    private static void logicalOr(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) ((a[i] | b[i]) != 0 ? 1 : 0);
        }
    }

    private static void logicalXor(char[] a, char[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (char) ((a[i] != 0) != (b[i] != 0) ? 1 : 0);
        }
    }
}
