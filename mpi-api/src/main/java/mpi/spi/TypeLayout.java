package mpi.spi;

import java.util.Objects;

/**
 * What the layers below need to know of a datatype: the structure of one item. All items are contiguous so far; derived
 * types will add their pack program here.
 *
 * <p>
 * A pair that mixes kinds (a value and its index, for MINLOC and MAXLOC) is a {@link Pair}: the C struct of that name,
 * padded as C pads it.
 */
public final class TypeLayout {
    /** The meaning of a type's elements, if their kind does not tell it. */
    public enum Numbers {
        /** The kind's meaning in Java. */
        PLAIN,
        /** Every two elements are the real and the imaginary part of one number. */
        COMPLEX,
        /** IEEE 754's binary16 in 16-bit elements. */
        FLOAT16,
        /** The upper half of a float in 16-bit elements. */
        BFLOAT16,
        /** Four bits of exponent and three of fraction in a byte, without infinities (OCP's E4M3). */
        FLOAT8_E4M3,
        /** Five bits of exponent and two of fraction in a byte (OCP's E5M2). */
        FLOAT8_E5M2;

        /** Whether these are floating-point numbers of a byte. */
        public boolean isFloat8() {
            return this == FLOAT8_E4M3 || this == FLOAT8_E5M2;
        }

        /** Whether these are floating-point numbers that Java computes with as floats. */
        public boolean isNarrow() {
            return this == FLOAT16 || this == BFLOAT16 || isFloat8();
        }
    }

    /** A value followed by an int index, laid out as the C compiler lays out the struct. */
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

    /** The {@link #unit} of objects. */
    public static final int OBJECTS = 4;

    /** The name for messages, such as {@code MPI.DOUBLE}. */
    public final String name;
    /** The kind of array that holds this type; BYTE for struct pairs. */
    public final ElementKind kind;
    /** Elements of {@link #kind} in one item. */
    public final int elements;
    /** Bytes from one item to the next. */
    public final int extent;
    /** The struct, or {@link Pair#NONE}. */
    public final Pair pair;
    /** The meaning of the elements. */
    public final Numbers numbers;
    /**
     * What a probe of a message of this type counts: elements of {@code 1 << unit} bytes, or {@link #OBJECTS}. A
     * message carries this number.
     */
    public final int unit;

    private TypeLayout(String name, ElementKind kind, int elements, Pair pair, Numbers numbers, int unit) {
        this.name = Objects.requireNonNull(name);
        this.kind = kind;
        this.elements = elements;
        this.extent = elements * kind.bytes;
        this.pair = pair;
        this.numbers = numbers;
        this.unit = unit;
    }

    /** The words of a message of objects, the first of which is the number of objects. */
    public static TypeLayout objects(String name) {
        return new TypeLayout(name, ElementKind.LONG, 1, Pair.NONE, Numbers.PLAIN, OBJECTS);
    }

    /** A type whose items are {@code elements} elements of one kind. */
    public static TypeLayout of(String name, ElementKind kind, int elements) {
        return new TypeLayout(name, kind, elements, Pair.NONE, Numbers.PLAIN, kind.shift);
    }

    /** A type whose items are {@code elements} elements of one kind that stand for such numbers. */
    public static TypeLayout of(String name, ElementKind kind, int elements, Numbers numbers) {
        return new TypeLayout(name, kind, elements, Pair.NONE, numbers, kind.shift);
    }

    /** A struct of {@code extent} bytes. */
    public static TypeLayout pair(String name, Pair pair, int extent) {
        return new TypeLayout(name, ElementKind.BYTE, extent, pair, Numbers.PLAIN, 0);
    }

    @Override
    public String toString() {
        return name;
    }
}
