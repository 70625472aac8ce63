package mpi;

import mpi.front.job.Attributes;
import mpi.front.job.JobState;
import mpi.front.types.DerivedTypes;
import mpi.front.types.ItemType;
import mpi.spi.TypeLayout;

/**
 * A datatype: the kind of one item of a buffer. The predefined types are in {@link MPI}. Derived types, whose items may
 * have gaps, are made from others: by {@link #createVector} and its like in the camel dialect, by
 * {@link MpjDatatype#Vector} and its like in the capital one. A derived type of the camel dialect must be committed
 * before calls can use it.
 *
 * <p>
 * The two dialects measure a type in different units. Extents and sizes of the camel calls ({@link #getExtent}) are in
 * elements of the array that holds the type in Open MPI's bindings, those of the capital calls ({@link #Extent}) in
 * elements of mpiJava's array. The two differ only for {@link MPI#INT2}: a struct in a byte[] there, two ints in an
 * int[] here.
 */
public class Datatype extends MpjDatatype implements Freeable, AutoCloseable, Cloneable {
    private Attributes attributes;

    private String name;

    Datatype(ItemType items) {
        super(items);
        items.belongsTo(this);
        name = items.standardName();
    }

    /** What a type wraps; null for null. */
    static ItemType items(Datatype type) {
        return type == null ? null : type.items;
    }

    /** What each type wraps; null for null. */
    static ItemType[] items(Datatype[] types) {
        if (types == null) {
            return null;
        }
        ItemType[] items = new ItemType[types.length];
        for (int i = 0; i < items.length; i++) {
            items[i] = items(types[i]);
        }
        return items;
    }

    /** Distance between two items, in elements of the array (MPI_Type_get_extent). */
    public int getExtent() throws MPIException {
        ItemType.check("Datatype.getExtent", items);
        return items.inUnits("Datatype.getExtent", items.shape.extent(), items.camelUnit());
    }

    /** Elements of the array in one item (MPI_Type_size). */
    public int getSize() throws MPIException {
        ItemType.check("Datatype.getSize", items);
        return items.size / items.camelUnit();
    }

    /** Where an item begins, in elements of the array (MPI_Type_get_extent). */
    public int getLb() throws MPIException {
        ItemType.check("Datatype.getLb", items);
        return items.inUnits("Datatype.getLb", items.shape.lb, items.camelUnit());
    }

    /** Where the data of an item begin, in elements of the array (MPI_Type_get_true_extent). */
    public int getTrueLb() throws MPIException {
        ItemType.check("Datatype.getTrueLb", items);
        return items.inUnits("Datatype.getTrueLb", items.shape.map.lowest, items.camelUnit());
    }

    /** From the begin of an item's data to their end, in elements of the array (MPI_Type_get_true_extent). */
    public int getTrueExtent() throws MPIException {
        ItemType.check("Datatype.getTrueExtent", items);
        return items.inUnits("Datatype.getTrueExtent", items.shape.map.highest - items.shape.map.lowest,
            items.camelUnit());
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
        ItemType.check("Datatype.commit", items);
        items.commit();
    }

    /**
     * Frees a derived type; this becomes a null type (MPI_Type_free). Operations under way, and types derived from it,
     * keep working.
     *
     * @throws MPIException ERR_TYPE if the type is predefined, or has been freed
     */
    @Override
    public void free() throws MPIException {
        items.free("Datatype.free");
    }

    /** As {@link #free}, for try-with-resources; does nothing if it has been freed. Not in MPI's standard. */
    @Override
    public void close() throws MPIException {
        if (!isNull()) {
            free();
        }
    }

    /**
     * A new type that is the same as this one, and is freed apart from it (MPI_Type_dup). It has the attributes of this
     * one, and no name.
     *
     * @throws MPIException ERR_TYPE if this is a null type
     */
    public Datatype dup() throws MPIException {
        ItemType.check("Datatype.dup", items);
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
            copy.items = new ItemType(items);
            copy.items.belongsTo(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether this is {@link MPI#DATATYPE_NULL} or has been freed. Never throws. */
    public boolean isNull() {
        return items.layout() == null;
    }

    /**
     * The layout of this type, for extensions beyond MPI. Not in MPI's standard.
     *
     * @throws MPIException ERR_TYPE if this is {@link MPI#DATATYPE_NULL}
     */
    public final TypeLayout unwrap() throws MPIException {
        if (items.layout() == null) {
            throw ErrorClass.TYPE.in("Datatype.unwrap",
                "MPI.DATATYPE_NULL is no type of data; pass one such as MPI.FLOAT");
        }
        return items.layout();
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
        return new Datatype(DerivedTypes.contiguous("Datatype.createContiguous", count, items(oldType), false));
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
        return new Datatype(
            DerivedTypes.vector("Datatype.createVector", count, blockLength, stride, items(oldType), 0, false));
    }

    /** As {@link #createVector}, with the stride in bytes (MPI_Type_create_hvector). */
    public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
        return new Datatype(
            DerivedTypes.vector("Datatype.createHVector", count, blockLength, stride, items(oldType), 1, false));
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
        return new Datatype(
            DerivedTypes.indexed("Datatype.createIndexed", blockLengths, displacements, items(oldType), 0, false));
    }

    /** As {@link #createIndexed}, with the displacements in bytes (MPI_Type_create_hindexed). */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
        throws MPIException {
        return new Datatype(
            DerivedTypes.indexed("Datatype.createHIndexed", blockLengths, displacements, items(oldType), 1, false));
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
        return new Datatype(DerivedTypes.struct("Datatype.createStruct", blockLengths, displacements, items(types),
            ItemType.BYTE, false));
    }

    /**
     * The same data with other bounds (MPI_Type_create_resized).
     *
     * @param oldType type of the data
     * @param lb where an item begins, in bytes
     * @param extent distance between two items, in bytes; may be negative
     */
    public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
        return new Datatype(DerivedTypes.resized("Datatype.createResized", items(oldType), lb, extent, false));
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
        ItemType.check("Datatype.setAttr", items);
        attributes().set(null, "Datatype.setAttr", keyval, value);
    }

    /**
     * The object attached by a key; null if there is none (MPI_Type_get_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException as {@link #setAttr}
     */
    public Object getAttr(int keyval) throws MPIException {
        ItemType.check("Datatype.getAttr", items);
        return attributes().attached(null, "Datatype.getAttr", keyval);
    }

    /**
     * Detaches the object (MPI_Type_delete_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException as {@link #setAttr}
     */
    public void deleteAttr(int keyval) throws MPIException {
        ItemType.check("Datatype.deleteAttr", items);
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
        return items.toString();
    }
}
