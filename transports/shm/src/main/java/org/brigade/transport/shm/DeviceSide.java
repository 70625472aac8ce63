package org.brigade.transport.shm;

import org.brigade.device.CopyEngine;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.setting.Setting;
import org.brigade.transport.Endpoint;
import org.brigade.transport.NodeMemory;

/** What the links of one endpoint share for messages from or to device memory. */
final class DeviceSide {
    final Endpoint endpoint;
    final Devices devices;
    private final NativeMemory segment;
    /** In which long messages are staged. */
    final NodeMemory staging;
    private boolean pinned;
    /** How long a short message waits for its receiver. */
    long patienceNanos = Setting.number("cuda.patience") * 1000;

    /**
     * @param devices null if there are none
     * @param segment the memory in which the rings lie
     * @param staging memory for long messages, of the same node
     */
    DeviceSide(Endpoint endpoint, Devices devices, NativeMemory segment, NodeMemory staging) {
        this.endpoint = endpoint;
        this.devices = devices;
        this.segment = segment;
        this.staging = staging;
    }

    /** Null if there is none. Starts the driver, so call it only for messages from or to device memory. */
    CopyEngine copies() {
        CopyEngine copies = devices == null ? null : devices.copies();
        if (copies != null && !pinned) {
            pinned = true;
            copies.pin(segment);
        }
        return copies;
    }

    /** The links are closed. */
    void close() {
        if (pinned) {
            devices.copies().unpin(segment);
        }
    }
}
