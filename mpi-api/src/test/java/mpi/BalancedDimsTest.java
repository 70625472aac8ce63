package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shares of ranks for the dimensions of grids (MPI_Dims_create). */
class BalancedDimsTest {
    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    private static int[] filled(int nodes, int... dims) {
        int[] camel = dims.clone();
        CartComm.createDims(nodes, camel);
        int[] capital = dims.clone();
        Cartcomm.Dims_create(nodes, capital);
        assertArrayEquals(camel, capital);
        return camel;
    }

    @Test
    void theStandardsExamples() {
        assertArrayEquals(new int[] {3, 2}, filled(6, 0, 0));
        assertArrayEquals(new int[] {7, 1}, filled(7, 0, 0));
        assertArrayEquals(new int[] {2, 3, 1}, filled(6, 0, 3, 0));
        assertEquals(MPI.ERR_DIMS, assertThrows(MPIException.class, () -> filled(7, 0, 3, 0)).getErrorClass());
    }

    @Test
    void largeAndAwkwardNumbers() {
        assertArrayEquals(new int[] {36, 32}, filled(1152, 0, 0));
        assertArrayEquals(new int[] {16, 16, 16}, filled(4096, 0, 0, 0));
        assertArrayEquals(new int[] {Integer.MAX_VALUE, 1, 1}, filled(Integer.MAX_VALUE, 0, 0, 0));
        assertArrayEquals(new int[] {46_341, 46_337}, filled(46_341 * 46_337, 0, 0));
        int[] many = filled(2_095_133_040, new int[1000]);
        assertEquals(2_095_133_040L, product(many));
        int[] twos = filled(1 << 30, new int[30]);
        assertEquals(60, Arrays.stream(twos).sum());
    }

    @Test
    void whatCannotBeSharedOutIsAnError() {
        fails(MPI.ERR_DIMS, "MPI_ERR_DIMS: CartComm.createDims: 0 ranks fill no grid; pass 1 or more", 0, 0);
        fails(MPI.ERR_DIMS, "MPI_ERR_DIMS: CartComm.createDims: dims is [0, -1]; pass 0 for each dimension to be filled"
            + " in, and 1 or more for the others", 4, 0, -1);
        fails(MPI.ERR_DIMS,
            "MPI_ERR_DIMS: CartComm.createDims: 6 ranks cannot be shared out to dims [2, 2]; the product of those that"
                + " are not 0 must divide the ranks, and be equal to them if none is 0",
            6, 2, 2);
        assertEquals(MPI.ERR_DIMS, assertThrows(MPIException.class, () -> filled(4)).getErrorClass());
        assertEquals(MPI.ERR_DIMS,
            assertThrows(MPIException.class, () -> filled(12, 1 << 16, 1 << 16, 0)).getErrorClass());
        MPIException none = assertThrows(MPIException.class, () -> CartComm.createDims(4, null));
        assertEquals(MPI.ERR_ARG, none.getErrorClass());
    }

    private static void fails(int errorClass, String message, int nodes, int... dims) {
        MPIException e = assertThrows(MPIException.class, () -> CartComm.createDims(nodes, dims));
        assertEquals(message, e.getMessage());
        assertEquals(errorClass, e.getErrorClass());
    }

    @Property(tries = 500)
    void theProductIsTheRanksAndNothingIsCloser(@ForAll @IntRange(min = 1, max = 2000) int nodes,
        @ForAll @IntRange(min = 1, max = 4) int dimensions) {
        FakeProvider.run();
        int[] dims = filled(nodes, new int[dimensions]);
        assertEquals(nodes, product(dims));
        for (int i = 1; i < dims.length; i++) {
            assertTrue(dims[i - 1] >= dims[i], () -> Arrays.toString(dims));
        }
        assertArrayEquals(least(nodes, nodes, dimensions), dims);
    }

    private static long product(int[] dims) {
        return Arrays.stream(dims).asLongStream().reduce(1, (a, b) -> a * b);
    }

    /** By trying all: the factors with the least greatest, then the least second, and so on. */
    private static int[] least(int product, int most, int count) {
        if (count == 1) {
            return product <= most ? new int[] {product} : null;
        }
        for (int first = 1; first <= most; first++) {
            int[] rest = product % first == 0 ? least(product / first, first, count - 1) : null;
            if (rest != null) {
                int[] all = new int[count];
                all[0] = first;
                System.arraycopy(rest, 0, all, 1, rest.length);
                return all;
            }
        }
        return null;
    }
}
