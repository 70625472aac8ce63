package org.brigade.transport.sisci;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.DeviceRange;
import org.brigade.device.Devices;
import org.brigade.device.LocalDevices;
import org.brigade.memory.NativeMemory;
import org.brigade.setting.Setting;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.AttachedMemory;
import org.brigade.transport.sisci.adapter.WritableBuffers;

/**
 * What an end's connections share of this process's memory: that of devices, and what peers may write. Under the
 * progress lock.
 */
final class SisciDeviceSide {
    /**
     * Messages of this size and more go straight from device memory where that works; 0 for none. A shorter message
     * reaches host memory before a DMA of its own would begin.
     */
    static final long DIRECT_BYTES = Setting.number("sisci.gpudirect");

    /** Bytes of a sample that finds out whether DMA sends device memory. */
    static final int SAMPLE_BYTES = 16 << 10;

    private Devices devices;
    private final AttachedMemory attached;
    private final WritableBuffers targets;
    private final Map<Integer, Sample> samples = new HashMap<>();

    /** Device memory with known content; {@code memory} is null if there is none. */
    record Sample(DeviceBuffer memory, long checksum) {
    }

    /** @param given the devices; null for this process's, which are looked for when the first device memory comes */
    SisciDeviceSide(Adapter adapter, Devices given) {
        devices = given;
        attached = new AttachedMemory(adapter);
        targets = new WritableBuffers(adapter);
    }

    /** Null if there is no copy engine: then a buffer's own methods copy it. Starts the driver. */
    CopyEngine copies() {
        if (devices == null) {
            devices = LocalDevices.find();
        }
        return devices == null ? null : devices.copies();
    }

    /** The memory range of a buffer, as an adapter sees it; null if no adapter can be shown the range. */
    DeviceRange range(DeviceBuffer buffer) {
        return DIRECT_BYTES <= 0 || copies() == null ? null : copies().range(buffer);
    }

    AttachedMemory attached() {
        return attached;
    }

    /** Memory of direct buffers that peers write. */
    WritableBuffers targets() {
        return targets;
    }

    /** The sample on the device of a buffer, always the same. */
    Sample sample(DeviceBuffer beside, int device) {
        Sample sample = samples.get(device);
        if (sample == null) {
            NativeMemory content = NativeMemory.allocate(SAMPLE_BYTES);
            SplittableRandom random = new SplittableRandom(System.nanoTime());
            for (int i = 0; i < SAMPLE_BYTES; i += 8) {
                content.putLong(i, random.nextLong());
            }
            DeviceBuffer memory = copies().allocate(SAMPLE_BYTES, beside);
            if (memory != null) {
                memory.write(0, content.bytes, 0, SAMPLE_BYTES);
            }
            sample = new Sample(memory, checksum(content, 0));
            samples.put(device, sample);
        }
        return sample;
    }

    /** A checksum of a sample, in 32 bits. */
    static long checksum(NativeMemory memory, int at) {
        CRC32C sum = new CRC32C();
        sum.update(memory.bytes.slice(at, SAMPLE_BYTES));
        return sum.getValue();
    }

    void close() {
        attached.close();
        targets.close();
    }
}
