package org.brigade.op;

import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;

/** Finds the combiner for a datatype and an operation. */
public final class Combiners {
    private Combiners() {
    }

    /**
     * A combiner with scratch of its own.
     *
     * @param incomingFirst false for {@code operand op incoming}, true for {@code incoming op operand}; only a user's
     * function, REPLACE and NO_OP tell the two apart
     * @throws IllegalArgumentException if {@link #supports} returns false
     */
    public static Combiner of(TypeLayout type, Reduction op, boolean incomingFirst) {
        if (!supports(type, op)) {
            throw new IllegalArgumentException(
                op + " is not defined on " + type + "; use another operation or write one with new Op");
        }
        Operator operator = op.operator;
        if (operator == Operator.USER) {
            return new UserCombiner(type, op, incomingFirst);
        }
        if (operator == Operator.REPLACE || operator == Operator.NO_OP) {
            // MPI writes inout = in op inout with in on the left: REPLACE keeps the left value, NO_OP the right one.
            return new SelectingCombiner((operator == Operator.REPLACE) == incomingFirst, type.kind.bytes);
        }
        if (type.pair != TypeLayout.Pair.NONE) {
            return new PairCombiner(type.pair, operator == Operator.MAXLOC, type.extent);
        }
        if (isHalf(type)) {
            return new HalfCombiner(operator, type.numbers == Numbers.BFLOAT16);
        }
        boolean complex = isComplex(type);
        boolean inTwos = isLocation(operator) || (complex && operator == Operator.PROD);
        int itemBytes = inTwos ? 2 * type.kind.bytes : type.kind.bytes;
        return switch (type.kind) {
            case BYTE -> new ByteCombiner(operator, itemBytes);
            case BOOLEAN -> new ByteCombiner(logical(operator), itemBytes);
            case CHAR -> new CharCombiner(operator, itemBytes);
            case SHORT -> new ShortCombiner(operator, itemBytes);
            case INT -> new IntCombiner(operator, itemBytes);
            case LONG -> new LongCombiner(operator, itemBytes);
            case FLOAT -> new FloatCombiner(operator, complex, itemBytes);
            case DOUBLE -> new DoubleCombiner(operator, complex, itemBytes);
        };
    }

    /**
     * Whether the operation is defined on the type. Items of several elements are reduced element by element, except
     * pairs and complex numbers.
     */
    public static boolean supports(TypeLayout type, Reduction op) {
        ElementKind kind = type.kind;
        boolean floating = kind == ElementKind.FLOAT || kind == ElementKind.DOUBLE || isHalf(type);
        boolean struct = type.pair != TypeLayout.Pair.NONE;
        return switch (op.operator) {
            case USER, REPLACE, NO_OP -> true;
            case MAX, MIN -> !struct && kind != ElementKind.BOOLEAN && !isComplex(type);
            case SUM, PROD -> !struct && kind != ElementKind.BOOLEAN;
            case LAND, LOR, LXOR, BAND, BOR, BXOR -> !struct && !floating;
            case MAXLOC, MINLOC -> struct || (type.elements == 2 && type.numbers == Numbers.PLAIN
                && kind != ElementKind.BYTE && kind != ElementKind.BOOLEAN && kind != ElementKind.CHAR);
        };
    }

    private static boolean isComplex(TypeLayout type) {
        return type.numbers == Numbers.COMPLEX;
    }

    private static boolean isHalf(TypeLayout type) {
        return type.numbers == Numbers.FLOAT16 || type.numbers == Numbers.BFLOAT16;
    }

    private static boolean isLocation(Operator operator) {
        return operator == Operator.MAXLOC || operator == Operator.MINLOC;
    }

    /** The bits of a boolean are its truth. */
    private static Operator logical(Operator operator) {
        return switch (operator) {
            case BAND -> Operator.LAND;
            case BOR -> Operator.LOR;
            case BXOR -> Operator.LXOR;
            default -> operator;
        };
    }

    static IllegalStateException undefined(Operator operator, String kind) {
        return new IllegalStateException(operator + " is not defined on " + kind);
    }
}
