package org.brigade.transport.cuda.calls;

import mpi.Datatype;
import mpi.MPI;

/** A datatype of the audit, with what it needs of a buffer. All in elements of the array that holds it. */
final class Shape {
    final String name;
    final Datatype type;
    /** The type of its elements. */
    final Datatype element;
    /** Elements of an item. */
    final int size;
    /** From an item to the next. */
    final int extent;
    /** From the first element of an item to the place behind its last. */
    final int span;
    /** No call of the audit has more items in one block. */
    final int most;

    private Shape(String name, Datatype element, Datatype type, int size, int extent, int span, int most) {
        this.name = name;
        this.type = type;
        this.element = element;
        this.size = size;
        this.extent = extent;
        this.span = span;
        this.most = most;
        type.commit();
    }

    int bytes(int elements) {
        return element == MPI.BYTE ? elements : elements * Integer.BYTES;
    }

    static Shape[] all() {
        return new Shape[] {
            new Shape("int", MPI.INT, Datatype.createContiguous(1, MPI.INT), 1, 1, 1, Integer.MAX_VALUE),
            new Shape("vector", MPI.INT, Datatype.createVector(3, 1, 2, MPI.INT), 3, 5, 5, Integer.MAX_VALUE),
            new Shape("irregular", MPI.INT, Datatype.createIndexed(new int[] {2, 1, 3}, new int[] {0, 4, 7}, MPI.INT),
                6, 10, 10, Integer.MAX_VALUE),
            new Shape("column", MPI.INT,
                Datatype.createResized(Datatype.createVector(1500, 1, 16, MPI.INT), 0, Integer.BYTES),
                1500, 1, 1499 * 16 + 1, 2),
            new Shape("odd bytes", MPI.BYTE, Datatype.createVector(2, 3, 7, MPI.BYTE), 6, 10, 10, Integer.MAX_VALUE)};
    }
}
