package org.brigade.cli.verify;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import org.brigade.verify.SampleCall;

/**
 * A datatype under trial: makes and compares its items. Floating values make every result exact in any order of
 * computation: they are small whole numbers, or powers of two for products.
 *
 * @param extent bytes from one item to the next
 * @param operations that are defined on it
 */
record TrialType(String name, Datatype type, int extent, List<Op> operations, List<Field> fields) {
    /** The kind of one field of an item, and its bytes. */
    enum Field {
        BOOLEAN(1), INTEGER8(1), INTEGER16(2), INTEGER32(4), INTEGER64(8), FLOAT16(2), BFLOAT16(2), FLOAT32(4),
        FLOAT64(8);

        final int bytes;

        Field(int bytes) {
            this.bytes = bytes;
        }
    }

    private static final List<Op> INTEGER =
        List.of(MPI.SUM, MPI.PROD, MPI.MAX, MPI.MIN, MPI.LAND, MPI.LOR, MPI.LXOR, MPI.BAND, MPI.BOR, MPI.BXOR);
    private static final List<Op> FLOATING = List.of(MPI.SUM, MPI.PROD, MPI.MAX, MPI.MIN);
    private static final List<Op> LOGICAL = List.of(MPI.LAND, MPI.LOR, MPI.LXOR);
    private static final List<Op> COMPLEX = List.of(MPI.SUM, MPI.PROD);
    private static final List<Op> PAIR = List.of(MPI.MAXLOC, MPI.MINLOC);
    private static final double[] FACTORS = {1, -1, 2, -2, 0.5, -0.5};

    static final TrialType BYTE = new TrialType("byte", MPI.BYTE, 1, INTEGER, Field.INTEGER8);
    static final TrialType FLOAT = new TrialType("float", MPI.FLOAT, 4, FLOATING, Field.FLOAT32);
    static final TrialType DOUBLE = new TrialType("double", MPI.DOUBLE, 8, FLOATING, Field.FLOAT64);
    static final List<TrialType> ALL = List.of(BYTE, new TrialType("boolean", MPI.BOOLEAN, 1, LOGICAL, Field.BOOLEAN),
        new TrialType("char", MPI.CHAR, 2, INTEGER, Field.INTEGER16),
        new TrialType("short", MPI.SHORT, 2, INTEGER, Field.INTEGER16),
        new TrialType("int", MPI.INT, 4, INTEGER, Field.INTEGER32),
        new TrialType("long", MPI.LONG, 8, INTEGER, Field.INTEGER64), FLOAT, DOUBLE,
        new TrialType("float16", MPI.FLOAT16, 2, FLOATING, Field.FLOAT16),
        new TrialType("bfloat16", MPI.BFLOAT16, 2, FLOATING, Field.BFLOAT16),
        new TrialType("float-complex", MPI.FLOAT_COMPLEX, 8, COMPLEX, Field.FLOAT32, Field.FLOAT32),
        new TrialType("double-complex", MPI.DOUBLE_COMPLEX, 16, COMPLEX, Field.FLOAT64, Field.FLOAT64),
        new TrialType("short-int", MPI.SHORT_INT, 8, PAIR, Field.INTEGER16, Field.INTEGER32),
        new TrialType("int2", MPI.INT2, 8, PAIR, Field.INTEGER32, Field.INTEGER32),
        new TrialType("long-int", MPI.LONG_INT, 16, PAIR, Field.INTEGER64, Field.INTEGER32),
        new TrialType("float-int", MPI.FLOAT_INT, 8, PAIR, Field.FLOAT32, Field.INTEGER32),
        new TrialType("double-int", MPI.DOUBLE_INT, 16, PAIR, Field.FLOAT64, Field.INTEGER32),
        new TrialType("short2", MPI.SHORT2, 4, PAIR, Field.INTEGER16, Field.INTEGER16),
        new TrialType("long2", MPI.LONG2, 16, PAIR, Field.INTEGER64, Field.INTEGER64),
        new TrialType("float2", MPI.FLOAT2, 8, PAIR, Field.FLOAT32, Field.FLOAT32),
        new TrialType("double2", MPI.DOUBLE2, 16, PAIR, Field.FLOAT64, Field.FLOAT64));

    private TrialType(String name, Datatype type, int extent, List<Op> operations, Field... fields) {
        this(name, type, extent, operations, List.of(fields));
    }

    static ByteBuffer bytes(int length) {
        return ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    }

