package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.DeviceBuffer;

/** A pointer as a user's library has them, into memory that only a driver can reach. */
final class FakeDevice {
    final ByteBuffer memory;
    final long address;

    private FakeDevice(ByteBuffer memory, long address) {
        this.memory = memory;
        this.address = address;
    }

    static FakeDevice allocate(int bytes, long address) {
        return new FakeDevice(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()), address);
    }

    /** Another pointer to the same memory, so many bytes on. */
    FakeDevice plus(int bytes) {
        return new FakeDevice(memory.slice(bytes, memory.capacity() - bytes).order(ByteOrder.nativeOrder()),
            address + bytes);
    }

    /** What the provider makes of it. */
    DeviceBuffer below() {
        return new DeviceBuffer(address, memory.capacity()) {
            @Override
            public void read(long at, ByteBuffer target, int targetAt, int length) {
                target.duplicate().clear().position(targetAt).put(memory.duplicate().clear().slice((int) at, length));
            }

            @Override
            public void write(long at, ByteBuffer source, int sourceAt, int length) {
                memory.duplicate().clear().position((int) at).put(source.duplicate().clear().slice(sourceAt, length));
            }

            @Override
            public void copy(long at, DeviceBuffer target, long targetAt, long length) {
                target.write(targetAt, memory, (int) at, (int) length);
            }

            @Override
            public String toString() {
                return "device memory of " + bytes + " bytes on GPU 0";
            }
        };
    }

    /** A pointer to an allocation that has been freed. */
    static final class Dangling {
    }

    /** A pointer object that wraps what Java can reach. */
    static final class Wrapping {
        final Object buffer;

        Wrapping(Object buffer) {
            this.buffer = buffer;
        }
    }

    static Object underlying(Object buffer) {
        if (buffer instanceof Dangling) {
            throw new IllegalArgumentException(
                "is a pointer to 0x10, which lies in no live allocation; pass one into memory that is allocated");
        }
        return buffer instanceof FakeDevice device ? device.below()
            : buffer instanceof Wrapping wrapping ? wrapping.buffer : null;
    }
}
