package mpi.front.types;

import mpi.ErrorClass;
import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;
import mpi.spi.TypeLayout.Numbers;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;

/** What a {@code Datatype} wraps: the kind of one item of a buffer, as the checks and the layers below see it. */
public final class ItemType {
    /** Which reductions are defined on a type depends on its category only; one bit each. */
    public static final int INTEGER = 1, FLOATING = 2, LOGICAL = 4, COMPLEX = 8, PAIR = 16, OPAQUE = 32;

    private static final Class<?>[] ARRAYS = {
        byte[].class, boolean[].class, char[].class, short[].class, int[].class, long[].class, float[].class,
        double[].class};
    private static final Object[] EMPTY_ARRAYS = {
        new byte[0], new boolean[0], new char[0], new short[0], new int[0], new long[0], new float[0], new double[0]};
    // mpiJava's codes, in the order of ElementKind.
    private static final int[] CODES = {1, 4, 2, 3, 5, 6, 7, 8};
    private static final int PACKED_CODE = 9, LB_CODE = 10, UB_CODE = 11, OBJECT_CODE = 12;

    /** Types that calls of mpi.front use among themselves, and fields of structs. */
    public static final ItemType BYTE = basic("MPI.BYTE", ElementKind.BYTE, INTEGER),
        CHAR = basic("MPI.CHAR", ElementKind.CHAR, INTEGER), SHORT = basic("MPI.SHORT", ElementKind.SHORT, INTEGER),
        INT = basic("MPI.INT", ElementKind.INT, INTEGER), LONG = basic("MPI.LONG", ElementKind.LONG, INTEGER),
        FLOAT = basic("MPI.FLOAT", ElementKind.FLOAT, FLOATING),
        DOUBLE = basic("MPI.DOUBLE", ElementKind.DOUBLE, FLOATING);

    /** mpiJava's number of the array element that this type consists of. */
    public final int baseType;
    /** See {@link #owner}. */
    private Object owner;
    /** See {@link #layout}. */
    private TypeLayout layout;
    /** The class of arrays that hold this type. */
    public final Class<?> arrayClass;
    /** See {@link #direct}. */
    private Class<?> direct;
    /** An array that holds no item of it. */
    public final Object emptyArray;
    /** log2 of the bytes of one element of such an array. */
    public final int shift;
    /** Bytes of data in one item. */
    public final int size;
    /** One of the categories above. */
    public final int category;
    /** Where in a pair the index begins, in bytes; 0 for other types. */
    final int indexOffset;
    /** What {@link DerivedTypes} needs to know: where the data of one item lie, and how far apart items are. */
    public final TypeShape shape;
    /** All items of a type whose items have gaps; null if items lie side by side without any. */
    public final TypeMap gapped;
    /** Bytes by which an array's element is behind the one before; 0 if {@link TypedBuffer} knows where items begin. */
    private final int unit;
    /** Bytes of one element of the array that holds this type in the camel dialect. */
    private final int camelUnit;
    /** Whether it is {@code MPI.OBJECT} or made of it. */
    public final boolean holdsObjects;
    /** Whether {@link #free} is refused. */
    private boolean predefined;
    private boolean committed;
    /** Whether items overlap themselves; null until asked. */
    private Boolean overlapping;

    /** A predefined type. */
    private ItemType(TypeLayout layout, int baseType, int category, int camelUnit, int indexOffset) {
        this(layout, layout == null ? null : TypeShape.basic(layout, indexOffset),
            layout == null ? null : ARRAYS[layout.kind.ordinal()], baseType, category, camelUnit, indexOffset);
        predefined = true;
        commit(true);
    }

    private ItemType(TypeLayout layout, int category, int camelUnit, int indexOffset) {
        this(layout, layout == null ? 0 : CODES[layout.kind.ordinal()], category, camelUnit, indexOffset);
    }

