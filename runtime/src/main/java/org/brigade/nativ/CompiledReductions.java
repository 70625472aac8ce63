package org.brigade.nativ;

import mpi.spi.ElementKind;
import mpi.spi.Reduction.Operator;

/**
 * The reductions of {@link BrigadeLibrary}: MAX, MIN, SUM, PROD and, on integers, the logical and bitwise operations on
 * all element kinds. One pass over memory outside the heap and over arrays alike; in Java each operand is copied into
 * an array first, because only loops over arrays are vectorised. The results are those of Java's loops, bit for bit.
 */
public final class CompiledReductions {
    /** Instead of a reduction's number: there is none. */
    public static final int NONE = -1;

    /** A collector waits for a call that uses an array. */
    private static final long MOST_ELEMENTS = 64 << 10;
    private static final int OPERATORS = 10;
    /** By kind. */
    private static final byte[] SHIFTS = {0, 1, 1, 2, 3, 2, 3};

    private CompiledReductions() {
    }

    /** Whether {@link #reduce} may be called. Loads the library. */
    public static boolean areThere() {
        return BrigadeLibrary.LOADED;
    }

    /**
     * The number of a reduction, for {@link #reduce}. Does not load the library.
     *
     * @return {@link #NONE} if there is no such reduction
     */
    public static int number(ElementKind kind, Operator operator) {
        int row = switch (kind) {
            case BYTE -> 0;
            case CHAR -> 1;
            case SHORT -> 2;
            case INT -> 3;
            case LONG -> 4;
            case FLOAT -> 5;
            case DOUBLE -> 6;
            case BOOLEAN -> NONE;
        };
        int column = switch (operator) {
            case MAX -> 0;
            case MIN -> 1;
            case SUM -> 2;
            case PROD -> 3;
            case LAND -> 4;
            case BAND -> 5;
            case LOR -> 6;
            case BOR -> 7;
            case LXOR -> 8;
            case BXOR -> 9;
            default -> NONE;
        };
        boolean floating = kind == ElementKind.FLOAT || kind == ElementKind.DOUBLE;
        boolean defined = row >= 0 && column >= 0 && (!floating || column < 4);
        return defined ? row * OPERATORS + column : NONE;
    }

    static int kind(int number) {
        return number / OPERATORS;
    }

    static int operator(int number) {
        return number % OPERATORS;
    }

    /** The logarithm of the size of a reduction's elements. */
    public static int shift(int number) {
        return SHIFTS[kind(number)];
    }

    /**
     * {@code target[i] = operand[i] op incoming[i]}. Target and operand are a primitive array and a byte in it, or null
     * and an address; all begin at multiples of the element's size. Only if {@link #areThere}.
     *
     * @param number of {@link #number}
     * @param incoming an address
     * @param shift the logarithm of an element's size
     * @param bytes of whole elements
     * @return false if the JVM could not give the arrays; then nothing has been done
     */
    public static boolean reduce(int number, Object target, long targetAt, Object operand, long operandAt,
        long incoming, int shift, int bytes) {
        int kind = kind(number);
        int operator = operator(number);
        long count = bytes >> shift;
        long most = target == null && operand == null ? count : MOST_ELEMENTS;
        for (long done = 0; done < count; done += most) {
            long at = done << shift;
            if (!BrigadeLibrary.reduce(kind, operator, target, targetAt + at, operand, operandAt + at, incoming + at,
                Math.min(most, count - done))) {
                if (done == 0) {
                    return false;
                }
                throw new OutOfMemoryError("the JVM has no memory to give an array to compiled code");
            }
        }
        return true;
    }
}