    /**
     * The items that a rank contributes. They depend on the arguments only, so any rank can compute them; if there is
     * an operation, they suit it.
     */
    ByteBuffer items(long seed, int rank, int count, Op op) {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + rank);
        ByteBuffer items = bytes(count * extent);
        for (int i = 0; i < count; i++) {
            int at = i * extent;
            for (int f = 0; f < fields.size(); f++) {
                Field field = fields.get(f);
                at = aligned(at, field);
                put(items, at, field, random, op, f);
                at += field.bytes;
            }
        }
        return items;
    }

    private static int aligned(int at, Field field) {
        return (at + field.bytes - 1) / field.bytes * field.bytes;
    }

    private void put(ByteBuffer items, int at, Field field, SplittableRandom random, Op op, int place) {
        boolean pair = operations == PAIR;
        // Few different values, so that pairs tie and logical operations see false. A pair's index is not negative.
        int few = random.nextInt(pair && place == 1 ? 0 : -3, 4);
        double number = op == MPI.PROD ? FACTORS[random.nextInt(FACTORS.length)] : pair ? few : random.nextInt(-8, 9);
        long integer = pair || op == MPI.LAND || op == MPI.LOR || op == MPI.LXOR ? few : random.nextLong();
        switch (field) {
            case BOOLEAN -> items.put(at, (byte) (integer & 1));
            case INTEGER8 -> items.put(at, (byte) integer);
            case INTEGER16 -> items.putShort(at, (short) integer);
            case INTEGER32 -> items.putInt(at, (int) integer);
            case INTEGER64 -> items.putLong(at, integer);
            case FLOAT16 -> items.putShort(at, (short) float16((float) number));
            case BFLOAT16 -> items.putShort(at, (short) (Float.floatToIntBits((float) number) >>> 16));
            case FLOAT32 -> items.putFloat(at, (float) number);
            case FLOAT64 -> items.putDouble(at, number);
        }
    }

    /** The bits of a number that float16 can hold exactly, neither subnormal nor infinite. */
    private static int float16(float number) {
        int bits = Float.floatToIntBits(number);
        int sign = bits >>> 16 & 0x8000;
        return number == 0 ? sign : sign | (bits >>> 23 & 0xff) - 127 + 15 << 10 | bits >>> 13 & 0x3ff;
    }

    /** The items of ranks {@code 0} to {@code ranks - 1}, combined on the host in rank order. */
    ByteBuffer folded(long seed, int ranks, int count, Op op) throws MPIException {
        ByteBuffer result = items(seed, 0, count, op);
        for (int rank = 1; rank < ranks; rank++) {
            ByteBuffer next = items(seed, rank, count, op);
            Comm.reduceLocal(result, next, count, type, op);
            result = next;
        }
        return result;
    }

    /** Writes what a rank must receive into {@code into}, which has the items of its receive buffer. */
    void result(SampleCall call, int rank, long seed, Op op, ByteBuffer into) throws MPIException {
        call.result(rank, (at, source, terms, first, count) -> {
            ByteBuffer all =
                op == null ? items(seed, source, first + count, null) : folded(seed, terms, first + count, op);
            into.put(at * extent, all, first * extent, count * extent);
        });
    }

    /** Whether two items are equal. Padding is ignored, and zeros are equal whatever their sign. */
    boolean same(ByteBuffer a, ByteBuffer b, int at) {
        for (Field field : fields) {
            at = aligned(at, field);
            boolean equal = switch (field) {
                case BOOLEAN, INTEGER8 -> a.get(at) == b.get(at);
                case INTEGER16 -> a.getShort(at) == b.getShort(at);
                case INTEGER32 -> a.getInt(at) == b.getInt(at);
                case INTEGER64 -> a.getLong(at) == b.getLong(at);
                case FLOAT16, BFLOAT16 ->
                    a.getShort(at) == b.getShort(at) || ((a.getShort(at) | b.getShort(at)) & 0x7fff) == 0;
                case FLOAT32 -> a.getFloat(at) == b.getFloat(at) || a.getInt(at) == b.getInt(at);
                case FLOAT64 -> a.getDouble(at) == b.getDouble(at) || a.getLong(at) == b.getLong(at);
            };
            if (!equal) {
                return false;
            }
            at += field.bytes;
        }
        return true;
    }

    /** An item for messages: its fields in hexadecimal digits. */
    String shown(ByteBuffer items, int at) {
        StringBuilder text = new StringBuilder("0x");
        for (int i = 0; i < extent; i++) {
            int value =
                items.get(at + (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? extent - 1 - i : i)) & 0xff;
            text.append(Character.forDigit(value >> 4, 16)).append(Character.forDigit(value & 15, 16));
        }
        return text.toString();
    }
}
