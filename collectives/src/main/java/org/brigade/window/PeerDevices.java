package org.brigade.window;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceMapping;
import org.brigade.device.Devices;

/**
 * Buffers in device memory: each rank tells the card of its allocation, and the others map it. A rank that has used no
 * device so far maps none, because that would start CUDA and take memory of a GPU; it uses messages.
 */
final class PeerDevices implements PeerReach {
    /** Null if this rank has used none. */
    private final Devices devices;
    /** This rank's own memory; null if it lies on the host. */
    private final DeviceBuffer own;
    private final List<DeviceMapping> mappings = new ArrayList<>();

    /** @param buffer this rank's memory, of any kind */
    PeerDevices(Devices devices, Object buffer) {
        this.devices = devices;
        own = buffer instanceof DeviceBuffer device ? device : null;
    }

    @Override
    public long[] told() {
        return own == null ? new long[Devices.CARD_WORDS] : devices.card(own);
    }

    @Override
    public DeviceBuffer find(long[] words, long bytes) {
        DeviceMapping mapping = devices == null || words[0] == 0 ? null : devices.map(words, own);
        if (mapping == null) {
            return null;
        }
        mappings.add(mapping);
        return mapping.buffer();
    }

    @Override
    public void close() {
        for (DeviceMapping each : mappings) {
            each.close();
        }
        mappings.clear();
    }
}
