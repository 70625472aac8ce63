package org.brigade.aggregation;

import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import mpi.spi.TypeLayout.Pair;

/** Types that networks reduce, in libsharp_coll's order: the ordinal is its code. */
public enum AggregationType {
    UINT32(4, null), INT32(4, TypeLayout.of("MPI.INT", ElementKind.INT, 1)), UINT64(8, null),
    INT64(8, TypeLayout.of("MPI.LONG", ElementKind.LONG, 1)),
    FLOAT32(4, TypeLayout.of("MPI.FLOAT", ElementKind.FLOAT, 1)),
    FLOAT64(8, TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1)),
    UINT16(2, TypeLayout.of("MPI.CHAR", ElementKind.CHAR, 1)),
    INT16(2, TypeLayout.of("MPI.SHORT", ElementKind.SHORT, 1)),
    FLOAT16(2, TypeLayout.of("float16", ElementKind.SHORT, 1, Numbers.FLOAT16)),
    BFLOAT16(2, TypeLayout.of("bfloat16", ElementKind.SHORT, 1, Numbers.BFLOAT16)),
    UINT8(1, null), INT8(1, TypeLayout.of("MPI.BYTE", ElementKind.BYTE, 1));

    private static final AggregationType[] ALL = values();

    public final int bytes;
    /** One element of this type in Brigade's terms; null if Java has no such numbers. */
    public final TypeLayout layout;

    AggregationType(int bytes, TypeLayout layout) {
        this.bytes = bytes;
        this.layout = layout;
    }

    /** The type with this code, or null. */
    public static AggregationType of(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : null;
    }

    /**
     * The network's type for the elements of a datatype; null if the network cannot reduce them. It depends on the
     * elements only, so ranks whose datatypes differ but match (a vector of ints, an int) get the same answer.
     */
    public static AggregationType of(TypeLayout type) {
        if (type.pair != Pair.NONE || type.numbers == Numbers.COMPLEX || type.numbers.isFloat8()) {
            return null;
        }
        if (type.numbers == Numbers.FLOAT16) {
            return FLOAT16;
        }
        if (type.numbers == Numbers.BFLOAT16) {
            return BFLOAT16;
        }
        return switch (type.kind) {
            case BYTE -> INT8;
            case CHAR -> UINT16;
            case SHORT -> INT16;
            case INT -> INT32;
            case LONG -> INT64;
            case FLOAT -> FLOAT32;
            case DOUBLE -> FLOAT64;
            case BOOLEAN -> null;
        };
    }
}
