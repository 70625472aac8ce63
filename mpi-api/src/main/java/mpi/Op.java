package mpi;

import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.front.types.UserReduction;
import mpi.spi.Reduction;

/** A reduction operation: a predefined one, or a user's function. */
public class Op implements Freeable {
    final ReductionOperation operation;

    /**
     * A user-defined operation (MPI_Op_create).
     *
     * @param function must be associative
     * @param commutative false keeps the operands in rank order
     * @throws MPIException ERR_ARG if {@code function} is null
     */
    public Op(UserFunction function, boolean commutative) {
        UserFunction given = notNull(function);
        operation = new ReductionOperation((UserReduction.OnBuffers) (in, inOut, count, type) -> given.call(in, inOut,
            count, (Datatype) type), commutative);
    }

    /**
     * A user-defined operation (MPI_Op_create).
     *
     * @param function must be associative
     * @param commutative false keeps the operands in rank order
     * @throws MPIException ERR_ARG if {@code function} is null
     */
    public Op(User_function function, boolean commutative) throws MPIException {
        User_function given = notNull(function);
        operation = new ReductionOperation((UserReduction.OnArrays) (in, inOffset, inOut, inOutOffset, count,
            type) -> given.Call(in, inOffset, inOut, inOutOffset, count, (Datatype) type), commutative);
    }

    /**
     * An operation on each two doubles, such as {@code Op.ofDoubles(Math::hypot, true)}. The left operand is that of
     * the lower rank. For {@link MPI#DOUBLE} and types of doubles without gaps; other types are ERR_OP in the call. Not
     * in MPI's standard.
     *
     * @param function must be associative
     * @param commutative false keeps the operands in rank order
     * @throws MPIException ERR_ARG if {@code function} is null
     */
    public static Op ofDoubles(DoubleBinaryOperator function, boolean commutative) throws MPIException {
        DoubleBinaryOperator given = notNull(function);
        return new Op(new ReductionOperation(double[].class, (in, inAt, inOut, at, count, type) -> {
            double[] left = (double[]) in;
            double[] right = (double[]) inOut;
            for (int i = 0, n = elements(count, type); i < n; i++) {
                right[at + i] = given.applyAsDouble(left[inAt + i], right[at + i]);
            }
        }, commutative));
    }

    /** As {@link #ofDoubles}, on ints. */
    public static Op ofInts(IntBinaryOperator function, boolean commutative) throws MPIException {
        IntBinaryOperator given = notNull(function);
        return new Op(new ReductionOperation(int[].class, (in, inAt, inOut, at, count, type) -> {
            int[] left = (int[]) in;
            int[] right = (int[]) inOut;
            for (int i = 0, n = elements(count, type); i < n; i++) {
                right[at + i] = given.applyAsInt(left[inAt + i], right[at + i]);
            }
        }, commutative));
    }

    /** As {@link #ofDoubles}, on longs. */
    public static Op ofLongs(LongBinaryOperator function, boolean commutative) throws MPIException {
        LongBinaryOperator given = notNull(function);
        return new Op(new ReductionOperation(long[].class, (in, inAt, inOut, at, count, type) -> {
            long[] left = (long[]) in;
            long[] right = (long[]) inOut;
            for (int i = 0, n = elements(count, type); i < n; i++) {
                right[at + i] = given.applyAsLong(left[inAt + i], right[at + i]);
            }
        }, commutative));
    }

    /** As {@link #ofDoubles}, on objects: for {@link MPI#OBJECT}. All elements are of the function's class, or null. */
    public static <T> Op ofObjects(BinaryOperator<T> function, boolean commutative) throws MPIException {
        BinaryOperator<T> given = notNull(function);
        return new Op(new ReductionOperation(Object[].class, (in, inAt, inOut, at, count, type) -> {
            @SuppressWarnings("unchecked")
            T[] left = (T[]) in;
            @SuppressWarnings("unchecked")
            T[] right = (T[]) inOut;
            for (int i = 0, n = elements(count, type); i < n; i++) {
                right[at + i] = given.apply(left[inAt + i], right[at + i]);
            }
        }, commutative));
    }

    private static int elements(int count, Object type) {
        ItemType items = ((Datatype) type).items;
        return count * (items.size >> items.shift);
    }

    Op(ReductionOperation operation) {
        this.operation = operation;
    }

    /** What an operation wraps; null for null. */
    static ReductionOperation operation(Op op) {
        return op == null ? null : op.operation;
    }

    private static <F> F notNull(F function) {
        if (function == null) {
            throw ErrorClass.ARG.in("new Op", "the function is null; pass one");
        }
        return function;
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
        return new Op(ReductionOperation.premultipliedSum(factor));
    }

    /**
     * The implementation of this operation on a type, for extensions beyond MPI. Not in MPI's standard.
     *
     * @param type a type that the operation is defined on
     * @throws MPIException ERR_OP if the operation has been freed or is not defined on {@code type}
     */
    public final Reduction unwrap(Datatype type) throws MPIException {
        if (isNull() || type == null || !operation.isDefinedOn(type.items)) {
            throw ErrorClass.OP.in("Op.unwrap", isNull() ? "the operation has been freed; free it after its last use"
                : this + " is not defined on " + type + "; pass an operation that is");
        }
        return operation.on(type.items);
    }

    public boolean isCommutative() {
        return operation.isCommutative();
    }

    /** Whether this operation has been freed. */
    public boolean isNull() {
        return operation.isNull();
    }

    /**
     * Frees the operation (MPI_Op_free).
     *
     * @throws MPIException ERR_OP if it is predefined
     */
    @Override
    public void free() throws MPIException {
        operation.free();
    }

    @Override
    public String toString() {
        return operation.toString();
    }
}
