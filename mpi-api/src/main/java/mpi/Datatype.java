package mpi;

import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;

/**
 * A datatype: the kind of one item of a buffer. The predefined types are in {@link MPI}. Derived types, whose items may
 * have gaps, are made from others: by {@link #createVector} and its like in the camel dialect, by {@link #Vector} and
 * its like in the capital one. A derived type of the camel dialect must be committed before calls can use it.
 *
 * <p>
 * The two dialects measure a type in different units. Extents and sizes of the camel calls ({@link #getExtent}) are in
 * elements of the array that holds the type in Open MPI's bindings, those of the capital calls ({@link #Extent}) in
 * elements of mpiJava's array. The two differ only for {@link MPI#INT2}: a struct in a byte[] there, two ints in an
 * int[] here.
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
    private static final int LB_CODE = 10, UB_CODE = 11, OBJECT_CODE = 12;

    /**
     * The array element that this type consists of, by mpiJava's numbers: byte 1, char 2, short 3, boolean 4, int 5,
     * long 6, float 7, double 8, packed 9, the bounds 10 and 11, objects 12.
     */
    public int baseType;

    /**
     * One item in packed form, as the layers below see it; null for {@link MPI#DATATYPE_NULL} and freed types.
     */
    TypeLayout layout;
    /** The class of arrays that hold this type. */
    final Class<?> arrayClass;
    /** The same if calls hand such an array down as it is; else null: items have gaps, or the type cannot be used. */
    Class<?> direct;
    /** An array that holds no item of it. */
    final Object emptyArray;
    /** log2 of the bytes of one element of such an array. */
    final int shift;
    /** Bytes of data in one item. */
    final int size;
    /** One of the categories above. */
    final int category;
    /** Where in a pair the index begins, in bytes; 0 for other types. */
    final int indexOffset;
    /** What {@link DerivedTypes} needs to know: where the data of one item lie, and how far apart items are. */
    final TypeShape shape;
    /** All items of a type whose items have gaps; null if items lie side by side without any. */
    final TypeMap gapped;
    /** Bytes by which an array's element is behind the one before; 0 if {@link TypedBuffer} knows where items begin. */
    private final int unit;
    /** Bytes of one element of the array that holds this type in the camel dialect. */
    private final int camelUnit;
    /** Whether it is {@link MPI#OBJECT} or made of it. */
    final boolean holdsObjects;
    /** Whether {@link #free} is refused. */
    private boolean predefined;
    private boolean committed;
    /** Whether items overlap themselves; null until asked. */
    private Boolean overlapping;
    private Attributes attributes;
    private String name;

    private Datatype(TypeLayout layout, int category, int camelUnit, int indexOffset) {
        this(layout, layout == null ? null : TypeShape.basic(layout, indexOffset),
            layout == null ? null : ARRAYS[layout.kind.ordinal()], category, camelUnit, indexOffset,
            layout == null ? "MPI_DATATYPE_NULL" : standardName(layout.name));
        predefined = true;
        commit(true);
    }

    private Datatype(TypeLayout layout, TypeShape shape, Class<?> arrayClass, int category, int camelUnit,
        int indexOffset, String name) {
        this.layout = layout;
        this.shape = shape;
        this.category = category;
        this.camelUnit = camelUnit;
        this.indexOffset = indexOffset;
        this.name = name;
        int kind = layout == null ? 0 : layout.kind.ordinal();
        this.arrayClass = arrayClass;
        emptyArray = EMPTY_ARRAYS[kind];
        baseType = layout == null ? 0 : CODES[kind];
        shift = layout == null ? 0 : layout.kind.shift;
        size = layout == null ? 0 : layout.extent;
        holdsObjects = arrayClass == Object[].class;
        gapped = shape == null || shape.isDense() ? null : shape.items();
        unit = gapped == null ? 1 << shift : 0;
    }

    private void commit(boolean done) {
        committed = done;
        direct = done && gapped == null && !holdsObjects ? arrayClass : null;
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

    /** A floating-point number of 8 or 16 bits, which Java has no type for, in bytes or shorts. */
    static Datatype narrow(String name, ElementKind kind, Numbers numbers) {
        return new Datatype(TypeLayout.of(name, kind, 1, numbers), FLOATING, kind.bytes, 0);
    }

    /** Two ints in an int[], a struct in bytes for the camel dialect. */
    static Datatype int2() {
        return new Datatype(TypeLayout.of("MPI.INT2", ElementKind.INT, 2), PAIR, 1, 4);
    }

    /** A C struct of a value and an int index, in bytes. */
    static Datatype pair(String name, TypeLayout.Pair pair, int extent, int indexOffset) {
        return new Datatype(TypeLayout.pair(name, pair, extent), PAIR, 1, indexOffset);
    }

    /** References to objects, which lie in an Object[]. Its bytes stand for elements of that array. */
    static Datatype objects() {
        TypeLayout one = TypeLayout.of("MPI.OBJECT", ElementKind.BYTE, 1);
        Datatype objects = new Datatype(one, TypeShape.basic(one, 0), Object[].class, OPAQUE, 1, 0, "MPI_OBJECT");
        objects.predefined = true;
        objects.baseType = OBJECT_CODE;
        objects.commit(true);
        return objects;
    }

    /** A bound of a struct of the capital dialect: no data. */
    static Datatype bound(String name, boolean lower) {
        TypeLayout none = TypeLayout.of(name, ElementKind.BYTE, 0);
        Datatype bound = new Datatype(none, new TypeShape(TypeMap.contiguous(0, 1), 0, 0, lower, !lower, 1),
            byte[].class, OPAQUE, 1, 0, standardName(name));
        bound.baseType = lower ? LB_CODE : UB_CODE;
        bound.predefined = true;
        bound.commit(true);
        return bound;
    }

    /**
     * A type derived from this one, in arrays of the same kind.
     *
     * @param description what it is, for messages
     * @param ready whether it may be used without a commit
     */
    final Datatype derived(String description, TypeShape itemShape, boolean ready) {
        boolean plain = layout.numbers == Numbers.PLAIN && layout.pair == TypeLayout.Pair.NONE;
        int elements = (int) itemShape.map.size >> shift;
        Datatype made = new Datatype(TypeLayout.of(description, layout.kind, elements, layout.numbers), itemShape,
            arrayClass, plain && category != PAIR ? category : OPAQUE, camelUnit, 0, "");
        made.baseType = baseType;
        made.commit(ready);
        if (ready) {
            made.overlapping = false; // programs for MPJ Express receive into overlapping items, and the last one wins
        }
        return made;
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

    /** Byte of a buffer at which a call with this offset begins; 0 if a {@link TypedBuffer} says where. */
    final long at(int offset) {
        return (long) offset * unit;
    }

    final boolean isCommitted() {
        return committed;
    }

    /** Whether elements of one item share memory, so that nothing may be received into it. */
    final boolean overlaps() {
        if (gapped == null) {
            return false;
        }
        if (overlapping == null) {
            overlapping = shape.map.overlaps();
        }
        return overlapping;
    }

    /** The first byte that so many items touch, relative to item 0: negative if some lie before it. */
    final long lowest(long items) {
        return items <= 0 || size == 0 ? 0 : shape.map.lowest + Math.min(0, (items - 1) * shape.extent());
    }

    /** The byte behind the last one that so many items touch, relative to item 0. */
    final long highest(long items) {
        return items <= 0 || size == 0 ? 0 : shape.map.highest + Math.max(0, (items - 1) * shape.extent());
    }

    /** Throws ERR_TYPE for null and for {@link MPI#DATATYPE_NULL}. */
    static void check(String call, Datatype type) {
        if (type == null || type.layout == null) {
            throw ErrorClass.TYPE.in(call,
                "the type is null, freed or MPI.DATATYPE_NULL; pass a type such as MPI.INT");
        }
    }

    /** Distance between two items, in elements of the array (MPI_Type_get_extent). */
    public int getExtent() throws MPIException {
        check("Datatype.getExtent", this);
        return inUnits("Datatype.getExtent", shape.extent(), camelUnit);
    }

    /** Elements of the array in one item (MPI_Type_size). */
    public int getSize() throws MPIException {
        check("Datatype.getSize", this);
        return size / camelUnit;
    }

    /** Where an item begins, in elements of the array (MPI_Type_get_extent). */
    public int getLb() throws MPIException {
        check("Datatype.getLb", this);
        return inUnits("Datatype.getLb", shape.lb, camelUnit);
    }

    /** Where the data of an item begin, in elements of the array (MPI_Type_get_true_extent). */
    public int getTrueLb() throws MPIException {
        check("Datatype.getTrueLb", this);
        return inUnits("Datatype.getTrueLb", shape.map.lowest, camelUnit);
    }

    /** From the begin of an item's data to their end, in elements of the array (MPI_Type_get_true_extent). */
    public int getTrueExtent() throws MPIException {
        check("Datatype.getTrueExtent", this);
        return inUnits("Datatype.getTrueExtent", shape.map.highest - shape.map.lowest, camelUnit);
    }

    private int inUnits(String call, long bytes, int bytesOfUnit) {
        long units = bytes / bytesOfUnit;
        if (units != (int) units) {
            throw ErrorClass.TYPE.in(call, units + " elements exceed an int; derive " + this + " from smaller parts");
        }
        return (int) units;
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

    /** Allows calls to use a derived type (MPI_Type_commit). May be repeated. */
    public void commit() throws MPIException {
        check("Datatype.commit", this);
        commit(true);
    }

    /**
     * Frees a derived type; this becomes a null type (MPI_Type_free). Operations under way, and types derived from it,
     * keep working.
     *
     * @throws MPIException ERR_TYPE if the type is predefined, or has been freed
     */
    @Override
    public void free() throws MPIException {
        check("Datatype.free", this);
        if (predefined) {
            throw ErrorClass.TYPE.in("Datatype.free", this + " is not a derived type and cannot be freed; leave it");
        }
        layout = null;
        commit(false);
    }

    /**
     * A new type that is the same as this one, and is freed apart from it (MPI_Type_dup). It has the attributes of this
     * one, and no name.
     *
     * @throws MPIException ERR_TYPE if this is a null type
     */
    public Datatype dup() throws MPIException {
        check("Datatype.dup", this);
        return clone();
    }

    /** As {@link #dup}. */
    @Override
    public Datatype clone() {
        try {
            Datatype copy = (Datatype) super.clone();
            if (attributes != null) {
                copy.attributes = new Attributes();
                copy.attributes.copyFrom(attributes);
            }
            copy.predefined = layout == null;
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether this is {@link MPI#DATATYPE_NULL} or has been freed. Never throws. */
    public boolean isNull() {
        return layout == null;
    }

    /** Distance between two items, in elements of the array (MPI_Type_extent). */
    public int Extent() throws MPIException {
        check("Datatype.Extent", this);
        return inUnits("Datatype.Extent", shape.extent(), 1 << shift);
    }

    /** Elements of the array in one item (MPI_Type_size). */
    public int Size() throws MPIException {
        check("Datatype.Size", this);
        return size >> shift;
    }

    /** Where an item begins, in elements of the array (MPI_Type_lb). */
    public int Lb() throws MPIException {
        check("Datatype.Lb", this);
        return inUnits("Datatype.Lb", shape.lb, 1 << shift);
    }

    /** Where an item ends, in elements of the array (MPI_Type_ub). */
    public int Ub() throws MPIException {
        check("Datatype.Ub", this);
        return inUnits("Datatype.Ub", shape.ub, 1 << shift);
    }

    /** As {@link #commit} (MPI_Type_commit). */
    public void Commit() throws MPIException {
        commit();
    }

    /** Bytes of data in one item. */
    public int getByteSize() {
        return size;
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

    // ---- derived types ----

    /**
     * {@code count} items side by side (MPI_Type_contiguous).
     *
     * @param count items of {@code oldType}, 0 or more
     * @param oldType type of each
     * @throws MPIException ERR_TYPE if {@code oldType} is null or freed; ERR_ARG if {@code count} is negative or an
     * item of the new type has 2 GiB or more; so for the other constructors
     */
    public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
        return DerivedTypes.contiguous("Datatype.createContiguous", count, oldType, false);
    }

    /**
     * Blocks of one length at one distance, such as a column of a matrix (MPI_Type_vector).
     *
     * @param count number of blocks, 0 or more
     * @param blockLength items of {@code oldType} in each block, 0 or more
     * @param stride from the begin of a block to the next, in extents of {@code oldType}; may be negative
     * @param oldType type of the items
     */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return DerivedTypes.vector("Datatype.createVector", count, blockLength, stride, oldType, 0, false);
    }

    /** As {@link #createVector}, with the stride in bytes (MPI_Type_create_hvector). */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return DerivedTypes.vector("Datatype.createHVector", count, blockLength, stride, oldType, 1, false);
    }

    /**
     * Blocks of several lengths at any places (MPI_Type_indexed).
     *
     * @param blockLengths items of {@code oldType} in each block, 0 or more
     * @param displacements where each block begins, in extents of {@code oldType}
     * @param oldType type of the items
     * @throws MPIException ERR_ARG also if an array is null or they differ in length
     */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
        throws MPIException {
        return DerivedTypes.indexed("Datatype.createIndexed", blockLengths, displacements, oldType, 0, false);
    }

    /** As {@link #createIndexed}, with the displacements in bytes (MPI_Type_create_hindexed). */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
        throws MPIException {
        return DerivedTypes.indexed("Datatype.createHIndexed", blockLengths, displacements, oldType, 1, false);
    }

    /**
     * Blocks of several types (MPI_Type_create_struct). Buffers are counted in bytes: byte[], or any NIO buffer. The
     * extent is rounded up as a C compiler does it.
     *
     * @param blockLengths items in each block, 0 or more
     * @param displacements where each block begins, in bytes
     * @param types type of each block
     * @throws MPIException ERR_ARG also if an array is null or they differ in length
     */
    public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
        throws MPIException {
        return DerivedTypes.struct("Datatype.createStruct", blockLengths, displacements, types, MPI.BYTE, false);
    }

    /**
     * The same data with other bounds (MPI_Type_create_resized).
     *
     * @param oldType type of the data
     * @param lb where an item begins, in bytes
     * @param extent distance between two items, in bytes; may be negative
     */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return DerivedTypes.resized("Datatype.createResized", oldType, lb, extent, false);
    }

    /** As {@link #createContiguous}; needs no commit (MPI_Type_contiguous). */
    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        return DerivedTypes.contiguous("Datatype.Contiguous", count, oldtype, true);
    }

    /** As {@link #createVector}; needs no commit (MPI_Type_vector). */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return DerivedTypes.vector("Datatype.Vector", count, blocklength, stride, oldtype, 0, true);
    }

    /** As {@link #Vector}, with the stride in elements of the array (MPI_Type_hvector). */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        check("Datatype.Hvector", oldtype);
        return DerivedTypes.vector("Datatype.Hvector", count, blocklength, stride, oldtype, 1 << oldtype.shift, true);
    }

    /** As {@link #createIndexed}; needs no commit (MPI_Type_indexed). */
    public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) throws MPIException {
        return DerivedTypes.indexed("Datatype.Indexed", blocklengths, displacements, oldtype, 0, true);
    }

    /** As {@link #Indexed}, with the displacements in elements of the array (MPI_Type_hindexed). */
    public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) throws MPIException {
        check("Datatype.Hindexed", oldtype);
        return DerivedTypes.indexed("Datatype.Hindexed", blocklengths, displacements, oldtype, 1 << oldtype.shift,
            true);
    }

    /**
     * Blocks of several types that lie in arrays of one kind (MPI_Type_struct). {@link MPI#LB} and {@link MPI#UB} set
     * the bounds. Needs no commit.
     *
     * @param blocklengths items in each block, 0 or more
     * @param displacements where each block begins, in elements of the array
     * @param types type of each block, all in arrays of one kind
     * @throws MPIException as {@link #createStruct}; ERR_TYPE if the types lie in arrays of different kinds
     */
    public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] types) throws MPIException {
        return DerivedTypes.struct("Datatype.Struct", blocklengths, displacements, types, null, true);
    }

    // ---- attributes ----

    /** A new key for {@link #setAttr}, valid in this process (MPI_Type_create_keyval). */
    public static int createKeyval() throws MPIException {
        JobState.provider("Datatype.createKeyval");
        return Attributes.createKey();
    }

    /**
     * Frees a key; objects attached by it stay (MPI_Type_free_keyval).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException ERR_KEYVAL if {@code keyval} is no such key
     */
    public static void freeKeyval(int keyval) throws MPIException {
        JobState.provider("Datatype.freeKeyval");
        Attributes.freeKey("Datatype.freeKeyval", keyval);
    }

    /**
     * Attaches an object to the type (MPI_Type_set_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @param value any object
     * @throws MPIException ERR_TYPE if this is a null type; ERR_KEYVAL if {@code keyval} is no such key
     */
    public void setAttr(int keyval, Object value) throws MPIException {
        check("Datatype.setAttr", this);
        attributes().set(null, "Datatype.setAttr", keyval, value);
    }

    /**
     * The object attached by a key; null if there is none (MPI_Type_get_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException as {@link #setAttr}
     */
    public Object getAttr(int keyval) throws MPIException {
        check("Datatype.getAttr", this);
        return attributes().attached(null, "Datatype.getAttr", keyval);
    }

    /**
     * Detaches the object (MPI_Type_delete_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException as {@link #setAttr}
     */
    public void deleteAttr(int keyval) throws MPIException {
        check("Datatype.deleteAttr", this);
        attributes().delete(null, "Datatype.deleteAttr", keyval);
    }

    private synchronized Attributes attributes() {
        if (attributes == null) {
            attributes = new Attributes();
        }
        return attributes;
    }

    @Override
    public String toString() {
        return layout != null ? layout.name : predefined ? "MPI.DATATYPE_NULL" : "a freed type";
    }
}
