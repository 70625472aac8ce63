package mpi.concurrent;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Inputs and results without Java's serialization, which takes longer than a short task does: each is a byte for its
 * class, and its bits. Only for values that nobody tells apart from their copies.
 */
final class PlainValues {
    /** More go as objects, which may be longer than an array. */
    private static final int MOST_BYTES = 1 << 20;
    /** A character takes three bytes at most, and a string 65,535. */
    private static final int MOST_CHARACTERS = 20_000;

    private static final int NULL = 0;
    private static final int FALSE = 1;
    private static final int TRUE = 2;
    private static final int INTEGER = 3;
    private static final int LONG = 4;
    private static final int DOUBLE = 5;
    private static final int STRING = 6;

    private PlainValues() {
    }

    /** The values as bytes; null if they must go as objects. */
    static byte[] encode(Object[] values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeInt(values.length);
            for (Object value : values) {
                if (!write(out, value) || bytes.size() > MOST_BYTES) {
                    return null;
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e); // memory has none
        }
        return bytes.toByteArray();
    }

    private static boolean write(DataOutputStream out, Object value) throws IOException {
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof Boolean truth) {
            out.writeByte(truth ? TRUE : FALSE);
        } else if (value instanceof Integer number) {
            out.writeByte(INTEGER);
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeByte(LONG);
            out.writeLong(number);
        } else if (value instanceof Double number) {
            out.writeByte(DOUBLE);
            out.writeLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof String text && text.length() <= MOST_CHARACTERS) {
            out.writeByte(STRING);
            out.writeUTF(text);
        } else {
            return false;
        }
        return true;
    }

    static Object[] decode(byte[] bytes) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            Object[] values = new Object[in.readInt()];
            for (int i = 0; i < values.length; i++) {
                values[i] = read(in);
            }
            return values;
        } catch (IOException e) {
            throw new AssertionError(e); // encode has written it all
        }
    }

    private static Object read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case NULL -> null;
            case FALSE -> false;
            case TRUE -> true;
            case INTEGER -> in.readInt();
            case LONG -> in.readLong();
            case DOUBLE -> Double.longBitsToDouble(in.readLong());
            case STRING -> in.readUTF();
            default -> throw new IOException("kind " + kind);
        };
    }
}
