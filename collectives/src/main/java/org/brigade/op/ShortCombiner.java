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
    // Always copied here, even from a caller's array: two arrays from index 0 are the one form in which every loop vectorises.
    private final short[] held = new short[PIECE];
    private final short[] arrived = new short[PIECE];
    /** For regions that Elements cannot copy; made when first needed. */
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
        read(operand, operandAt, count);
        apply(held, arrived, count);
        write(target, targetAt, count);
    }

    private void read(Region operand, long at, int count) {
        if (!Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << 1);
            staging.shorts.get(0, held, 0, count);
        }
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

    private void apply(short[] a, short[] b, int count) {
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
            case MAXLOC -> maxLocation(a, b, count);
            case MINLOC -> minLocation(a, b, count);
            default -> throw Combiners.undefined(operator, "short");
        }
    }

    // One method a loop, results in place of the right operands: the compiler turns each into vector instructions where there are any.

    private static void max(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] > b[i] ? a[i] : b[i];
        }
    }

    private static void min(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = a[i] < b[i] ? a[i] : b[i];
        }
    }

    private static void sum(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) (a[i] + b[i]);
        }
    }

    private static void product(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) (a[i] * b[i]);
        }
    }

    private static void and(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) (a[i] & b[i]);
        }
    }

    private static void or(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) (a[i] | b[i]);
        }
    }

    private static void xor(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) (a[i] ^ b[i]);
        }
    }

    private static void logicalAnd(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) (a[i] != 0 && b[i] != 0 ? 1 : 0);
        }
    }

    private static void logicalOr(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) ((a[i] | b[i]) != 0 ? 1 : 0);
        }
    }

    private static void logicalXor(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = (short) ((a[i] != 0) != (b[i] != 0) ? 1 : 0);
        }
    }

    private static void maxLocation(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[i] > b[i];
            boolean tie = a[i] == b[i];
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            short value = takeLeft ? a[i] : b[i];
            short index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }

    private static void minLocation(short[] a, short[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            boolean left = a[i] < b[i];
            boolean tie = a[i] == b[i];
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            short value = takeLeft ? a[i] : b[i];
            short index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }
}
