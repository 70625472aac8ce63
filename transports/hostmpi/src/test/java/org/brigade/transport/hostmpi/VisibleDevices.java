package org.brigade.transport.hostmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Libc;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;

/**
 * Devices whose memory any library of this process reads and writes at its addresses, and which count what is copied
 * otherwise.
 */
final class VisibleDevices implements Devices {
    int reads;
    int writes;
    /** How often a thread has got a device's context, and how many have it now. */
    int entries;
    private int entered;

    /** One allocation. */
    final class Memory extends DeviceBuffer {
        private final ByteBuffer content;

        private Memory(ByteBuffer content) {
            super(Libc.address(content), content.capacity());
            this.content = content;
        }

        byte[] bytes() {
            byte[] all = new byte[content.capacity()];
            content.get(0, all);
            return all;
        }

        @Override
        public void read(long at, ByteBuffer target, int targetAt, int length) {
            reads++;
            target.put(targetAt, content, (int) at, length);
        }

        @Override
        public void write(long at, ByteBuffer source, int sourceAt, int length) {
            writes++;
            content.put((int) at, source, sourceAt, length);
        }

        @Override
        public void copy(long at, DeviceBuffer target, long targetAt, long length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String toString() {
            return "visible memory of " + bytes + " bytes";
        }
    }

    /** Memory with this content. */
    Memory of(byte[] content) {
        return new Memory(ByteBuffer.allocateDirect(content.length).put(0, content));
    }

    void assertNoneEntered() {
        assertEquals(0, entered, "contexts that were not given back");
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

    @Override
    public CopyEngine copies() {
        return new CopyEngine() {
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
            public CopyQueue queue() {
                throw new UnsupportedOperationException("what an MPI moves itself needs no copies");
            }

            @Override
            public void enter(DeviceBuffer buffer) {
                entries++;
                entered++;
            }

            @Override
            public void leave() {
                entered--;
                assertTrue(entered >= 0);
            }
        };
    }
}
