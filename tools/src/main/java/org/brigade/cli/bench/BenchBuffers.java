package org.brigade.cli.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import mpi.MPI;

/**
 * The message buffers of one rank. They are big enough for every call that is timed. Their pages are touched once, so
 * that no page fault is timed.
 *
 * @param send a direct ByteBuffer, a byte[] or float[], or a pointer to device memory
 * @param first the same memory for nonblocking calls, which take NIO buffers only; null on a device
 */
public record BenchBuffers(Object send, Object recv, ByteBuffer first, ByteBuffer second) {
    /** Whether the buffers are pointers to device memory. */
    boolean onDevice() {
        return first == null && !(send instanceof float[]);
    }

    /** Off-heap buffers. */
    static BenchBuffers direct(long sendBytes, long recvBytes) {
        return filled(ByteBuffer.allocateDirect(length(sendBytes)), ByteBuffer.allocateDirect(length(recvBytes)));
    }

    /** Off-heap buffers of the library, which a program takes for its windows. */
    static BenchBuffers ofLibrary(long sendBytes, long recvBytes) {
        return filled(MPI.newByteBuffer(length(sendBytes)), MPI.newByteBuffer(length(recvBytes)));
    }

    private static BenchBuffers filled(ByteBuffer send, ByteBuffer recv) {
        send.order(ByteOrder.nativeOrder());
        recv.order(ByteOrder.nativeOrder());
        fill(send.asFloatBuffer());
        fill(recv.asFloatBuffer());
        return new BenchBuffers(send, recv, send, recv);
    }

    /** Java arrays: floats for reductions, else bytes. */
    static BenchBuffers arrays(boolean floats, long sendBytes, long recvBytes) {
        if (floats) {
            float[] send = new float[length(sendBytes) / 4];
            float[] recv = new float[length(recvBytes) / 4];
            fill(FloatBuffer.wrap(send));
            fill(FloatBuffer.wrap(recv));
            return new BenchBuffers(send, recv, null, null);
        }
        byte[] send = new byte[length(sendBytes)];
        byte[] recv = new byte[length(recvBytes)];
        fill(ByteBuffer.wrap(send).order(ByteOrder.nativeOrder()).asFloatBuffer());
        fill(ByteBuffer.wrap(recv).order(ByteOrder.nativeOrder()).asFloatBuffer());
        return new BenchBuffers(send, recv, ByteBuffer.wrap(send), ByteBuffer.wrap(recv));
    }

    private static int length(long bytes) {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("a buffer of " + bytes
                + " bytes is needed, but a buffer of Java has at most 2 GiB; give smaller sizes or fewer ranks");
        }
        return (int) Math.max(64, bytes);
    }

    private static void fill(FloatBuffer floats) {
        for (int i = 0; i < floats.capacity(); i++) {
            floats.put(i, (i % 97) / 97f);
        }
    }
}
