// Made from src/main/templates: edit TypeCombiner.java there. See expand.xml.
package org.brigade.op;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.$Type$Elements;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * Predefined operations on $numbers$.
//if floating
 *
 * <p>MAX and MIN give NaN where either value is NaN, so that the order of operands never shows.
//end floating
//if location
 *
 * <p>MAXLOC and MINLOC read elements in twos, a value and its index; of equal values the one with the lower index wins.
//end location
 */
final class $Type$Combiner implements Combiner {
    private static final int PIECE = PIECE_BYTES >> $shift$;

    private final Operator operator;
//if floating
    private final boolean complex;
//end floating
    private final int itemBytes;
    /** The compiled loop that does the same, for {@link CompiledCombine}. */
    private final int compiled;
    // Always copied here, even from a caller's array: every loop vectorises only with two arrays from index 0.
    private final $type$[] held = new $type$[PIECE];
    private final $type$[] arrived = new $type$[PIECE];
    /** For regions that $Type$Elements cannot copy; made when first needed. */
    private NativeMemory staging;

//if integer
    $Type$Combiner(Operator operator, int itemBytes, int compiled) {
        this.operator = operator;
        this.itemBytes = itemBytes;
        this.compiled = compiled;
    }
//end integer
//if floating
    $Type$Combiner(Operator operator, boolean complex, int itemBytes, int compiled) {
        this.operator = operator;
        this.complex = complex;
        this.itemBytes = itemBytes;
        this.compiled = compiled;
    }
//end floating

    @Override
    public int itemBytes() {
        return itemBytes;
    }

    @Override
    public int compiled() {
        return compiled;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes,
                        Region operand, long operandAt, Region target, long targetAt) {
        if (bytes >= CompiledCombine.SHORTEST && CompiledCombine.combine(compiled, $shift$, incoming, incomingAt, bytes,
            operand, operandAt, target, targetAt)) {
            return;
        }
        int count = bytes >> $shift$;
        for (int done = 0; done < count; done += PIECE) {
            combinePiece(incoming, (incomingAt >> $shift$) + done, Math.min(PIECE, count - done),
                operand, operandAt + ((long) done << $shift$), target, targetAt + ((long) done << $shift$));
        }
    }

    private void combinePiece(NativeMemory incoming, int index, int count,
                              Region operand, long operandAt, Region target, long targetAt) {
        if (count <= Region.FEW) {
            for (int i = 0; i < count; i++) {
                arrived[i] = incoming.$type$s.get(index + i);
            }
        } else {
            incoming.$type$s.get(index, arrived, 0, count);
        }
        read(operand, operandAt, count);
        apply(held, arrived, count);
        write(target, targetAt, count);
    }

    private void read(Region operand, long at, int count) {
        if (!$Type$Elements.get(operand, at, held, 0, count)) {
            operand.read(at, staging(), 0, count << $shift$);
            staging.$type$s.get(0, held, 0, count);
        }
    }

    private void write(Region target, long at, int count) {
        if (!$Type$Elements.put(target, at, arrived, 0, count)) {
            staging().$type$s.put(0, arrived, 0, count);
            target.write(at, staging, 0, count << $shift$);
        }
    }

    private NativeMemory staging() {
        if (staging == null) {
            staging = NativeMemory.allocate(PIECE_BYTES);
        }
        return staging;
    }

    private void apply($type$[] a, $type$[] b, int count) {
        switch (operator) {
            case MAX -> max(a, b, count);
            case MIN -> min(a, b, count);
            case SUM -> sum(a, b, count);
//if integer
            case PROD -> product(a, b, count);
            case BAND -> and(a, b, count);
            case BOR -> or(a, b, count);
            case BXOR -> xor(a, b, count);
            case LAND -> logicalAnd(a, b, count);
            case LOR -> logicalOr(a, b, count);
            case LXOR -> logicalXor(a, b, count);
//end integer
//if floating
            case PROD -> {
                if (complex) {
                    complexProduct(a, b, count);
                } else {
                    product(a, b, count);
                }
            }
//end floating
//if location
            case MAXLOC -> maxLocation(a, b, count);
            case MINLOC -> minLocation(a, b, count);
//end location
            default -> throw new IllegalStateException(operator + " is not defined on $type$");
        }
    }

    // One method a loop, with results in place of the right operands: so the JIT compiler vectorises each loop.

    private static void max($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
//if narrow
            b[i] = a[i] > b[i] ? a[i] : b[i];
//end narrow
//if wide
            b[i] = Math.max(a[i], b[i]);
//end wide
        }
    }

    private static void min($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
//if narrow
            b[i] = a[i] < b[i] ? a[i] : b[i];
//end narrow
//if wide
            b[i] = Math.min(a[i], b[i]);
//end wide
        }
    }

    private static void sum($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$(a[i] + b[i]);
        }
    }

    private static void product($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$(a[i] * b[i]);
        }
    }
//if integer

    private static void and($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$(a[i] & b[i]);
        }
    }

    private static void or($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$(a[i] | b[i]);
        }
    }

    private static void xor($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$(a[i] ^ b[i]);
        }
    }

    private static void logicalAnd($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$(a[i] != 0 && b[i] != 0 ? $one$ : 0);
        }
    }

    private static void logicalOr($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$((a[i] | b[i]) != 0 ? $one$ : 0);
        }
    }

    private static void logicalXor($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i++) {
            b[i] = $cast$((a[i] != 0) != (b[i] != 0) ? $one$ : 0);
        }
    }
//end integer
//if floating

    private static void complexProduct($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i += 2) {
            $type$ ar = a[i];
            $type$ am = a[i + 1];
            $type$ br = b[i];
            $type$ bm = b[i + 1];
            b[i] = ar * br - am * bm;
            b[i + 1] = ar * bm + am * br;
        }
    }
//end floating
//if location

    private static void maxLocation($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i += 2) {
//if integer
            boolean left = a[i] > b[i];
            boolean tie = a[i] == b[i];
//end integer
//if floating
            boolean left = a[i] > b[i] || a[i] != a[i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
//end floating
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            $type$ value = takeLeft ? a[i] : b[i];
            $type$ index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }

    private static void minLocation($type$[] a, $type$[] b, int count) {
        for (int i = 0; i < count; i += 2) {
//if integer
            boolean left = a[i] < b[i];
            boolean tie = a[i] == b[i];
//end integer
//if floating
            boolean left = a[i] < b[i] || a[i] != a[i]; // a NaN wins, as with MAX and MIN
            boolean tie = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]);
//end floating
            boolean takeLeft = tie ? a[i + 1] <= b[i + 1] : left;
            $type$ value = takeLeft ? a[i] : b[i];
            $type$ index = takeLeft ? a[i + 1] : b[i + 1];
            b[i] = value;
            b[i + 1] = index;
        }
    }
//end location
}
