package mpi.front.io;

import java.nio.ByteBuffer;

/** The bytes that a call moves, one behind the other, wherever they lie in memory. */
public interface UserData {
    /** Copies n bytes out, from a byte offset. */
    void get(long offset, byte[] out, int at, int n);

    /** Copies n bytes in, to a byte offset. */
    void put(long offset, byte[] in, int at, int n);

    /** An array of bytes or a buffer that has all of these bytes, from its byte 0 on; null if they lie elsewhere. */
    Object memory();

    /** All of these bytes where they lie, from byte 0 of a direct buffer on; null if they lie elsewhere. */
    ByteBuffer direct();
}
