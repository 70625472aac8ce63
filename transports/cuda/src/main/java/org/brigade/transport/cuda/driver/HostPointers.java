package org.brigade.transport.cuda.driver;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import jcuda.Pointer;

/**
 * Host memory behind a {@code jcuda.Pointer}: the array or NIO buffer of {@code Pointer.to}, or the page-locked memory
 * of {@code cuMemHostAlloc}.
 */
public final class HostPointers {
    private HostPointers() {
    }

    /**
     * The array (if the pointer is to its start) or NIO buffer of a pointer.
     *
     * @return null if the pointer is not to host memory that JCuda has a view of
     * @throws IllegalArgumentException if its byte offset is not a whole number of elements
     */
    public static Object of(Pointer pointer) {
        Buffer buffer = JCudaFields.buffer(pointer);
        if (buffer == null) {
            return null;
        }
        // The native pointer of page-locked memory already points to its start; only the offset counts.
        long offset = Addresses.offset(pointer);
        if (offset == 0 && buffer.hasArray() && buffer.arrayOffset() == 0) {
            return buffer.array();
        }
        return from(buffer, offset);
    }

    /** All of a buffer from {@code offset} bytes on, whatever its position and limit, as {@code Pointer.to} defines. */
    private static Buffer from(Buffer buffer, long offset) {
        if (buffer instanceof ByteBuffer bytes) {
            return behind(bytes.duplicate().clear(), offset, 1) instanceof ByteBuffer rest
                ? rest.slice().order(ByteOrder.nativeOrder()) : null;
        }
        if (buffer instanceof ShortBuffer shorts) {
            return ((ShortBuffer) behind(shorts.duplicate().clear(), offset, 2)).slice();
        }
        if (buffer instanceof CharBuffer chars) {
            return ((CharBuffer) behind(chars.duplicate().clear(), offset, 2)).slice();
        }
        if (buffer instanceof IntBuffer ints) {
            return ((IntBuffer) behind(ints.duplicate().clear(), offset, 4)).slice();
        }
        if (buffer instanceof FloatBuffer floats) {
            return ((FloatBuffer) behind(floats.duplicate().clear(), offset, 4)).slice();
        }
        if (buffer instanceof LongBuffer longs) {
            return ((LongBuffer) behind(longs.duplicate().clear(), offset, 8)).slice();
        }
        return ((DoubleBuffer) behind(((DoubleBuffer) buffer).duplicate().clear(), offset, 8)).slice();
    }

    private static Buffer behind(Buffer whole, long offset, int elementBytes) {
        long index = offset / elementBytes;
        if (offset < 0 || offset % elementBytes != 0 || index > whole.capacity()) {
            throw new IllegalArgumentException("is a jcuda.Pointer with a byte offset of " + offset + " into "
                + whole.capacity() + " elements of " + elementBytes
                + " bytes; give withByteOffset a multiple of " + elementBytes + " that lies within them");
        }
        return whole.position((int) index);
    }
}
