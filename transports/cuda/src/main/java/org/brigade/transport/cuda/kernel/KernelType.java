package org.brigade.transport.cuda.kernel;

import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import mpi.spi.TypeLayout.Pair;
import org.brigade.op.Combiners;

/** The names of datatypes and operations in the reducing kernels' names; each type has a module of its own. */
public final class KernelType {
    private static final String[] PAIRS = {null, "short_int", "int_int", "long_int", "float_int", "double_int"};
    /** The module with the averages of all types. */
    private static final String AVERAGE = "average";

    /** Which of the newest modules the jar has. */
    private static final class Modules {
        static final boolean AVERAGE = KernelImages.has(KernelType.AVERAGE);
        static final boolean E4M3 = KernelImages.has("reduce_f8e4m3");
        static final boolean E5M2 = KernelImages.has("reduce_f8e5m2");
    }

    private KernelType() {
    }

    /** {@code f32}, {@code i64x2}, {@code double_int}: the elements that an operation on a type works on. */
    public static String of(TypeLayout type, Operator operator) {
        if (type.pair != Pair.NONE) {
            return PAIRS[type.pair.ordinal()];
        }
        boolean inPairs = operator == Operator.MAXLOC || operator == Operator.MINLOC;
        return switch (type.kind) {
            case BYTE -> type.numbers == Numbers.FLOAT8_E4M3 ? "f8e4m3"
                : type.numbers == Numbers.FLOAT8_E5M2 ? "f8e5m2" : "i8";
            case BOOLEAN -> "bool";
            case CHAR -> "u16";
            case SHORT -> type.numbers == Numbers.FLOAT16 ? "f16"
                : type.numbers == Numbers.BFLOAT16 ? "bf16" : inPairs ? "i16x2" : "i16";
            case INT -> inPairs ? "i32x2" : "i32";
            case LONG -> inPairs ? "i64x2" : "i64";
            case FLOAT -> type.numbers == Numbers.COMPLEX ? "c32" : inPairs ? "f32x2" : "f32";
            case DOUBLE -> type.numbers == Numbers.COMPLEX ? "c64" : inPairs ? "f64x2" : "f64";
        };
    }

    /** Whether this jar has kernels for the operation on the type. */
    public static boolean reduces(TypeLayout type, Operator operator) {
        if (operator == Operator.AVG) {
            return Combiners.isFloating(type) && type.numbers != Numbers.COMPLEX && Modules.AVERAGE;
        }
        return of(operator) != null && Combiners.supports(type, operator) && switch (type.numbers) {
            case FLOAT8_E4M3 -> Modules.E4M3 && operator == Operator.SUM;
            case FLOAT8_E5M2 -> Modules.E5M2 && operator == Operator.SUM;
            default -> true;
        };
    }

    /** The module with a kernel of an operation on a type, all by their names: chains have modules of their own. */
    static String module(String kernel, String operator, String type) {
        return operator.equals("avg") ? AVERAGE : (kernel.endsWith("chain") ? "chain_" : "reduce_") + type;
    }

    /**
     * {@code maxloc}; null for operations without a kernel: the user's, premultiplied sums, REPLACE and NO_OP.
     */
    public static String of(Operator operator) {
        return switch (operator) {
            case MAX -> "max";
            case MIN -> "min";
            case SUM -> "sum";
            case PROD -> "prod";
            case LAND -> "land";
            case BAND -> "band";
            case LOR -> "lor";
            case BOR -> "bor";
            case LXOR -> "lxor";
            case BXOR -> "bxor";
            case MAXLOC -> "maxloc";
            case MINLOC -> "minloc";
            case AVG -> "avg";
            case REPLACE, NO_OP, PREMULTIPLIED_SUM, USER -> null;
        };
    }

    /** The number of {@code OP_maxloc} in the kernels' text; -1 for operations that no resident kernel has. */
    public static int code(Operator operator) {
        return switch (operator) {
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
            case MAXLOC -> 10;
            case MINLOC -> 11;
            case AVG, REPLACE, NO_OP, PREMULTIPLIED_SUM, USER -> -1;
        };
    }
}
