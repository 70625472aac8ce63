package org.brigade.op;

import mpi.NarrowFloat;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import org.brigade.nativ.CompiledReductions;

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
        if (type.numbers.isNarrow()) {
            return new NarrowCombiner(operator, format(type));
        }
        boolean inTwos = isInTwos(type, operator);
        return elementwise(type, operator, inTwos ? CompiledReductions.NONE
            : CompiledReductions.number(type.kind, operator));
    }

    /** The same for one of Java's loops: what runs where the compiled library is missing. */
    static Combiner inJava(TypeLayout type, Operator operator) {
        return elementwise(type, operator, CompiledReductions.NONE);
    }

    private static Combiner elementwise(TypeLayout type, Operator operator, int compiled) {
        boolean complex = isComplex(type);
        int itemBytes = isInTwos(type, operator) ? 2 * type.kind.bytes : type.kind.bytes;
        return switch (type.kind) {
            case BYTE -> new ByteCombiner(operator, itemBytes, compiled);
            case BOOLEAN -> new ByteCombiner(logical(operator), itemBytes, compiled);
            case CHAR -> new CharCombiner(operator, itemBytes, compiled);
            case SHORT -> new ShortCombiner(operator, itemBytes, compiled);
            case INT -> new IntCombiner(operator, itemBytes, compiled);
            case LONG -> new LongCombiner(operator, itemBytes, compiled);
            case FLOAT -> new FloatCombiner(operator, complex, itemBytes, compiled);
            case DOUBLE -> new DoubleCombiner(operator, complex, itemBytes, compiled);
        };
    }

    /**
     * Whether the operation is defined on the type. Items of several elements are reduced element by element, except
     * pairs and complex numbers.
     */
    public static boolean supports(TypeLayout type, Reduction op) {
        return supports(type, op.operator);
    }

    /** As {@link #supports(TypeLayout, Reduction)}. */
    public static boolean supports(TypeLayout type, Operator operator) {
        ElementKind kind = type.kind;
        boolean struct = type.pair != TypeLayout.Pair.NONE;
        return switch (operator) {
            case USER, REPLACE, NO_OP -> true;
            case AVG, PREMULTIPLIED_SUM -> false;
            case MAX, MIN -> !struct && kind != ElementKind.BOOLEAN && !isComplex(type);
            case SUM, PROD -> !struct && kind != ElementKind.BOOLEAN;
            case LAND, LOR, LXOR, BAND, BOR, BXOR -> !struct && !isFloating(type);
            case MAXLOC, MINLOC -> struct || (type.elements == 2 && type.numbers == Numbers.PLAIN
                && kind != ElementKind.BYTE && kind != ElementKind.BOOLEAN && kind != ElementKind.CHAR);
        };
    }

    /** Whether the type's elements are real floating-point numbers, or parts of complex ones. */
    public static boolean isFloating(TypeLayout type) {
        return type.kind == ElementKind.FLOAT || type.kind == ElementKind.DOUBLE || type.numbers.isNarrow();
    }

    private static boolean isComplex(TypeLayout type) {
        return type.numbers == Numbers.COMPLEX;
    }

    /** The format of a narrow type's numbers. */
    public static NarrowFloat format(TypeLayout type) {
        return switch (type.numbers) {
            case FLOAT16 -> NarrowFloat.FLOAT16;
            case BFLOAT16 -> NarrowFloat.BFLOAT16;
            case FLOAT8_E4M3 -> NarrowFloat.FLOAT8_E4M3;
            case FLOAT8_E5M2 -> NarrowFloat.FLOAT8_E5M2;
            default -> throw new IllegalArgumentException(type + " has numbers of Java's own");
        };
    }

    /** Whether two elements are one item. */
    private static boolean isInTwos(TypeLayout type, Operator operator) {
        return isLocation(operator) || isComplex(type) && operator == Operator.PROD;
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
}
