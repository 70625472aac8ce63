package mpi;

import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;

/**
 * A datatype: the kind of one item of a buffer. All types here are contiguous.
 *
 * <p>
 * The two dialects measure a type in different units. Extents and sizes of the camel calls ({@link #getExtent}) are in
 * elements of the array that holds the type in Open MPI's bindings, those of the capital calls ({@link #Extent}) in
 * elements of mpiJava's array. The two differ only for {@link MPI#INT2}: a struct in a byte[] there, two ints in an
 * int[] here. here.
 */
public class Datatype implements Freeable, Cloneable {
    /** Which reductions are defined on a type depends on its category only; one bit each. */
    static final int INTEGER = 1, FLOATING = 2, LOGICAL = 4, COMPLEX = 8, PAIR = 16, OPAQUE = 32;

    private static final Class<?>[] ARRAYS = {
        byte[].class, boolean[].class, char[].class, short[].class, int[].class, long[].class, float[].class,
        double[].class};
    private static final Object[] EMPTY_ARRAYS = {
        new byte[0], new boolean[0], new char[0], new short[0], new int[0], new long[0], new float[0], new double[0]};
    // mpiJava's codes, in the order of ElementKind.
    private static final int[] CODES = {1, 4, 2, 3, 5, 6, 7, 8};

    /**
     * The array element that this type consists of, by mpiJava's numbers: byte 1, char 2, short 3, boolean 4, int 5,
     * long 6, float 7, double 8, packed 9.
     */
    public int baseType;

    /** What the layers below need to know; null for {@link MPI#DATATYPE_NULL}. */
    final TypeLayout layout;
    /** The class of arrays that hold this type. */
    final Class<?> arrayClass;
    /** An array that holds no item of it. */
    final Object emptyArray;
    /** log2 of the bytes of one element of such an array. */
    final int shift;
    /** Bytes of one item. */
    final int extent;
    /** One of the categories above. */
    final int category;
    /** Elements in MPI's sense in one item: 2 for a pair, else 1. */
    final int basicElements;
    /** Where in a pair the index begins, in bytes; 0 for other types. */
    final int indexOffset;
    /** Bytes of one element of the array that holds this type in the camel dialect. */
    private final int camelUnit;
    private String name;

    private Datatype(TypeLayout layout, int category, int camelUnit, int indexOffset) {
        this.layout = layout;
        this.category = category;
        this.camelUnit = camelUnit;
        this.indexOffset = indexOffset;
        int kind = layout == null ? 0 : layout.kind.ordinal();
        arrayClass = layout == null ? null : ARRAYS[kind];
        emptyArray = EMPTY_ARRAYS[kind];
        baseType = layout == null ? 0 : CODES[kind];
        shift = layout == null ? 0 : layout.kind.shift;
        extent = layout == null ? 0 : layout.extent;
        basicElements = category == PAIR ? 2 : 1;
        name = layout == null ? "MPI_DATATYPE_NULL" : standardName(layout.name);
    }

    /** The name of a type in the standard: MPI_INT for MPI.INT. A struct has none. */
    private static String standardName(String field) {
        switch (field) {
            case "MPI.INT2" :
                return "MPI_2INT";
            case "MPI.FLOAT_COMPLEX" :
                return "MPI_C_FLOAT_COMPLEX";
            case "MPI.DOUBLE_COMPLEX" :
                return "MPI_C_DOUBLE_COMPLEX";
            default :
                return field.startsWith("MPI.") ? "MPI_".concat(field.substring(4)) : "";
        }
    }

    static Datatype none() {
        return new Datatype(null, 0, 1, 0);
    }

    /** A type of one Java primitive. */
    static Datatype basic(String name, ElementKind kind, int category) {
        return new Datatype(TypeLayout.of(name, kind, 1), category, kind.bytes, 0);
    }

    static Datatype packed() {
        Datatype packed = basic("MPI.PACKED", ElementKind.BYTE, OPAQUE);
        packed.baseType = 9;
        return packed;
    }

    /** Two elements of a kind: a value and its index. */
    static Datatype two(String name, ElementKind kind) {
        return new Datatype(TypeLayout.of(name, kind, 2), PAIR, kind.bytes, kind.bytes);
    }

    /** Two elements of a kind: the parts of a complex number. */
    static Datatype complex(String name, ElementKind kind) {
        return new Datatype(TypeLayout.of(name, kind, 2, Numbers.COMPLEX), COMPLEX, kind.bytes, 0);
    }

    /** A 16-bit number, which Java has no type for, in shorts. */
    static Datatype half(String name, Numbers numbers) {
        return new Datatype(TypeLayout.of(name, ElementKind.SHORT, 1, numbers), FLOATING, ElementKind.SHORT.bytes, 0);
    }

    /** Two ints in an int[], a struct in bytes for the camel dialect. */
    static Datatype int2() {
        return new Datatype(TypeLayout.of("MPI.INT2", ElementKind.INT, 2), PAIR, 1, 4);
    }