    private ItemType(TypeLayout layout, TypeShape shape, Class<?> arrayClass, int baseType, int category,
        int camelUnit, int indexOffset) {
        this.layout = layout;
        this.baseType = baseType;
        this.shape = shape;
        this.category = category;
        this.camelUnit = camelUnit;
        this.indexOffset = indexOffset;
        int kind = layout == null ? 0 : layout.kind.ordinal();
        this.arrayClass = arrayClass;
        emptyArray = EMPTY_ARRAYS[kind];
        shift = layout == null ? 0 : layout.kind.shift;
        size = layout == null ? 0 : layout.extent;
        holdsObjects = arrayClass == Object[].class;
        gapped = shape == null || shape.isDense() ? null : shape.items();
        unit = gapped == null ? 1 << shift : 0;
    }

    /** The same type apart from {@code other}: each is committed and freed by itself. */
    public ItemType(ItemType other) {
        this(other.layout, other.shape, other.arrayClass, other.baseType, other.category, other.camelUnit,
            other.indexOffset);
        overlapping = other.overlapping;
        predefined = other.layout == null;
        commit(other.committed);
    }

    private void commit(boolean done) {
        committed = done;
        direct = done && gapped == null && !holdsObjects ? arrayClass : null;
    }

    public static ItemType none() {
        return new ItemType(null, 0, 1, 0);
    }

    /** A type of one Java primitive. */
    public static ItemType basic(String name, ElementKind kind, int category) {
        return new ItemType(TypeLayout.of(name, kind, 1), category, kind.bytes, 0);
    }

    public static ItemType packed() {
        return new ItemType(TypeLayout.of("MPI.PACKED", ElementKind.BYTE, 1), PACKED_CODE, OPAQUE,
            ElementKind.BYTE.bytes, 0);
    }

    /** Two elements of a kind: a value and its index. */
    public static ItemType two(String name, ElementKind kind) {
        return new ItemType(TypeLayout.of(name, kind, 2), PAIR, kind.bytes, kind.bytes);
    }

    /** Two elements of a kind: the parts of a complex number. */
    public static ItemType complex(String name, ElementKind kind) {
        return new ItemType(TypeLayout.of(name, kind, 2, Numbers.COMPLEX), COMPLEX, kind.bytes, 0);
    }

    /** A floating-point number of 8 or 16 bits, which Java has no type for, in bytes or shorts. */
    public static ItemType narrow(String name, ElementKind kind, Numbers numbers) {
        return new ItemType(TypeLayout.of(name, kind, 1, numbers), FLOATING, kind.bytes, 0);
    }

    /** Two ints in an int[], a struct in bytes for the camel dialect. */
    public static ItemType int2() {
        return new ItemType(TypeLayout.of("MPI.INT2", ElementKind.INT, 2), PAIR, 1, 4);
    }

    /** A C struct of a value and an int index, in bytes. */
    public static ItemType pair(String name, TypeLayout.Pair pair, int extent, int indexOffset) {
        return new ItemType(TypeLayout.pair(name, pair, extent), PAIR, 1, indexOffset);
    }

    /** References to objects, which lie in an Object[]. Its bytes stand for elements of that array. */
    public static ItemType objects() {
        TypeLayout one = TypeLayout.of("MPI.OBJECT", ElementKind.BYTE, 1);
        ItemType objects = new ItemType(one, TypeShape.basic(one, 0), Object[].class, OBJECT_CODE, OPAQUE, 1, 0);
        objects.predefined = true;
        objects.commit(true);
        return objects;
    }

