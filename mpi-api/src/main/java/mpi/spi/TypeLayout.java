package mpi.spi;

import java.util.Objects;

/**
 * What the layers below need to know of a datatype: what one item of it is made of. All items are contiguous so far;
 * derived types will add their pack program here.
 *
 * <p>A pair that mixes kinds (a value and its index, for MINLOC and MAXLOC) is a {@link Pair}: the C struct of that name,
 * padded as C pads it.
 */
public final class TypeLayout {
    /** A value with an int index behind it, laid out as the C compiler lays out the struct. */
    public enum Pair {
        /** Not a struct; two elements of one kind may still be used as a pair. */
        NONE,
        /** {@code struct { short value; int index; }}: 8 bytes. */
        SHORT_INT,
        /** {@code struct { int value; int index; }}: 8 bytes. */
        INT_INT,
        /** {@code struct { long value; int index; }}: 16 bytes. */
        LONG_INT,
        /** {@code struct { float value; int index; }}: 8 bytes. */
        FLOAT_INT,
        /** {@code struct { double value; int index; }}: 16 bytes. */
        DOUBLE_INT
    }

    /** The name to use in messages, such as {@code MPI.DOUBLE}. */
    public final String name;
    /** The kind of array that holds this type; BYTE for struct pairs. */
    public final ElementKind kind;
    /** Elements of {@link #kind} in one item. */
    public final int elements;
    /** Bytes from one item to the next. */
    public final int extent;
    /** Which struct this is, or {@link Pair#NONE}. */
    public final Pair pair;

    private TypeLayout(String name, ElementKind kind, int elements, Pair pair) {
        this.name = Objects.requireNonNull(name);
        this.kind = kind;
        this.elements = elements;
        this.extent = elements * kind.bytes;
        this.pair = pair;
    }

    /** A type whose items are {@code elements} elements of one kind. */
    public static TypeLayout of(String name, ElementKind kind, int elements) {
        return new TypeLayout(name, kind, elements, Pair.NONE);
    }

    /** A struct of {@code extent} bytes. */
    public static TypeLayout pair(String name, Pair pair, int extent) {
        return new TypeLayout(name, ElementKind.BYTE, extent, pair);
    }

    @Override
    public String toString() {
        return name;
    }
}
