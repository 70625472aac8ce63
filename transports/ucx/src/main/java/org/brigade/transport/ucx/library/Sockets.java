package org.brigade.transport.ucx.library;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import org.brigade.memory.NativeMemory;

/** What the kernel says of sockets and event descriptors of this process. One thread at a time. */
public final class Sockets {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int SHUT_RDWR = 2;
    private static final long POLLIN = 1;

    // struct tcp_info, of which older kernels return the beginning
    private static final int INFO_BYTES = 104;
    private static final int RETRANSMITS_SHIFT = 16;
    private static final int PROBES_SHIFT = 24;
    private static final long BYTE = 0xff;
    private static final int UNACKNOWLEDGED = 24;
    private static final int LAST_ACKNOWLEDGEMENT = 56;
    private static final long WORD = 0xffff_ffffL;

    private static final NativeMemory INFO = NativeMemory.allocate(INFO_BYTES + Long.BYTES);
    private static final int LENGTH = INFO_BYTES;

    // struct pollfd, then struct timespec
    private static final int POLLFD_BYTES = 8;
    private static final int WAIT_BYTES = POLLFD_BYTES + 2 * Long.BYTES;
    private static final long SECOND = 1_000_000_000;

    static {
        Native.register(Sockets.class, NativeLibrary.getInstance("c"));
    }

    private Sockets() {
    }

    /**
     * For a socket that sends again what its peer's kernel has not acknowledged: the milliseconds since anything has
     * come from there. -1 for another one.
     */
    public static long unanswered(int socket) {
        INFO.putLong(LENGTH, INFO_BYTES);
        if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, INFO.address(), INFO.address() + LENGTH) != 0) {
            return -1;
        }
        long counts = INFO.getLong(0);
        boolean again = (INFO.getLong(UNACKNOWLEDGED) & WORD) != 0 && (counts >> RETRANSMITS_SHIFT & BYTE) != 0;
        return again || (counts >> PROBES_SHIFT & BYTE) != 0 ? INFO.getLong(LAST_ACKNOWLEDGEMENT) & WORD : -1;
    }

    /** Ends a connection, as if its peer had closed it. */
    public static void end(int socket) {
        shutdown(socket, SHUT_RDWR);
    }

    /** Memory for one thread's {@link #await}. */
    public static NativeMemory waiting() {
        return NativeMemory.allocate(WAIT_BYTES);
    }

    /** Sleeps up to so long, or until a descriptor has something to read. */
    public static void await(int descriptor, long nanos, NativeMemory waiting) {
        waiting.putLong(0, POLLIN << Integer.SIZE | descriptor);
        waiting.putLong(POLLFD_BYTES, nanos / SECOND);
        waiting.putLong(POLLFD_BYTES + Long.BYTES, nanos % SECOND);
        ppoll(waiting.address(), 1, waiting.address() + POLLFD_BYTES, 0);
    }

    private static native int getsockopt(int socket, int level, int option, long value, long length);

    private static native int shutdown(int socket, int how);

    private static native int ppoll(long descriptors, long count, long timeout, long signals);
}
