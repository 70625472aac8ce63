package mpi.front.types;

import mpi.ErrorClass;
import mpi.front.job.Handle;
import mpi.spi.Reduction;

/** What an {@code Op} wraps: a predefined operation, or a user's function, and the types that it is defined on. */
public final class ReductionOperation {
    /** A user's function bound to the type it was last used with. */
    private static final class Bound {
        final ItemType type;
        final Reduction reduction;

        Bound(ItemType type, Reduction reduction) {
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
    private UserReduction.OnBuffers camel;
    private UserReduction.OnArrays capital;
    /** The arrays that a user's function of two elements is for; null for a function that knows all types. */
    private Class<?> elements;
    private Bound last;

    /** A user's operation of the camel dialect. */
    public ReductionOperation(UserReduction.OnBuffers function, boolean commutative) {
        this(null, null, 0, commutative);
        camel = function;
    }

    /** A user's operation of the capital dialect. */
    public ReductionOperation(UserReduction.OnArrays function, boolean commutative) {
        this(null, null, 0, commutative);
        capital = function;
    }

    /** A user's function of two elements, on all elements of arrays of this class. */
    public ReductionOperation(Class<?> elements, UserReduction.OnArrays function, boolean commutative) {
        this(function, commutative);
        this.elements = elements;
    }

    private ReductionOperation(Reduction predefined, Reduction onBooleans, int categories, boolean commutative) {
        this.predefined = predefined;
        this.onBooleans = onBooleans;
        this.categories = categories;
        this.commutative = commutative;
    }

    public static ReductionOperation predefined(Reduction.Operator operator, int categories) {
        Reduction reduction = Reduction.predefined(operator);
        Reduction.Operator logical = logical(operator);
        Reduction onBooleans = logical == operator ? reduction : logical == null ? null : Reduction.predefined(logical);
        return new ReductionOperation(reduction, onBooleans,
            onBooleans == null ? categories : categories | ItemType.LOGICAL,
            reduction.commutative);
    }

    /** A sum to which this rank brings a factor. */
    public static ReductionOperation premultipliedSum(double factor) {
        return new ReductionOperation(Reduction.premultipliedSum(factor), null, ItemType.FLOATING, true);
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
    public boolean isDefinedOn(ItemType type) {
        if (predefined == null) {
            return elements == null || elements == type.arrayClass && type.gapped == null
                && (elements == Object[].class || (type.category & (ItemType.INTEGER | ItemType.FLOATING)) != 0);
        }
        return (categories & type.category) != 0;
    }

    /** Whether it is a function of two values: what windows, reduceLocal and, but for sums, scans need. */
    public boolean isBinary() {
        return predefined == null || predefined.operator.isBinary();
    }

    public boolean isAverage() {
        return predefined != null && predefined.operator == Reduction.Operator.AVG;
    }

    public boolean isUsers() {
        return predefined == null;
    }

    /** The operation as the layers below use it on this type. */
    public Reduction on(ItemType type) {
        if (predefined != null) {
            return type.category == ItemType.LOGICAL ? onBooleans : predefined;
        }
        Bound bound = last;
        if (bound == null || bound.type != type) {
            bound =
                new Bound(type, Reduction.user(new UserReduction(camel, capital, type), commutative, camel == null));
            last = bound;
        }
        return bound.reduction;
    }

    /** The function that combines objects; throws ERR_OP unless it is one of the capital dialect. */
    public UserReduction.OnArrays ofObjects(Handle handle, String call) {
        if (capital == null) {
            throw handle.error(ErrorClass.OP, call,
                this + " is not defined on MPI.OBJECT; pass an Op of a User_function");
        }
        return capital;
    }

    /** Whether it is this predefined operation. */
    public boolean is(Reduction.Operator operator) {
        return predefined != null && predefined.operator == operator;
    }

    public boolean isCommutative() {
        return commutative;
    }

    /** Whether it has been freed. */
    public boolean isNull() {
        return predefined == null && camel == null && capital == null;
    }

    /** Throws ERR_OP if it is predefined. */
    public void free() {
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
        return predefined != null ? predefined.name
            : elements == null ? "a user-defined operation"
                : "a user-defined operation on elements of ".concat(elements.getSimpleName());
    }
}
