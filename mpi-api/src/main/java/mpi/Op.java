package mpi;

import mpi.spi.Reduction;

/** A reduction operation: a predefined one, or a user's function. */
public class Op implements Freeable {
    /** A user's function bound to the type it was last used with. */
    private static final class Bound {
        final Datatype type;
        final Reduction reduction;

        Bound(Datatype type, Reduction reduction) {
            this.type = type;
            this.reduction = reduction;
        }
    }

    private final boolean commutative;
    private final Reduction predefined;
    /** The logical operation that a predefined one is on booleans, null if there is none. */
    private final Reduction onBooleans;
    /** The categories of datatypes that a predefined operation is defined on. */
    private final int categories;
    private UserFunction camel;
    private User_function capital;
    private Bound last;

    /**
     * A user-defined operation (MPI_Op_create).
     *
     * @param function must be associative
     * @param commutative false keeps the operands in rank order
     * @throws MPIException ERR_ARG if {@code function} is null
     */
    public Op(UserFunction function, boolean commutative) {
        this(null, null, 0, commutative);
        camel = notNull(function);
    }

    /**
     * A user-defined operation (MPI_Op_create).
     *
     * @param function must be associative
     * @param commutative false keeps the operands in rank order
     * @throws MPIException ERR_ARG if {@code function} is null
     */
    public Op(User_function function, boolean commutative) throws MPIException {
        this(null, null, 0, commutative);
        capital = notNull(function);
    }

    private Op(Reduction predefined, Reduction onBooleans, int categories, boolean commutative) {
        this.predefined = predefined;
        this.onBooleans = onBooleans;
        this.categories = categories;
        this.commutative = commutative;
    }

    private static <F> F notNull(F function) {
        if (function == null) {
            throw ErrorClass.ARG.in("new Op", "the function is null; pass one");
        }
        return function;
    }

    static Op predefined(Reduction.Operator operator, int categories) {
        Reduction reduction = Reduction.predefined(operator);
        Reduction.Operator logical = logical(operator);
        Reduction onBooleans = logical == operator ? reduction : logical == null ? null : Reduction.predefined(logical);
        return new Op(reduction, onBooleans, onBooleans == null ? categories : categories | Datatype.LOGICAL,
            reduction.commutative);
    }

    /**
     * A sum to which each rank brings a factor: rank r's numbers x give the sum of factor(r) * x. Ranks may pass
     * operations with different factors to one call. Numbers of 8 or 16 bits are multiplied and added as floats, and
     * the sum is rounded once. For reduce, allReduce, the reduce-scatters, scan and exscan of floating-point types.
     * Calls on device memory go through host memory. Not in MPI's standard.
     *
     * @param factor of this rank's numbers; rounded to a float first for all types but MPI.DOUBLE
     * @return an operation that need not be freed
     */
    public static Op premultipliedSum(double factor) {
        return new Op(Reduction.premultipliedSum(factor), null, Datatype.FLOATING, true);
    }

    /** The operation's effect on 0 and 1 if all sums above 1 count as 1. */
    private static Reduction.Operator logical(Reduction.Operator operator) {
        switch (operator) {
            case LAND :
            case BAND :
            case MIN :
            case PROD :
                return Reduction.Operator.LAND;
            case LOR :
            case BOR :
            case MAX :
            case SUM :
                return Reduction.Operator.LOR;
            case LXOR :
            case BXOR :
                return Reduction.Operator.LXOR;
            default :
                return null;
        }
    }

    /** Whether this operation may be used on the type, with {@link #isNull} false. */
    final boolean isDefinedOn(Datatype type) {
        return predefined == null || (categories & type.category) != 0;
    }

    /** Whether it is a function of two values: what windows, reduceLocal and, but for sums, scans need. */
    final boolean isBinary() {
        return predefined == null || predefined.operator.isBinary();
    }

    final boolean isAverage() {
        return predefined != null && predefined.operator == Reduction.Operator.AVG;
    }

    final boolean isUsers() {
        return predefined == null;
    }

    /** The operation as the layers below use it on this type. */
    final Reduction on(Datatype type) {
        if (predefined != null) {
            return type.category == Datatype.LOGICAL ? onBooleans : predefined;
        }
        Bound bound = last;
        if (bound == null || bound.type != type) {
            bound =
                new Bound(type, Reduction.user(new UserReduction(camel, capital, type), commutative, camel == null));
            last = bound;
        }
        return bound.reduction;
    }

    /** The function that combines objects; throws ERR_OP unless it is a {@link User_function}. */
    final User_function ofObjects(Handle handle, String call) {
        if (capital == null) {
            throw handle.error(ErrorClass.OP, call,
                this + " is not defined on MPI.OBJECT; pass an Op of a User_function");
        }
        return capital;
    }

    /**
     * The implementation of this operation on a type, for extensions beyond MPI. Not in MPI's standard.
     *
     * @param type a type that the operation is defined on
     * @throws MPIException ERR_OP if the operation has been freed or is not defined on {@code type}
     */
    public final Reduction unwrap(Datatype type) throws MPIException {
        if (isNull() || type == null || !isDefinedOn(type)) {
            throw ErrorClass.OP.in("Op.unwrap", isNull() ? "the operation has been freed; free it after its last use"
                : this + " is not defined on " + type + "; pass an operation that is");
        }
        return on(type);
    }

    public boolean isCommutative() {
        return commutative;
    }

    /** Whether this operation has been freed. */
    public boolean isNull() {
        return predefined == null && camel == null && capital == null;
    }

    /**
     * Frees the operation (MPI_Op_free).
     *
     * @throws MPIException ERR_OP if it is predefined
     */
    @Override
    public void free() throws MPIException {
        if (predefined != null && predefined.operator != Reduction.Operator.PREMULTIPLIED_SUM) {
            throw ErrorClass.OP.in("Op.free",
                this + " is predefined and cannot be freed; free only operations made with new Op");
        }
        camel = null;
        capital = null;
        last = null;
    }

    @Override
    public String toString() {
        return predefined != null ? predefined.name : "a user-defined operation";
    }
}
