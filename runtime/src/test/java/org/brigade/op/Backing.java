package org.brigade.op;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.DeviceBuffer;
import mpi.spi.ElementKind;

/** The forms in which a caller may hold elements; each turns bytes in native order into a buffer and back. */
enum Backing {
    ARRAY, DIRECT_BIG_ENDIAN, DIRECT_NATIVE, DIRECT_WITH_LIMIT, DIRECT_VIEW, HEAP_BUFFER, DEVICE, READ_ONLY_HEAP_BUFFER;

    boolean isWritable() {
        return this != READ_ONLY_HEAP_BUFFER;
    }

    /** A buffer that holds these bytes. */
    Object of(ElementKind kind, byte[] content) {
        return switch (this) {
            case ARRAY -> array(kind, content);
            case DIRECT_BIG_ENDIAN -> direct(content);
            case DIRECT_NATIVE -> direct(content).order(ByteOrder.nativeOrder());
            case DIRECT_WITH_LIMIT -> direct(content).position(1).limit(2);
            case DIRECT_VIEW -> view(direct(content).order(ByteOrder.nativeOrder()), kind);
            case DEVICE -> new Device(direct(content));
            case HEAP_BUFFER -> ByteBuffer.wrap(content.clone());
            case READ_ONLY_HEAP_BUFFER -> ByteBuffer.wrap(content.clone()).asReadOnlyBuffer();
        };
    }

    /** The bytes that a buffer made by {@link #of} holds now. */
    byte[] contentOf(Object buffer, ElementKind kind, int bytes) {
        if (buffer instanceof Device device) {
            return contentOf(device.memory, kind, bytes);
        }
        if (buffer instanceof ByteBuffer b) {
            byte[] content = new byte[bytes];
            b.duplicate().clear().get(content);
            return content;
        }
        ByteBuffer content = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        for (int i = 0; i < bytes >> kind.shift; i++) {
            Object array = buffer instanceof Buffer ? one((Buffer) buffer, i) : buffer;
            int index = buffer instanceof Buffer ? 0 : i;
            switch (kind) {
                case BYTE -> content.put(Array.getByte(array, index));
                case BOOLEAN -> content.put((byte) (Array.getBoolean(array, index) ? 1 : 0));
                case CHAR -> content.putChar(Array.getChar(array, index));
                case SHORT -> content.putShort(Array.getShort(array, index));
                case INT -> content.putInt(Array.getInt(array, index));
                case LONG -> content.putLong(Array.getLong(array, index));
                case FLOAT -> content.putInt(Float.floatToRawIntBits(Array.getFloat(array, index)));
                case DOUBLE -> content.putLong(Double.doubleToRawLongBits(Array.getDouble(array, index)));
            }
        }
        return content.array();
    }

    /** Device memory, as far as regions can tell. */
    private static final class Device extends DeviceBuffer {
        private final ByteBuffer memory;

        Device(ByteBuffer memory) {
            super(1 << 20, memory.capacity());
            this.memory = memory;
        }

        @Override
        public void read(long at, ByteBuffer target, int targetAt, int length) {
            target.duplicate().clear().position(targetAt).put(memory.slice((int) at, length));
        }

        @Override
        public void write(long at, ByteBuffer source, int sourceAt, int length) {
            memory.duplicate().clear().position((int) at).put(source.duplicate().clear().slice(sourceAt, length));
        }

        @Override
        public void copy(long at, DeviceBuffer target, long targetAt, long length) {
            target.write(targetAt, memory, (int) at, (int) length);
        }

        @Override
        public String toString() {
            return "device memory of " + bytes + " bytes";
        }
    }

    private static Object one(Buffer view, int index) {
        if (view instanceof java.nio.CharBuffer b) {
            return new char[] {b.get(index)};
        } else if (view instanceof java.nio.ShortBuffer b) {
            return new short[] {b.get(index)};
        } else if (view instanceof java.nio.IntBuffer b) {
            return new int[] {b.get(index)};
        } else if (view instanceof java.nio.LongBuffer b) {
            return new long[] {b.get(index)};
        } else if (view instanceof java.nio.FloatBuffer b) {
            return new float[] {b.get(index)};
        }
        return new double[] {((java.nio.DoubleBuffer) view).get(index)};
    }

    private static ByteBuffer direct(byte[] content) {
        return ByteBuffer.allocateDirect(content.length).put(content).clear();
    }

    private static Object view(ByteBuffer bytes, ElementKind kind) {
        return switch (kind) {
            case BYTE, BOOLEAN -> bytes;
            case CHAR -> bytes.asCharBuffer();
            case SHORT -> bytes.asShortBuffer();
            case INT -> bytes.asIntBuffer();
            case LONG -> bytes.asLongBuffer();
            case FLOAT -> bytes.asFloatBuffer();
            case DOUBLE -> bytes.asDoubleBuffer();
        };
    }

    static Object array(ElementKind kind, byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
        int count = content.length >> kind.shift;
        switch (kind) {
            case BYTE :
                return content.clone();
            case BOOLEAN :
                boolean[] booleans = new boolean[count];
                for (int i = 0; i < count; i++) {
                    booleans[i] = content[i] != 0;
                }
                return booleans;
            case CHAR :
                char[] chars = new char[count];
                bytes.asCharBuffer().get(chars);
                return chars;
            case SHORT :
                short[] shorts = new short[count];
                bytes.asShortBuffer().get(shorts);
                return shorts;
            case INT :
                int[] ints = new int[count];
                bytes.asIntBuffer().get(ints);
                return ints;
            case LONG :
                long[] longs = new long[count];
                bytes.asLongBuffer().get(longs);
                return longs;
            case FLOAT :
                float[] floats = new float[count];
                bytes.asFloatBuffer().get(floats);
                return floats;
            default :
                double[] doubles = new double[count];
                bytes.asDoubleBuffer().get(doubles);
                return doubles;
        }
    }
}