    /** A C struct of a value and an int index, in bytes. */
    static Datatype pair(String name, TypeLayout.Pair pair, int extent, int indexOffset) {
        return new Datatype(TypeLayout.pair(name, pair, extent), PAIR, 1, indexOffset);
    }

    /** A user's {@link Struct}: its bytes, padding included. */
    static Datatype struct(int extent) {
        return new Datatype(TypeLayout.of("a Struct of " + extent + " bytes", ElementKind.BYTE, extent), OPAQUE, 1, 0);
    }

    /**
     * The address of an item on a device must be a multiple of this many bytes: the size of its elements, in a struct
     * of the larger member.
     */
    final int alignment() {
        return layout.pair == TypeLayout.Pair.NONE ? layout.kind.bytes : Math.max(4, indexOffset);
    }

    final int camelUnit() {
        return camelUnit;
    }

    /** Throws ERR_TYPE for null and for {@link MPI#DATATYPE_NULL}. */
    static void check(String call, Datatype type) {
        if (type == null || type.layout == null) {
            throw ErrorClass.TYPE.in(call, "the type is null or MPI.DATATYPE_NULL; pass a type such as MPI.INT");
        }
    }

    /** Distance between two items, in elements of the array (MPI_Type_get_extent). */
    public int getExtent() throws MPIException {
        check("Datatype.getExtent", this);
        return extent / camelUnit;
    }

    /** Elements of the array in one item (MPI_Type_size). */
    public int getSize() throws MPIException {
        check("Datatype.getSize", this);
        return extent / camelUnit;
    }

    /** Where an item begins: 0 (MPI_Type_get_extent). */
    public int getLb() throws MPIException {
        check("Datatype.getLb", this);
        return 0;
    }

    /** Where the data of an item begins: 0 (MPI_Type_get_true_extent). */
    public int getTrueLb() throws MPIException {
        return getLb();
    }

    /** As {@link #getExtent} (MPI_Type_get_true_extent). */
    public int getTrueExtent() throws MPIException {
        return getExtent();
    }

    /**
     * The name that {@link #setName} has set, else the type's name in the standard, such as MPI_INT; empty for a struct
     * without a name (MPI_Type_get_name).
     */
    public String getName() throws MPIException {
        return name;
    }

    /**
     * Sets the name (MPI_Type_set_name).
     *
     * @param name any text
     * @throws MPIException ERR_ARG if {@code name} is null
     */
    public void setName(String name) throws MPIException {
        if (name == null) {
            throw ErrorClass.ARG.in("Datatype.setName", "the name is null; pass a string, which may be empty");
        }
        this.name = name;
    }

    /** Does nothing: types may be used from the start (MPI_Type_commit). */
    public void commit() throws MPIException {
        check("Datatype.commit", this);
    }

    /**
     * Only derived types can be freed, so this throws (MPI_Type_free).
     *
     * @throws MPIException ERR_TYPE always
     */
    @Override
    public void free() throws MPIException {
        throw ErrorClass.TYPE.in("Datatype.free", this + " is not a derived type and cannot be freed; leave it");
    }

    /** A second handle of the same type, with its own name (MPI_Type_dup). */
    @Override
    public Datatype clone() {
        try {
            return (Datatype) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether this is {@link MPI#DATATYPE_NULL}. Never throws. */
    public boolean isNull() {
        return layout == null;
    }

    /** Distance between two items, in elements of the array (MPI_Type_extent). */
    public int Extent() throws MPIException {
        check("Datatype.Extent", this);
        return layout.elements;
    }

    /** Elements of the array in one item (MPI_Type_size). */
    public int Size() throws MPIException {
        return Extent();
    }

    /** Where an item begins: 0 (MPI_Type_lb). */
    public int Lb() throws MPIException {
        return getLb();
    }

    /** Where an item ends, in elements of the array (MPI_Type_ub). */
    public int Ub() throws MPIException {
        return Extent();
    }

    /** As {@link #commit} (MPI_Type_commit). */
    public void Commit() throws MPIException {
        commit();
    }

    /** Bytes of one item. */
    public int getByteSize() {
        return extent;
    }

    /** As {@link #baseType}. */
    public int getType() {
        return baseType;
    }

    /**
     * The layout of this type, for extensions beyond MPI. Not in MPI's standard.
     *
     * @throws MPIException ERR_TYPE if this is {@link MPI#DATATYPE_NULL}
     */
    public final TypeLayout unwrap() throws MPIException {
        if (layout == null) {
            throw ErrorClass.TYPE.in("Datatype.unwrap",
                "MPI.DATATYPE_NULL is no type of data; pass one such as MPI.FLOAT");
        }
        return layout;
    }

    @Override
    public String toString() {
        return layout == null ? "MPI.DATATYPE_NULL" : layout.name;
    }
}
