package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import mpi.front.arguments.BufferSlices;
import mpi.front.types.DerivedTypes;
import mpi.front.types.ItemType;

/**
 * A C struct in buffers. A program derives a class from it and adds the fields in its constructor, in C's order; each
 * add returns the field's offset in bytes. It derives the view that names the fields from {@link Data}. Calls that take
 * its {@link #getType type} move the fields and leave the padding between them alone. The extent is rounded up to the
 * largest element of a field, as a C compiler does it.
 *
 * <p>
 * Adding a field throws an {@link MPIException}: ERR_TYPE if the struct has been used already, ERR_ARG if the field
 * does not fit. Getting a view throws ERR_ARG if the buffer is null or too short.
 */
public abstract class Struct {
    private final List<Field> fields = new ArrayList<>();
    /** Where the next field begins. */
    private int end;
    private Datatype type;

    public Struct() {
        // The derived class adds the fields.
    }

    /** A struct with an existing type. */
    Struct(Datatype type) {
        this.type = type;
    }

    /** Distance between two structs of an array, in bytes; afterwards no field can be added. */
    public final int getExtent() throws MPIException {
        return (int) getType().items.shape.extent();
    }

    /** The type of the struct in MPI calls; afterwards no field can be added. */
    public final Datatype getType() throws MPIException {
        if (type == null) {
            int[] lengths = new int[fields.size()];
            int[] places = new int[lengths.length];
            ItemType[] types = new ItemType[lengths.length];
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = fields.get(i).length;
                places[i] = fields.get(i).place;
                types[i] = fields.get(i).type;
            }
            ItemType made = DerivedTypes.struct("Struct.getType", lengths, places, types, ItemType.BYTE, true);
            if (made.shape.extent() > Integer.MAX_VALUE) {
                throw ErrorClass.ARG.in("Struct.getType", "the struct of " + end
                    + " bytes ends beyond 2 GiB when it is padded; make it shorter");
            }
            type = new Datatype(made);
        }
        return type;
    }

    /** Returns a new view, which {@link #getData} places. */
    protected abstract Data newData();

    /** A view of the struct at the beginning of a buffer of native byte order. */
    public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
        return place(buffer, 0);
    }

    /** A view of the struct with this index in a buffer of native byte order. */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
        return place(buffer, (long) index * getExtent());
    }

    /** A view of the struct at the beginning of an array. */
    public final <T extends Data> T getData(byte[] array) throws MPIException {
        return place(wrap(array), 0);
    }

    /** A view of the struct with this index in an array. */
    public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
        return place(wrap(array), (long) index * getExtent());
    }

    private static ByteBuffer wrap(byte[] array) {
        return array == null ? null : ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
    }

    // The caller names the class of its own view, as the bindings' signature has it.
    @SuppressWarnings("unchecked")
    private <T extends Data> T place(ByteBuffer buffer, long offset) {
        int bytes = getExtent();
        if (buffer == null) {
            throw ErrorClass.BUFFER.in("Struct.getData",
                "the buffer is null; pass a byte[] or a ByteBuffer that holds the struct");
        }
        if (offset < 0 || offset > buffer.limit() - bytes) {
            throw ErrorClass.ARG.in("Struct.getData",
                "the struct of " + bytes + " bytes at byte " + offset + " lies outside the buffer of "
                    + buffer.limit() + " bytes; pass a longer buffer, or an index inside it");
        }
        Data data = newData();
        if (data == null) {
            throw ErrorClass.ARG.in("Struct.getData",
                getClass().getName() + ".newData() returned null; return a new Data()");
        }
        data.buffer = buffer;
        data.offset = (int) offset;
        return (T) data;
    }

    private int add(ItemType field, int length) {
        checkGrowing("Struct.add");
        long bytes = field.shape.extent();
        if (length < 0 || bytes < 0 || bytes > Integer.MAX_VALUE || end + bytes * length > Integer.MAX_VALUE) {
            throw ErrorClass.ARG.in("Struct.add",
                "a field of " + length + " elements of " + bytes + " bytes does not fit behind byte " + end
                    + "; pass 0 <= length, and keep the struct below 2 GiB");
        }
        int place = end;
        end += (int) bytes * length;
        fields.add(new Field(field, length, place));
        return place;
    }

    private static Datatype typeOf(String call, Struct struct) {
        if (struct == null) {
            throw ErrorClass.ARG.in(call, "the struct is null; pass one that has its fields");
        }
        return struct.getType();
    }

    private static ItemType checked(Datatype type) {
        ItemType.check("Struct.addData", Datatype.items(type));
        return type.items;
    }

    private void checkGrowing(String call) {
        if (type != null) {
            throw ErrorClass.TYPE.in(call, "the struct is in use already; add all fields in its constructor");
        }
    }

    /**
     * Begins the next field at this byte, after all others: C's padding.
     *
     * @param offset in bytes from the start of the struct
     */
    public final Struct setOffset(int offset) {
        checkGrowing("Struct.setOffset");
        if (offset < end) {
            throw ErrorClass.ARG.in("Struct.setOffset",
                "offset " + offset + " lies in the fields before; pass " + end + " or more");
        }
        end = offset;
        return this;
    }

    /** Adds a field; its offset in bytes. */
    public final int addByte() {
        return add(ItemType.BYTE, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addByte(int length) {
        return add(ItemType.BYTE, length);
    }

    /** Adds a field; its offset in bytes. */
    public final int addChar() {
        return add(ItemType.CHAR, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addChar(int length) {
        return add(ItemType.CHAR, length);
    }

    /** Adds a field; its offset in bytes. */
    public final int addShort() {
        return add(ItemType.SHORT, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addShort(int length) {
        return add(ItemType.SHORT, length);
    }

    /** Adds a field; its offset in bytes. */
    public final int addInt() {
        return add(ItemType.INT, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addInt(int length) {
        return add(ItemType.INT, length);
    }

    /** Adds a field; its offset in bytes. */
    public final int addLong() {
        return add(ItemType.LONG, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addLong(int length) {
        return add(ItemType.LONG, length);
    }

    /** Adds a field; its offset in bytes. */
    public final int addFloat() {
        return add(ItemType.FLOAT, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addFloat(int length) {
        return add(ItemType.FLOAT, length);
    }

    /** Adds a field; its offset in bytes. */
    public final int addDouble() {
        return add(ItemType.DOUBLE, 1);
    }

    /** Adds an array of this length; its offset in bytes. */
    public final int addDouble(int length) {
        return add(ItemType.DOUBLE, length);
    }

    /** Adds a struct; its offset in bytes. */
    public final int addStruct(Struct struct) throws MPIException {
        return add(typeOf("Struct.addStruct", struct).items, 1);
    }

    /** Adds an array of structs; its offset in bytes. */
    public final int addStruct(Struct struct, int length) throws MPIException {
        return add(typeOf("Struct.addStruct", struct).items, length);
    }

    /** Adds an item of a type; its offset in bytes. */
    public final int addData(Datatype type) throws MPIException {
        return add(checked(type), 1);
    }

    /** Adds items of a type; their offset in bytes. */
    public final int addData(Datatype type, int length) throws MPIException {
        return add(checked(type), length);
    }

    /** {@code length} items of a type from byte {@code place} on. */
    private record Field(ItemType type, int length, int place) {
    }

    /** A view of one struct in a buffer. Fields are identified by the offsets that adding them returned. */
    public abstract class Data {
        private ByteBuffer buffer;
        private int offset;

        public Data() {
            // Struct places it.
        }

        /** The buffer, from this struct on. */
        public final ByteBuffer getBuffer() {
            return offset == 0 ? buffer : BufferSlices.of(buffer, offset);
        }

        protected final byte getByte(int field) {
            return buffer.get(offset + field);
        }

        protected final byte getByte(int field, int index) {
            return buffer.get(offset + field + index);
        }

        protected final void putByte(int field, byte v) {
            buffer.put(offset + field, v);
        }

        protected final void putByte(int field, int index, byte v) {
            buffer.put(offset + field + index, v);
        }

        protected final char getChar(int field) {
            return buffer.getChar(offset + field);
        }

        protected final char getChar(int field, int index) {
            return buffer.getChar(offset + field + index * 2);
        }

        protected final void putChar(int field, char v) {
            buffer.putChar(offset + field, v);
        }

        protected final void putChar(int field, int index, char v) {
            buffer.putChar(offset + field + index * 2, v);
        }

        protected final short getShort(int field) {
            return buffer.getShort(offset + field);
        }

        protected final short getShort(int field, int index) {
            return buffer.getShort(offset + field + index * 2);
        }

        protected final void putShort(int field, short v) {
            buffer.putShort(offset + field, v);
        }

        protected final void putShort(int field, int index, short v) {
            buffer.putShort(offset + field + index * 2, v);
        }

        protected final int getInt(int field) {
            return buffer.getInt(offset + field);
        }

        protected final int getInt(int field, int index) {
            return buffer.getInt(offset + field + index * 4);
        }

        protected final void putInt(int field, int v) {
            buffer.putInt(offset + field, v);
        }

        protected final void putInt(int field, int index, int v) {
            buffer.putInt(offset + field + index * 4, v);
        }

        protected final long getLong(int field) {
            return buffer.getLong(offset + field);
        }

        protected final long getLong(int field, int index) {
            return buffer.getLong(offset + field + index * 8);
        }

        protected final void putLong(int field, long v) {
            buffer.putLong(offset + field, v);
        }

        protected final void putLong(int field, int index, long v) {
            buffer.putLong(offset + field + index * 8, v);
        }

        protected final float getFloat(int field) {
            return buffer.getFloat(offset + field);
        }

        protected final float getFloat(int field, int index) {
            return buffer.getFloat(offset + field + index * 4);
        }

        protected final void putFloat(int field, float v) {
            buffer.putFloat(offset + field, v);
        }

        protected final void putFloat(int field, int index, float v) {
            buffer.putFloat(offset + field + index * 4, v);
        }

        protected final double getDouble(int field) {
            return buffer.getDouble(offset + field);
        }

        protected final double getDouble(int field, int index) {
            return buffer.getDouble(offset + field + index * 8);
        }

        protected final void putDouble(int field, double v) {
            buffer.putDouble(offset + field, v);
        }

        protected final void putDouble(int field, int index, double v) {
            buffer.putDouble(offset + field + index * 8, v);
        }

        /** A view of a struct in this one. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return field(struct, field, 0);
        }

        /** A view of a struct in an array of structs in this one. */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field, int index) {
            return field(struct, field, index);
        }

        private <D extends Struct.Data> D field(Struct struct, int field, int index) {
            return struct.place(buffer,
                offset + field + (long) index * typeOf("Struct.Data.getData", struct).items.shape.extent());
        }

        /** The buffer, from a field on. */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return from((long) offset + field);
        }

        /** The buffer, from an item of a field on. */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) throws MPIException {
            return from(offset + field + (long) index * checked(type).shape.extent());
        }

        private ByteBuffer from(long at) {
            return at == 0 ? buffer : BufferSlices.of(buffer, (int) Math.min(Math.max(at, -1), Integer.MAX_VALUE));
        }
    }
}
