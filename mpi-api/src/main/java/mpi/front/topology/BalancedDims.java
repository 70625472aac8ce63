package mpi.front.topology;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;

/** Shares ranks out to the dimensions of a grid (MPI_Dims_create). */
public final class BalancedDims {
    /** No int has more. */
    private static final int MOST_DIVISORS = 1600;

    private final int[] factors;
    private final int[] divisors;

    private BalancedDims(int free, int product) {
        factors = new int[free];
        divisors = divisors(product);
    }

    /**
     * Fills in those of {@code dims} that are 0, so that the product of all is {@code nodes}: as close to each other as
     * possible, the largest first.
     */
    public static void fill(String call, int nodes, int[] dims) {
        if (dims == null) {
            throw ErrorClass.ARG.in(call, "dims is null; pass an array with 0 for each dimension to be filled in");
        }
        if (nodes < 1) {
            throw ErrorClass.DIMS.in(call, nodes + " ranks fill no grid; pass 1 or more");
        }
        int rest = nodes;
        int free = 0;
        for (int dim : dims) {
            if (dim < 0) {
                throw ErrorClass.DIMS.in(call, "dims is " + Arrays.toString(dims)
                    + "; pass 0 for each dimension to be filled in, and 1 or more for the others");
            }
            free += dim == 0 ? 1 : 0;
            if (dim > 0 && rest % dim != 0) {
                throw notDivisible(call, nodes, dims);
            }
            rest /= Math.max(1, dim);
        }
        if (free == 0) {
            if (rest != 1) {
                throw notDivisible(call, nodes, dims);
            }
            return;
        }
        BalancedDims balanced = new BalancedDims(free, rest);
        balanced.search(0, rest, rest);
        int next = 0;
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] == 0) {
                dims[i] = balanced.factors[next++];
            }
        }
    }

    private static MPIException notDivisible(String call, int nodes, int[] dims) {
        return ErrorClass.DIMS.in(call, nodes + " ranks cannot be shared out to dims " + Arrays.toString(dims)
            + "; the product of those that are not 0 must divide the ranks, and be equal to them if none is 0");
    }

    /** Writes {@code rest} as a product from {@code at} on: the least possible first factor, then the same again. */
    private boolean search(int at, int rest, int most) {
        if (rest == 1) {
            Arrays.fill(factors, at, factors.length, 1);
            return true;
        }
        if (at == factors.length - 1) {
            factors[at] = rest;
            return rest <= most;
        }
        double least = Math.floor(Math.pow(rest, 1.0 / (factors.length - at)));
        for (int factor : divisors) {
            if (factor > most) {
                return false;
            }
            if (factor >= least && factor > 1 && rest % factor == 0) {
                factors[at] = factor;
                if (search(at + 1, rest / factor, factor)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The divisors of a number, ascending. */
    private static int[] divisors(int number) {
        int[] divisors = new int[MOST_DIVISORS];
        int count = 0;
        for (int i = 1; (long) i * i <= number; i++) {
            if (number % i == 0) {
                divisors[count++] = i;
                if (i != number / i) {
                    divisors[count++] = number / i;
                }
            }
        }
        Arrays.sort(divisors, 0, count);
        return Arrays.copyOf(divisors, count);
    }
}
