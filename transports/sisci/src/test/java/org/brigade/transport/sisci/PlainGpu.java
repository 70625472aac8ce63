package org.brigade.transport.sisci;

import java.nio.ByteBuffer;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.device.DeviceGroup;
import org.brigade.device.DeviceRange;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Libc;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;
import org.brigade.transport.sisci.adapter.AttachedMemory;

/** A device whose memory is this process's, so that an adapter can be shown it, and which counts its copies. */
final class PlainGpu implements Devices, CopyEngine, CopyQueue {
    private long ids;
    int reads;
    int writes;

    /** One allocation. */
    static final class Memory extends DeviceBuffer {
        final ByteBuffer content;
        final long id;

        private Memory(ByteBuffer content, long id) {
            super(Libc.address(content), content.capacity());
            this.content = content;
            this.id = id;
        }

        @Override
        public void read(long at, ByteBuffer target, int targetAt, int length) {
            target.duplicate().clear().put(targetAt, content, (int) at, length);
        }

        @Override
        public void write(long at, ByteBuffer source, int sourceAt, int length) {
            content.put((int) at, source.duplicate().clear(), sourceAt, length);
        }

        @Override
        public void copy(long at, DeviceBuffer target, long targetAt, long length) {
            ((Memory) target).content.put((int) targetAt, content, (int) at, (int) length);
        }

        @Override
        public String toString() {
            return "plain memory";
        }
    }

    /** Allocations that follow each other in memory, the first at a multiple of 64 KiB. */
    Memory[] allocate(int... bytes) {
        int all = 0;
        for (int each : bytes) {
            all += each;
        }
        int page = (int) AttachedMemory.PAGE;
        ByteBuffer pages = ByteBuffer.allocateDirect(all + 2 * page);
        int at = (int) (-Libc.address(pages) & page - 1);
        Memory[] made = new Memory[bytes.length];
        for (int i = 0; i < made.length; i++) {
            made[i] = new Memory(pages.slice(at, bytes[i]), ++ids);
            at += bytes[i];
        }
        return made;
    }

    @Override
    public DeviceRange range(DeviceBuffer buffer) {
        return new DeviceRange(((Memory) buffer).id, buffer.address, buffer.bytes, 0);
    }

    @Override
    public DeviceBuffer allocate(long bytes, DeviceBuffer beside) {
        return allocate((int) bytes)[0];
    }

    @Override
    public void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes) {
        reads++;
        source.read(at, target.bytes, targetAt, bytes);
    }

    @Override
    public void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes) {
        writes++;
        target.write(at, source.bytes, sourceAt, bytes);
    }

    @Override
    public CopyEngine copies() {
        return this;
    }

    @Override
    public CopyQueue queue() {
        return this;
    }

    @Override
    public int running() {
        return 0;
    }

    @Override
    public void close() {
    }

    // ---- what links over a fabric have no use for ----

    @Override
    public void pin(NativeMemory memory) {
    }

    @Override
    public long map(Endpoint endpoint, int peer, long export, long offset, DeviceBuffer target) {
        return 0;
    }

    @Override
    public int hostShare(Endpoint endpoint, int peer, long export, DeviceBuffer target) {
        return 0;
    }

    @Override
    public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
        throw new AssertionError();
    }

    @Override
    public Object underlying(Object buffer) {
        return null;
    }

    @Override
    public long export(Endpoint endpoint, DeviceBuffer buffer) {
        return UNREACHABLE;
    }

    @Override
    public long offset(DeviceBuffer buffer) {
        return 0;
    }

    @Override
    public DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer, CommunicatorTopology wires,
        Exchange exchange) {
        return null;
    }
}
