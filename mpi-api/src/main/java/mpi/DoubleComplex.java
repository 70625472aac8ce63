package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import mpi.front.arguments.BufferSlices;

/**
 * A view of one complex number in a buffer or array, of type {@link MPI#DOUBLE_COMPLEX}: its real part, then its
 * imaginary part.
 */
public final class DoubleComplex {
    private final DoubleBuffer buffer;
    private final int at;

    private DoubleComplex(DoubleBuffer buffer, int index) {
        if (index < 0 || index >= buffer.limit() / 2) {
            throw ErrorClass.ARG.in("DoubleComplex.get",
                "there is no number " + index + " among " + buffer.limit() / 2 + "; pass 0 <= index < "
                    + buffer.limit() / 2);
        }
        this.buffer = buffer;
        this.at = 2 * index;
    }

    /** The first number in the buffer. */
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /** The number with this index in the buffer. */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(given(buffer), index);
    }

    /** The first number in the array. */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /** The number with this index in the array. */
    public static DoubleComplex get(double[] array, int index) {
        return new DoubleComplex(DoubleBuffer.wrap(given(array)), index);
    }

    /** The first number from the buffer's position on. */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** The number with this index from the buffer's position on. */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        return new DoubleComplex(given(buffer).asDoubleBuffer(), index);
    }

    private static <B> B given(B buffer) {
        if (buffer == null) {
            throw ErrorClass.ARG.in("DoubleComplex.get",
                "the buffer is null; pass an array or an NIO buffer of numbers");
        }
        return buffer;
    }

    /** The real part. */
    public double getReal() {
        return buffer.get(at);
    }

    /** The imaginary part. */
    public double getImag() {
        return buffer.get(at + 1);
    }

    /** Sets the real part. */
    public void putReal(double real) {
        buffer.put(at, real);
    }

    /** Sets the imaginary part. */
    public void putImag(double imag) {
        buffer.put(at + 1, imag);
    }

    /** The buffer, from this number on. */
    public DoubleBuffer getBuffer() {
        return at == 0 ? buffer : BufferSlices.of(buffer, at);
    }
}
