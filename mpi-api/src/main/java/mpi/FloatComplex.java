package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import mpi.front.arguments.BufferSlices;

/**
 * A view of one complex number in a buffer or array, of type {@link MPI#FLOAT_COMPLEX}: its real part, then its
 * imaginary part.
 */
public final class FloatComplex {
    private final FloatBuffer buffer;
    private final int at;

    private FloatComplex(FloatBuffer buffer, int index) {
        if (index < 0 || index >= buffer.limit() / 2) {
            throw ErrorClass.ARG.in("FloatComplex.get",
                "there is no number " + index + " among " + buffer.limit() / 2 + "; pass 0 <= index < "
                    + buffer.limit() / 2);
        }
        this.buffer = buffer;
        this.at = 2 * index;
    }

    /** The first number in the buffer. */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /** The number with this index in the buffer. */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(given(buffer), index);
    }

    /** The first number in the array. */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /** The number with this index in the array. */
    public static FloatComplex get(float[] array, int index) {
        return new FloatComplex(FloatBuffer.wrap(given(array)), index);
    }

    /** The first number from the buffer's position on. */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** The number with this index from the buffer's position on. */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return new FloatComplex(given(buffer).asFloatBuffer(), index);
    }

    private static <B> B given(B buffer) {
        if (buffer == null) {
            throw ErrorClass.ARG.in("FloatComplex.get",
                "the buffer is null; pass an array or an NIO buffer of numbers");
        }
        return buffer;
    }

    /** The real part. */
    public float getReal() {
        return buffer.get(at);
    }

    /** The imaginary part. */
    public float getImag() {
        return buffer.get(at + 1);
    }

    /** Sets the real part. */
    public void putReal(float real) {
        buffer.put(at, real);
    }

    /** Sets the imaginary part. */
    public void putImag(float imag) {
        buffer.put(at + 1, imag);
    }

    /** The buffer, from this number on. */
    public FloatBuffer getBuffer() {
        return at == 0 ? buffer : BufferSlices.of(buffer, at);
    }
}
