package org.brigade.transport.shm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.brigade.device.CopyEngine;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.setting.Setting;
import org.brigade.transport.Endpoint;

/** What the links of one endpoint share for messages from or to device memory. */
final class DeviceSide {
    final Endpoint endpoint;
    final Devices devices;
    private final NativeMemory segment;
    private final Path directory;
    private boolean pinned;
    /** How long a short message waits for its receiver. */
    long patienceNanos = Setting.number("cuda.patience") * 1000;

    /**
     * @param devices null if there are none
     * @param segment the memory in which the rings lie
     */
    DeviceSide(Endpoint endpoint, Devices devices, NativeMemory segment, Path directory) {
        this.endpoint = endpoint;
        this.devices = devices;
        this.segment = segment;
        this.directory = directory;
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

    Path file(String name) {
        return directory.resolve(name);
    }

    static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    static String name(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
