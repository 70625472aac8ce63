package org.brigade.window;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceMapping;
import org.brigade.device.Devices;

/**
 * Buffers in device memory: each rank tells the card of its allocation, and the others map it. A rank that uses no
 * device maps none, because that would take memory of one; it uses messages.
 */
final class PeerDevices implements PeerReach {
    /** This process's devices, null if there are none; asked for only if some rank has memory on one. */
    private final Supplier<Devices> devices;
    /** This rank's own memory; null if it lies on the host. */
    private final DeviceBuffer own;
    private final List<DeviceMapping> mappings = new ArrayList<>();

    /** @param buffer this rank's memory, of any kind */
    PeerDevices(Supplier<Devices> devices, Object buffer) {
        this.devices = devices;
        own = buffer instanceof DeviceBuffer device ? device : null;
    }

    @Override
    public int words() {
        return Devices.CARD_WORDS;
    }

    @Override
    public long[] told() {
        return own == null ? new long[Devices.CARD_WORDS] : devices.get().card(own);
    }

    @Override
    public DeviceBuffer find(long[] words, long bytes) {
        Devices here = words[0] == 0 ? null : devices.get();
        DeviceMapping mapping = here == null ? null : here.map(words, own);
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
