package org.brigade.communicator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import mpi.ErrorClass;
import mpi.spi.DeviceBuffer;

/** Device memory that the library can only reach as it reaches a device's. The tests look at it from behind. */
public final class FakeMemory extends DeviceBuffer {
    private static final AtomicLong NEXT = new AtomicLong(0x7f00_0000_0000L);

    /** The whole allocation. */
    final ByteBuffer allocation;
    final long base;
    /** How peers find the allocation; {@link org.brigade.device.Devices#UNREACHABLE} if they cannot. */
    final long export;

    /** Reads that go well before one fails. */
    public int goodReads = Integer.MAX_VALUE;
    /** Reads, writes and copies so far. */
    public int copies;
    /** Whether its owner has given it back. */
    public volatile boolean freed;

    private FakeMemory(ByteBuffer allocation, long base, long export, int at) {
        super(base + at, allocation.capacity() - at);
        this.allocation = allocation;
        this.base = base;
        this.export = export;
    }

    /** Memory that begins {@code before} bytes into an allocation. */
    public static FakeMemory allocate(int before, int bytes, long export) {
        ByteBuffer memory = ByteBuffer.allocateDirect(before + bytes).order(ByteOrder.nativeOrder());
        return new FakeMemory(memory, NEXT.getAndAdd(before + bytes + 4096L & -256L), export, before);
    }

    /** A pointer so many bytes on. */
    public FakeMemory plus(int bytes) {
        return new FakeMemory(allocation, base, export, (int) (address - base) + bytes);
    }

    /** From the pointer on. */
    public ByteBuffer memory() {
        return allocation.slice((int) (address - base), (int) bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void read(long at, ByteBuffer target, int targetAt, int length) {
        if (goodReads-- <= 0) {
            throw ErrorClass.OTHER.in("device memory", "the device fell off the bus");
        }
        copies++;
        check(at, length);
        check(target, length);
        target.duplicate().clear().position(targetAt).put(memory().slice((int) at, length));
    }

    @Override
    public void write(long at, ByteBuffer source, int sourceAt, int length) {
        copies++;
        check(at, length);
        check(source, length);
        memory().position((int) at).put(source.duplicate().clear().slice(sourceAt, length));
    }

    @Override
    public void copy(long at, DeviceBuffer target, long targetAt, long length) {
        check(at, length);
        ((FakeMemory) target).check(targetAt, length);
        ((FakeMemory) target).memory().position((int) targetAt).put(memory().slice((int) at, (int) length));
    }

    @Override
    public boolean isAlive() {
        return !freed;
    }

    private void check(long at, long length) {
        if (freed) {
            throw new IllegalStateException("a copy of " + length + " bytes of freed memory");
        }
        if (length <= 0 || at < 0 || at + length > bytes) {
            throw new IllegalStateException("a copy of " + length + " bytes at " + at + " of " + this);
        }
    }

    private static void check(ByteBuffer host, int length) {
        if (!host.isDirect()) {
            throw new IllegalStateException("a copy of " + length + " bytes between a device and the heap");
        }
    }

    @Override
    public String toString() {
        return "device memory of " + bytes + " bytes on fake GPU 0";
    }
}
