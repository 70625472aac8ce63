package org.brigade.transport.sisci;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceRange;
import org.brigade.device.Devices;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.setting.Portable;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.AttachedMemory;
import org.brigade.transport.sisci.adapter.DmaChannel;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.Probe;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.SisciLibrary;
import org.brigade.transport.sisci.adapter.SisciSettings;

/** Describes this node's SISCI to people. */
public final class SisciInventory {
    private static final SisciSettings SETTINGS =
        new SisciSettings(InboxDescriptor.SMALLEST_RING, 1, 1_000_000_000L, 1_000_000_000L, 0, true);

    private static final int PATIENCE_MILLIS = 2000;

    private SisciInventory() {
    }

    /** Null if an adapter works; else why none does, as a sentence with its cure. */
    public static String missing() {
        if (Portable.ON) {
            return Portable.WHY;
        }
        try {
            return SisciLibrary.missing();
        } catch (TuningException e) {
            return e.getMessage();
        } catch (LinkageError e) {
            return "JNA cannot be loaded (" + e.getMessage() + "); set XDG_CACHE_HOME to a folder of yours where files"
                + " may be written and executed";
        }
    }

    /**
     * Describes the library, the adapter, and the DMA of a transfer from this node to itself. Call it only if nothing
     * is {@link #missing}.
     */
    public static List<String> lines() {
        List<String> lines = new ArrayList<>();
        String version = Sisci.version();
        lines.add((Sisci.isSoftware() ? "software libsisci (BRIGADE_SISCI=emulated)" : Sisci.LIBRARY)
            + (version == null ? "" : ", API " + version.strip()));
        int number = SisciLibrary.adapter();
        long up = Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_OPERATIONAL");
        long width = Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_WIDTH");
        long speed = Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_SPEED");
        lines.add("adapter " + number + ": node " + SisciLibrary.node()
            + (up < 0 ? "" : up == 0 ? ", link down" : ", link up") + (width > 0 ? ", x" + width : "")
            + (speed > 0 ? " Gen" + speed : ""));
        lines.add(dma());
        lines.add(memory());
        return lines;
    }

    /**
     * Describes DMA out of device memory, by a transfer from this node to itself.
     *
     * @param memory some memory of the device in question
     */
    public static String deviceMemory(Devices devices, DeviceBuffer memory) {
        Inbox inbox = null;
        Outbox outbox = null;
        DmaChannel channel = null;
        SisciDeviceSide side = null;
        String why;
        try {
            Adapter adapter = Adapter.open(SETTINGS);
            side = new SisciDeviceSide(adapter, devices);
            DeviceRange range = side.range(memory);
            if (range == null) {
                return SisciDeviceSide.DIRECT_BYTES <= 0
                    ? "device memory goes by way of host memory (brigade.sisci.gpudirect=0)"
                    : "device memory goes by way of host memory: the driver gives adapters no access to it";
            }
            SisciDeviceSide.Sample sample = side.sample(memory, range.device());
            DeviceRange sampled = sample.memory() == null ? null : side.range(sample.memory());
            AttachedMemory.Attachment attachment = sampled == null ? null : side.attached().attach(sampled);
            if (attachment == null) {
                why = side.attached().refusal();
            } else {
                inbox = Inbox.make(adapter, SETTINGS.ringBytes());
                outbox = Outbox.connect(adapter, adapter.node, inbox.id, inbox.ringBytes);
                channel = new DmaChannel(adapter, SisciDeviceSide.SAMPLE_BYTES, 0);
                int ring = InboxDescriptor.ring(0, inbox.ringBytes);
                channel.startAttached(attachment, sample.memory().address, outbox.remote, ring,
                    SisciDeviceSide.SAMPLE_BYTES);
                int state = channel.await(PATIENCE_MILLIS);
                boolean done = state == Sisci.DMA_DONE || state == Sisci.DMA_IDLE;
                if (done && SisciDeviceSide.checksum(inbox.memory, ring) == sample.checksum()) {
                    return "DMA out of device memory works";
                }
                why = done ? "the transfer reports success, but something else arrives" : "the transfer fails";
            }
        } catch (SisciException e) {
            why = e.getMessage();
        } finally {
            if (channel != null) {
                channel.close();
            }
            close(inbox, outbox);
            if (side != null) {
                side.close();
            }
        }
        return "DMA out of device memory does not work (" + why + "): it goes by way of page-locked host memory";
    }

    private static void close(Inbox inbox, Outbox outbox) {
        if (outbox != null) {
            outbox.close();
        }
        if (inbox != null) {
            inbox.withdraw();
            inbox.remove(System.nanoTime() + SETTINGS.connectNanos());
        }
    }

    private static String memory() {
        SisciSettings set;
        try {
            set = SisciSettings.of(Settings.ofThisProcess());
        } catch (TuningException e) {
            return "settings: " + e.getMessage();
        }
        return "each connection has at most " + mebibytes(set.segmentBytes()) + " MiB of segments here: 2 rings of "
            + mebibytes(set.ringBytes()) + " MiB, " + set.channels() + " DMA channels; DMA from "
            + (set.crossover() > 0 ? set.crossover() + " bytes on" : "where it is measured to be faster");
    }

    private static String mebibytes(long bytes) {
        return Math.round(bytes * 10.0 / (1 << 20)) / 10.0 + "";
    }

    private static String dma() {
        Inbox inbox = null;
        Outbox outbox = null;
        try {
            Adapter adapter = Adapter.open(SETTINGS);
            inbox = Inbox.make(adapter, SETTINGS.ringBytes());
            outbox = Outbox.connect(adapter, adapter.node, inbox.id, inbox.ringBytes);
            int ways = Probe.arrived(inbox, Probe.send(adapter, outbox));
            if ((ways & Probe.REGISTERED) != 0) {
                return "DMA from registered memory works";
            }
            return "DMA from registered memory does not arrive: check whether the IOMMU is on (intel_iommu=on or"
                + " amd_iommu=on, iommu=pt); "
                + ((ways & Probe.ADDRESSED) != 0 ? "Brigade sends from user memory instead"
                    : "other DMA does not arrive either, so Brigade copies by the processor");
        } catch (SisciException e) {
            return "DMA not tested: " + e.getMessage();
        } finally {
            close(inbox, outbox);
        }
    }
}
