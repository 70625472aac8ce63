package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A view of one complex number in a buffer or array, of type {@link MPI#FLOAT_COMPLEX}: its real part, then its imaginary part. */
public final class FloatComplex {
    private final FloatBuffer buffer;
    private final int at;

    private FloatComplex(FloatBuffer buffer, int index) {
        this.buffer = buffer;
        this.at = 2 * index;
    }

    /** The first number in the buffer. */
    public static FloatComplex get(FloatBuffer buffer) {
        return new FloatComplex(buffer, 0);
    }

    /** The number with this index in the buffer. */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer, index);
    }

    /** The first number in the array. */
    public static FloatComplex get(float[] array) {
        return new FloatComplex(FloatBuffer.wrap(array), 0);
    }

    /** The number with this index in the array. */
    public static FloatComplex get(float[] array, int index) {
        return new FloatComplex(FloatBuffer.wrap(array), index);
    }

    /** The first number from the buffer's position on. */
    public static FloatComplex get(ByteBuffer buffer) {
        return new FloatComplex(buffer.asFloatBuffer(), 0);
    }

    /** The number with this index from the buffer's position on. */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return new FloatComplex(buffer.asFloatBuffer(), index);
    }

    public float getReal() {
        return buffer.get(at);
    }

    public float getImag() {
        return buffer.get(at + 1);
    }

    public void putReal(float real) {
        buffer.put(at, real);
    }

    public void putImag(float imag) {
        buffer.put(at + 1, imag);
    }

    /** The buffer, from this number on. */
    public FloatBuffer getBuffer() {
        return at == 0 ? buffer : MPI.slice(buffer, at);
    }
}
