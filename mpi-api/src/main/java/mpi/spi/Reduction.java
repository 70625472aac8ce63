package mpi.spi;

/** A reduction operation for the layers below: a predefined one, or the user's function. */
public final class Reduction {
    /** MPI's predefined operations, and two of Brigade's that are no functions of two values. */
    public enum Operator {
        MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, MAXLOC, MINLOC, REPLACE, NO_OP,
        /** The sum of all contributions, divided by their number. */
        AVG,
        /** The sum of all contributions, each times its rank's {@link Reduction#factor}. */
        PREMULTIPLIED_SUM, USER;

        /** Whether it is a function of two values, so that results may be combined in turn. */
        public boolean isBinary() {
            return this != AVG && this != PREMULTIPLIED_SUM;
        }
    }

    /** A user's function: {@code inout[i] = in[i] op inout[i]} for {@code count} items. */
    public interface Function {
        /**
         * Combines {@code count} items.
         *
         * @param in the left operands: an array of the type's kind, or a direct ByteBuffer in native order
         * @param inOffset index of the first element in {@code in} (0 for a buffer)
         * @param inout the right operands, replaced by the results; same class as {@code in}
         * @param inoutOffset index of the first element in {@code inout} (0 for a buffer)
         */
        void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count);
    }

    public final String name;
    public final Operator operator;
    public final boolean commutative;
    /** The user's function, null for predefined operations. */
    public final Function function;
    /**
     * Which operands the user's function prefers: arrays, or direct buffers. It takes both, but copies the other kind.
     */
    public final boolean asArrays;
    /** What this rank's values are multiplied by first; 1 for all but PREMULTIPLIED_SUM. */
    public final double factor;

    private Reduction(String name, Operator operator, boolean commutative, Function function, boolean asArrays,
        double factor) {
        this.name = name;
        this.operator = operator;
        this.commutative = commutative;
        this.function = function;
        this.asArrays = asArrays;
        this.factor = factor;
    }

    /** A predefined operation; all but REPLACE and NO_OP commute. */
    public static Reduction predefined(Operator operator) {
        return new Reduction("MPI.".concat(operator.name()), operator,
            operator != Operator.REPLACE && operator != Operator.NO_OP, null, false, 1);
    }

    /** A sum to which each rank may bring a factor of its own. */
    public static Reduction premultipliedSum(double factor) {
        return new Reduction("a premultiplied sum", Operator.PREMULTIPLIED_SUM, true, null, false, factor);
    }

    /** A user's function that prefers arrays. */
    public static Reduction user(Function function, boolean commutative) {
        return user(function, commutative, true);
    }

    /** A user's function; for {@code asArrays} see the field. */
    public static Reduction user(Function function, boolean commutative, boolean asArrays) {
        return new Reduction("a user-defined operation", Operator.USER, commutative, function, asArrays, 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
