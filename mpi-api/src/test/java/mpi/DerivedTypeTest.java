package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Bounds, extents and sizes as MPI's standard gives them, in the units of each dialect; commit, free and dup. */
class DerivedTypeTest {
    /** Lower bound, extent, size, true lower bound, true extent. */
    private static void has(Datatype type, int lb, int extent, int size, int trueLb, int trueExtent) {
        assertArrayEquals(new int[] {lb, extent, size, trueLb, trueExtent},
            new int[] {type.getLb(), type.getExtent(), type.getSize(), type.getTrueLb(), type.getTrueExtent()});
    }

    @Test
    void theCamelDialectCountsElementsOfTheArray() {
        has(Datatype.createContiguous(5, MPI.INT), 0, 5, 5, 0, 5);
        has(Datatype.createVector(3, 2, 4, MPI.DOUBLE), 0, 10, 6, 0, 10);
        has(Datatype.createVector(3, 2, -4, MPI.DOUBLE), -8, 10, 6, -8, 10);
        has(Datatype.createHVector(3, 2, 32, MPI.DOUBLE), 0, 10, 6, 0, 10);
        has(Datatype.createIndexed(new int[] {2, 0, 1}, new int[] {5, 100, 1}, MPI.FLOAT), 1, 6, 3, 1, 6);
        has(Datatype.createHIndexed(new int[] {2, 1}, new int[] {20, 4}, MPI.FLOAT), 1, 6, 3, 1, 6);
        has(Datatype.createResized(Datatype.createVector(2, 1, 3, MPI.INT), -4, 40), -1, 10, 2, 0, 4);
        has(Datatype.createContiguous(0, MPI.INT), 0, 0, 0, 0, 0);
        has(Datatype.createVector(0, 3, 1, MPI.INT), 0, 0, 0, 0, 0);
    }

    @Test
    void aStructCountsBytesAndIsPaddedAsInC() {
        Datatype type =
            Datatype.createStruct(new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {MPI.DOUBLE, MPI.BYTE});
        has(type, 0, 16, 9, 0, 9);
        Datatype resized = Datatype.createResized(type, 0, 9);
        has(Datatype.createStruct(new int[] {2}, new int[] {1}, new Datatype[] {resized}), 1, 18, 18, 1, 18);
    }

    @Test
    void theCapitalDialectNeedsNoCommitAndCountsElements() {
        Datatype vector = Datatype.Vector(3, 2, 4, MPI.INT);
        assertArrayEquals(new int[] {0, 10, 10, 6},
            new int[] {vector.Lb(), vector.Ub(), vector.Extent(), vector.Size()});
        assertEquals(10, Datatype.Hvector(3, 2, 4, MPI.INT).Extent());
        assertEquals(22, Datatype.Hvector(2, 1, 12, Datatype.Contiguous(10, MPI.INT)).Extent());
        assertEquals(8, Datatype.Indexed(new int[] {1, 1}, new int[] {0, 7}, MPI.INT).Extent());
        assertEquals(8, Datatype.Hindexed(new int[] {1, 1}, new int[] {0, 7}, MPI.INT).Ub());
        Datatype bounded = Datatype.Struct(new int[] {1, 2, 1}, new int[] {-1, 3, 9},
            new Datatype[] {MPI.LB, MPI.SHORT, MPI.UB});
        assertArrayEquals(new int[] {-1, 9, 10, 2},
            new int[] {bounded.Lb(), bounded.Ub(), bounded.Extent(), bounded.Size()});
        // A bound that the program has set stays when the type is built on.
        assertEquals(20, Datatype.Contiguous(2, bounded).Extent());
        assertEquals(short[].class, bounded.items.arrayClass);
        assertTrue(bounded.items.isCommitted());
    }

    @Test
    void itemsSideBySideAreHandedDownAsTheyAre() {
        assertEquals(null, Datatype.createContiguous(4, MPI.INT).items.gapped);
        assertEquals(null, Datatype.createVector(4, 3, 3, MPI.INT).items.gapped);
        assertEquals(null, Datatype.createIndexed(new int[] {2, 2}, new int[] {0, 2}, MPI.INT).items.gapped);
        assertFalse(Datatype.createIndexed(new int[] {2, 2}, new int[] {2, 0}, MPI.INT).items.gapped == null);
        assertFalse(Datatype.createResized(MPI.INT, 0, 8).items.gapped == null);
    }

