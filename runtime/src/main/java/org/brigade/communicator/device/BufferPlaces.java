package org.brigade.communicator.device;

import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceCall;
import org.brigade.device.Devices;
import org.brigade.transport.Endpoint;

/** Where the buffers of one call lie on this rank, in the words by which other ranks find them. */
final class BufferPlaces {
    private final Devices devices;
    private final Endpoint endpoint;
    /** Numbers of the allocations, and where the buffers begin in them; 0 for a missing one. */
    long sendExport;
    long sendBegin;
    long recvExport;
    long recvBegin;

    BufferPlaces(Devices devices, Endpoint endpoint) {
        this.devices = devices;
        this.endpoint = endpoint;
    }

    /** Exports a call's buffers. @return false if other ranks cannot map one of them */
    boolean find(DeviceCall call) {
        sendExport = export(call.send);
        recvExport = export(call.recv);
        if (call.send != null && sendExport == Devices.UNREACHABLE
            || call.recv != null && recvExport == Devices.UNREACHABLE) {
            return false;
        }
        sendBegin = begin(call.send, call.sendOffset);
        recvBegin = begin(call.recv, call.recvOffset);
        return true;
    }

    long export(DeviceBuffer buffer) {
        return buffer == null ? Devices.UNREACHABLE : devices.export(endpoint, buffer);
    }

    private long begin(DeviceBuffer buffer, long offset) {
        return buffer == null ? 0 : devices.offset(buffer) + offset;
    }
}
