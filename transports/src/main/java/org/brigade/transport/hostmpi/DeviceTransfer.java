package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.hostmpi.library.HostMpi;

/**
 * A message of the host's MPI between some memory here, a device's or the host's, and some of a peer's, without a head.
 * Used again and again. Under {@link HostMpiEnd#LOCK}.
 */
final class DeviceTransfer {
    private final NativeMemory request = NativeMemory.allocate(HostMpi.REQUEST_BYTES);
    private boolean onDevice;

    void send(CopyEngine copies, DeviceBuffer memory, long address, int bytes, int peer, int tag, long communicator) {
        begin(copies, memory, true, address, bytes, peer, tag, communicator);
    }

    void receive(CopyEngine copies, DeviceBuffer memory, long address, int bytes, int peer, int tag,
        long communicator) {
        begin(copies, memory, false, address, bytes, peer, tag, communicator);
    }

    /** @param memory that the address is in; null for the host's */
    private void begin(CopyEngine copies, DeviceBuffer memory, boolean out, long address, int bytes, int peer, int tag,
        long communicator) {
        onDevice = memory != null;
        if (onDevice) {
            DeviceTraffic.begun(copies, memory);
        }
        boolean begun = false;
        CopyEngine entered = DeviceTraffic.enter();
        try {
            if (out) {
                HostMpi.synchronousSend(address, bytes, peer, tag, communicator, request.address());
            } else {
                HostMpi.receive(address, bytes, peer, tag, communicator, request.address());
            }
            begun = true;
        } finally {
            DeviceTraffic.leave(entered);
            if (!begun && onDevice) {
                DeviceTraffic.ended();
            }
        }
    }

    boolean ended() {
        boolean ended;
        CopyEngine entered = DeviceTraffic.enter();
        try {
            ended = HostMpi.test(request.address());
        } finally {
            DeviceTraffic.leave(entered);
        }
        if (ended && onDevice) {
            DeviceTraffic.ended();
        }
        return ended;
    }
}