    @Test
    void aTypeMustBeCommittedAndIsNullOnceFreed() {
        Datatype type = Datatype.createVector(2, 1, 2, MPI.INT);
        assertFalse(type.items.isCommitted());
        type.commit();
        type.commit();
        assertTrue(type.items.isCommitted());
        Datatype built = Datatype.createContiguous(2, type);
        Datatype copy = type.dup();
        assertNotSame(type, copy);
        type.free();
        assertTrue(type.isNull());
        assertEquals(MPI.ERR_TYPE, assertThrows(MPIException.class, type::free).getErrorClass());
        assertEquals(MPI.ERR_TYPE, assertThrows(MPIException.class, type::getExtent).getErrorClass());
        assertEquals(6, built.getExtent());
        assertEquals(3, copy.getExtent());
        copy.free();
        assertEquals(MPI.ERR_TYPE, assertThrows(MPIException.class, MPI.INT::free).getErrorClass());
        Datatype second = MPI.INT.dup();
        second.free();
        assertFalse(MPI.INT.isNull());
    }

    @Test
    void wrongArgumentsAreNamed() {
        fails(MPI.ERR_ARG, "count -1", () -> Datatype.createContiguous(-1, MPI.INT));
        fails(MPI.ERR_ARG, "block length -2", () -> Datatype.createVector(1, -2, 3, MPI.INT));
        fails(MPI.ERR_TYPE, "null", () -> Datatype.createVector(1, 2, 3, null));
        fails(MPI.ERR_ARG, "2 block lengths and 1 displacements",
            () -> Datatype.createIndexed(new int[2], new int[1], MPI.INT));
        fails(MPI.ERR_ARG, "are null", () -> Datatype.createIndexed(null, new int[1], MPI.INT));
        fails(MPI.ERR_ARG, "1 displacements and 2 types",
            () -> Datatype.createStruct(new int[2], new int[1], new Datatype[] {MPI.INT, MPI.INT}));
        fails(MPI.ERR_TYPE, "type 1, MPI.FLOAT, lies in a float[]",
            () -> Datatype.Struct(new int[2], new int[2], new Datatype[] {MPI.INT, MPI.FLOAT}));
        fails(MPI.ERR_ARG, "2 GiB", () -> Datatype.createContiguous(1 << 30, MPI.DOUBLE));
        fails(MPI.ERR_ARG, "2 GiB",
            () -> Datatype.createVector(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, MPI.DOUBLE));
    }

    /** In the camel dialect nothing can be received into overlapping elements; programs for MPJ Express do it. */
    @Test
    void overlappingElementsAreRefusedInTheCamelDialect() {
        assertTrue(Datatype.createVector(2, 3, 2, MPI.INT).items.overlaps());
        assertFalse(Datatype.createVector(2, 3, 4, MPI.INT).items.overlaps());
        assertFalse(Datatype.Vector(2, 3, 2, MPI.INT).items.overlaps());
    }

    private static void fails(int errorClass, String named, Runnable call) {
        MPIException thrown = assertThrows(MPIException.class, call::run);
        assertEquals(errorClass, thrown.getErrorClass());
        assertTrue(thrown.getMessage().contains(named), thrown.getMessage());
    }

    @Test
    void receivedElementsAreCountedThroughTheType() {
        Datatype pair = Datatype.createStruct(new int[] {1, 2}, new int[] {0, 8}, new Datatype[] {MPI.INT, MPI.DOUBLE});
        Status status = new Status();
        status.setElements(pair, 4);
        assertEquals(24, status.bytes());
        assertEquals(4, status.getElements(pair));
        assertEquals(MPI.UNDEFINED, status.getCount(pair));
        status.setElements(pair, 6);
        assertEquals(2, status.getCount(pair));
        Status cut = new Status();
        cut.setElements(MPI.BYTE, 7);
        assertEquals(MPI.UNDEFINED, cut.getElements(pair));
    }
}
