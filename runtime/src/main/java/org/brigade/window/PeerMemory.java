package org.brigade.window;

import java.nio.ByteBuffer;
import mpi.spi.DeviceBuffer;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;

/**
 * A buffer of another process of this node. Like memory of a device it can only be copied to and from, so it is a
 * {@link DeviceBuffer} to the layers below.
 */
final class PeerMemory extends DeviceBuffer {
    private static final int PIECE = 64 << 10;

    private final int process;
    private final ProcessMemory there;

    /** The kernel refuses a copy, or the process has ended. */
    static final class CopyFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** The system's number of the reason. */
        final int errno;

        CopyFailure(String what, int errno) {
            super(what + ": the system's error " + errno);
            this.errno = errno;
        }
    }

    PeerMemory(int process, long address, long bytes) {
        super(address, bytes);
        this.process = process;
        there = new ProcessMemory(process);
    }

    @Override
    public void read(long at, ByteBuffer target, int targetAt, int length) {
        check("read", length, there.read(address + at, Libc.address(target) + targetAt, length));
    }

    @Override
    public void write(long at, ByteBuffer source, int sourceAt, int length) {
        check("written", length, there.write(address + at, Libc.address(source) + sourceAt, length));
    }

    @Override
    public void copy(long at, DeviceBuffer target, long targetAt, long length) {
        ByteBuffer between = ByteBuffer.allocateDirect((int) Math.min(PIECE, length));
        for (long done = 0; done < length;) {
            int piece = (int) Math.min(between.capacity(), length - done);
            read(at + done, between, 0, piece);
            target.write(targetAt + done, between, 0, piece);
            done += piece;
        }
    }

    @Override
    public boolean isOnDevice() {
        return false;
    }

    private void check(String what, int length, int errno) {
        if (errno != 0) {
            throw new CopyFailure(length + " bytes of process " + process + " cannot be " + what, errno);
        }
    }

    @Override
    public String toString() {
        return "memory of " + bytes + " bytes in process " + process;
    }
}
