package mpi.front.arguments;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.ErrorClass;
import mpi.MPIException;

/**
 * Parts of buffers and arrays from an offset on, whatever a buffer's position and limit. {@link SliceOrigin} knows what
 * lies before them.
 */
public final class BufferSlices {
    private BufferSlices() {
    }

    public static ByteBuffer of(ByteBuffer buf, int offset) {
        return SliceOrigin.of(buf,
            whole(buf, offset).duplicate().clear().position(offset).slice().order(ByteOrder.nativeOrder()), offset);
    }

    public static ByteBuffer of(byte[] buf, int offset) {
        return SliceOrigin.of(buf,
            ByteBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice().order(ByteOrder.nativeOrder()),
            offset);
    }

    public static CharBuffer of(CharBuffer buf, int offset) {
        return SliceOrigin.of(buf, whole(buf, offset).duplicate().clear().position(offset).slice(), offset);
    }

    public static CharBuffer of(char[] buf, int offset) {
        return SliceOrigin.of(buf, CharBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice(), offset);
    }

    public static ShortBuffer of(ShortBuffer buf, int offset) {
        return SliceOrigin.of(buf, whole(buf, offset).duplicate().clear().position(offset).slice(), offset);
    }

    public static ShortBuffer of(short[] buf, int offset) {
        return SliceOrigin.of(buf, ShortBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice(), offset);
    }

    public static IntBuffer of(IntBuffer buf, int offset) {
        return SliceOrigin.of(buf, whole(buf, offset).duplicate().clear().position(offset).slice(), offset);
    }

    public static IntBuffer of(int[] buf, int offset) {
        return SliceOrigin.of(buf, IntBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice(), offset);
    }

    public static LongBuffer of(LongBuffer buf, int offset) {
        return SliceOrigin.of(buf, whole(buf, offset).duplicate().clear().position(offset).slice(), offset);
    }

    public static LongBuffer of(long[] buf, int offset) {
        return SliceOrigin.of(buf, LongBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice(), offset);
    }

    public static FloatBuffer of(FloatBuffer buf, int offset) {
        return SliceOrigin.of(buf, whole(buf, offset).duplicate().clear().position(offset).slice(), offset);
    }

    public static FloatBuffer of(float[] buf, int offset) {
        return SliceOrigin.of(buf, FloatBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice(), offset);
    }

    public static DoubleBuffer of(DoubleBuffer buf, int offset) {
        return SliceOrigin.of(buf, whole(buf, offset).duplicate().clear().position(offset).slice(), offset);
    }

    public static DoubleBuffer of(double[] buf, int offset) {
        return SliceOrigin.of(buf, DoubleBuffer.wrap(checked(buf, offset), offset, buf.length - offset).slice(),
            offset);
    }

    /** Begins a buffer at an offset, whatever its position and limit. */
    private static <B extends Buffer> B whole(B buffer, int offset) {
        if (buffer == null) {
            throw noSlice();
        }
        check(buffer, buffer.capacity(), offset);
        return buffer;
    }

    private static <A> A checked(A array, int offset) {
        if (array == null) {
            throw noSlice();
        }
        check(array, Array.getLength(array), offset);
        return array;
    }

    private static void check(Object buffer, int length, int offset) {
        if (offset < 0 || offset > length) {
            throw ErrorClass.ARG.in("MPI.slice", "offset " + offset + " lies outside " + Complaints.describe(buffer)
                + "; pass 0 <= offset <= " + length);
        }
    }

    private static MPIException noSlice() {
        return ErrorClass.ARG.in("MPI.slice", "the buffer is null; pass an array or an NIO buffer");
    }
}