    /** A bound of a struct of the capital dialect: no data. */
    public static ItemType bound(String name, boolean lower) {
        TypeLayout none = TypeLayout.of(name, ElementKind.BYTE, 0);
        ItemType bound = new ItemType(none, new TypeShape(TypeMap.contiguous(0, 1), 0, 0, lower, !lower, 1),
            byte[].class, lower ? LB_CODE : UB_CODE, OPAQUE, 1, 0);
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
    ItemType derived(String description, TypeShape itemShape, boolean ready) {
        boolean plain = layout.numbers == Numbers.PLAIN && layout.pair == TypeLayout.Pair.NONE;
        int elements = (int) itemShape.map.size >> shift;
        ItemType made = new ItemType(TypeLayout.of(description, layout.kind, elements, layout.numbers), itemShape,
            arrayClass, baseType, plain && category != PAIR ? category : OPAQUE, camelUnit, 0);
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
    public int alignment() {
        return layout.pair == TypeLayout.Pair.NONE ? layout.kind.bytes : Math.max(4, indexOffset);
    }

    /** One item in packed form, as the layers below see it; null for {@code MPI.DATATYPE_NULL} and freed types. */
    public TypeLayout layout() {
        return layout;
    }

    /**
     * {@link #arrayClass} if calls hand such an array down as it is; else null: items have gaps, or the type cannot be
     * used.
     */
    public Class<?> direct() {
        return direct;
    }

    /** The program's object for this type, which user functions get. */
    public Object owner() {
        return owner;
    }

    /** The program's object for this type is made; once, by that object. */
    public void belongsTo(Object its) {
        owner = its;
    }

    public int camelUnit() {
        return camelUnit;
    }

    /** Byte of a buffer at which a call with this offset begins; 0 if a {@link TypedBuffer} says where. */
    public long at(int offset) {
        return (long) offset * unit;
    }

    public boolean isCommitted() {
        return committed;
    }

    /** Whether elements of one item share memory, so that nothing may be received into it. */
    public boolean overlaps() {
        if (gapped == null) {
            return false;
        }
        if (overlapping == null) {
            overlapping = shape.map.overlaps();
        }
        return overlapping;
    }

    /** The first byte that so many items touch, relative to item 0: negative if some lie before it. */
    public long lowest(long items) {
        return items <= 0 || size == 0 ? 0 : shape.map.lowest + Math.min(0, (items - 1) * shape.extent());
    }

    /** The byte behind the last one that so many items touch, relative to item 0. */
    public long highest(long items) {
        return items <= 0 || size == 0 ? 0 : shape.map.highest + Math.max(0, (items - 1) * shape.extent());
    }

    /** Whether it is {@code MPI.LB} or {@code MPI.UB}: no data. */
    boolean isBound() {
        return predefined && (baseType == LB_CODE || baseType == UB_CODE);
    }

    /** Throws ERR_TYPE for null, for freed types and for {@code MPI.DATATYPE_NULL}. */
    public static void check(String call, ItemType type) {
        if (type == null || type.layout == null) {
            throw ErrorClass.TYPE.in(call,
                "the type is null, freed or MPI.DATATYPE_NULL; pass a type such as MPI.INT");
        }
    }

    /** Allows calls to use it. */
    public void commit() {
        commit(true);
    }

    /** Makes it a null type. */
    public void free(String call) {
        check(call, this);
        if (predefined) {
            throw ErrorClass.TYPE.in(call, this + " is not a derived type and cannot be freed; leave it");
        }
        layout = null;
        commit(false);
    }

    /** A number of bytes in units of some bytes, if it fits into an int. */
    public int inUnits(String call, long bytes, int bytesOfUnit) {
        long units = bytes / bytesOfUnit;
        if (units != (int) units) {
            throw ErrorClass.TYPE.in(call, units + " elements exceed an int; derive " + this + " from smaller parts");
        }
        return (int) units;
    }

    /** The name of a predefined type in the standard: MPI_INT for MPI.INT; empty for others. */
    public String standardName() {
        if (layout == null) {
            return "MPI_DATATYPE_NULL";
        }
        switch (predefined ? layout.name : "") {
            case "MPI.INT2" :
                return "MPI_2INT";
            case "MPI.FLOAT_COMPLEX" :
                return "MPI_C_FLOAT_COMPLEX";
            case "MPI.DOUBLE_COMPLEX" :
                return "MPI_C_DOUBLE_COMPLEX";
            default :
                return predefined && layout.name.startsWith("MPI.") ? "MPI_".concat(layout.name.substring(4)) : "";
        }
    }

    @Override
    public String toString() {
        return layout != null ? layout.name : predefined ? "MPI.DATATYPE_NULL" : "a freed type";
    }
}
