package mpi;

import java.nio.ByteBuffer;
import java.nio.$Type$Buffer;
import mpi.front.arguments.BufferSlices;

/**
 * A view of one complex number in a buffer or array, of type {@link MPI#$CONSTANT$}: its real part, then its
 * imaginary part.
 */
public final class $Class$ {
    private final $Type$Buffer buffer;
    private final int at;

    private $Class$($Type$Buffer buffer, int index) {
        if (index < 0 || index >= buffer.limit() / 2) {
            throw ErrorClass.ARG.in("$Class$.get",
                "there is no number " + index + " among " + buffer.limit() / 2 + "; pass 0 <= index < "
                    + buffer.limit() / 2);
        }
        this.buffer = buffer;
        this.at = 2 * index;
    }

    /** The first number in the buffer. */
    public static $Class$ get($Type$Buffer buffer) {
        return get(buffer, 0);
    }

    /** The number with this index in the buffer. */
    public static $Class$ get($Type$Buffer buffer, int index) {
        return new $Class$(given(buffer), index);
    }

    /** The first number in the array. */
    public static $Class$ get($type$[] array) {
        return get(array, 0);
    }

    /** The number with this index in the array. */
    public static $Class$ get($type$[] array, int index) {
        return new $Class$($Type$Buffer.wrap(given(array)), index);
    }

    /** The first number from the buffer's position on. */
    public static $Class$ get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** The number with this index from the buffer's position on. */
    public static $Class$ get(ByteBuffer buffer, int index) {
        return new $Class$(given(buffer).as$Type$Buffer(), index);
    }

    private static <B> B given(B buffer) {
        if (buffer == null) {
            throw ErrorClass.ARG.in("$Class$.get",
                "the buffer is null; pass an array or an NIO buffer of numbers");
        }
        return buffer;
    }

    /** The real part. */
    public $type$ getReal() {
        return buffer.get(at);
    }

    /** The imaginary part. */
    public $type$ getImag() {
        return buffer.get(at + 1);
    }

    /** Sets the real part. */
    public void putReal($type$ real) {
        buffer.put(at, real);
    }

    /** Sets the imaginary part. */
    public void putImag($type$ imag) {
        buffer.put(at + 1, imag);
    }

    /** The buffer, from this number on. */
    public $Type$Buffer getBuffer() {
        return at == 0 ? buffer : BufferSlices.of(buffer, at);
    }
}
