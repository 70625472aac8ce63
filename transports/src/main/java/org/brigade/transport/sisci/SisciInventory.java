package org.brigade.transport.sisci;

import java.util.ArrayList;
import java.util.List;
import org.brigade.nativ.Sisci;
import org.brigade.nativ.SisciException;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;

/** What of SISCI there is on this node, for people. */
public final class SisciInventory {
    private static final SisciSettings SETTINGS = new SisciSettings(InboxDescriptor.SMALLEST_RING, 1, 1_000_000_000L, 1_000_000_000L, 0, true);

    private SisciInventory() {
    }

    /** Null if there is an adapter that works; else why not, as a sentence with its cure. */
    public static String missing() {
        return SisciLibrary.missing();
    }

    /** The library, the adapter, and what a transfer from this node to itself shows of DMA; only if nothing is {@link #missing}. */
    public static List<String> lines() {
        List<String> lines = new ArrayList<>();
        String version = Sisci.version();
        lines.add((Sisci.isSoftware() ? "software libsisci (BRIGADE_SISCI=emulated)" : Sisci.LIBRARY) + (version == null ? "" : ", API " + version.strip()));
        int number = SisciLibrary.ADAPTER;
        long up = Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_OPERATIONAL");
        long width = Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_WIDTH");
        long speed = Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_SPEED");
        lines.add("adapter " + number + ": node " + SisciLibrary.node() + (up < 0 ? "" : up == 0 ? ", link down" : ", link up") + (width > 0 ? ", x" + width : "") + (speed > 0 ? " Gen" + speed : ""));
        lines.add(dma());
        lines.add(memory());
        return lines;
    }

    private static String memory() {
        SisciSettings set;
        try {
            set = SisciSettings.of(Settings.ofThisProcess());
        } catch (TuningException e) {
            return "settings: " + e.getMessage();
        }
        return "each connection has at most " + mebibytes(set.segmentBytes()) + " MiB of segments here: 2 rings of " + mebibytes(set.ringBytes()) + " MiB, " + set.channels() + " DMA channels; DMA from "
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
            return "DMA from registered memory does not arrive: look whether the IOMMU is on (intel_iommu=on or amd_iommu=on, iommu=pt); "
                + ((ways & Probe.ADDRESSED) != 0 ? "Brigade sends from user memory instead" : "nor does any other, so Brigade copies by the processor");
        } catch (SisciException e) {
            return "DMA not tested: " + e.getMessage();
        } finally {
            if (outbox != null) {
                outbox.close();
            }
            if (inbox != null) {
                inbox.withdraw();
                inbox.remove(System.nanoTime() + SETTINGS.connectNanos());
            }
        }
    }
}
