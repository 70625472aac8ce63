package org.brigade.transport.sisci.adapter;

import java.util.ArrayList;
import java.util.List;
import org.brigade.select.TuningException;

/**
 * Where one of this node's adapters is plugged in, as its library says.
 *
 * @param number the library's
 * @param address bus, device and function: {@code 1b:00.0}; the library does not know of PCI domains
 * @param megabits Mbit/s of its cable as it runs now, -1 if unknown
 */
public record AdapterSlot(int number, String address, long megabits) {
    /** Adapters of a node have lower numbers. */
    private static final int MOST = 16;
    /** By generation: Mbit/s of a lane without its coding. */
    private static final double[] LANE = {0, 2000, 4000, 7877, 15754, 31508};

    /** All adapters that have a slot; none without a library that works. The software library's has none. */
    public static List<AdapterSlot> all() {
        List<AdapterSlot> slots = new ArrayList<>();
        for (int number = 0; isThere() && number < MOST; number++) {
            long word = Sisci.adapter(number, "SCI_Q_ADAPTER_BDF");
            if (word > 0) {
                slots.add(of(number, word, Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_WIDTH"),
                    Sisci.adapter(number, "SCI_Q_ADAPTER_LINK_SPEED")));
            }
        }
        return slots;
    }

    private static boolean isThere() {
        try {
            return SisciLibrary.missing() == null;
        } catch (TuningException | LinkageError e) {
            return false; // brigade info says why
        }
    }

    /**
     * @param word bus in bits 8 to 15, device in bits 3 to 7, function in bits 0 to 2
     * @param generation of PCIe
     */
    static AdapterSlot of(int number, long word, long width, long generation) {
        String address = String.format("%02x:%02x.%x", word >> 8 & 0xff, word >> 3 & 0x1f, word & 7);
        boolean known = width > 0 && width <= 32 && generation > 0 && generation < LANE.length;
        return new AdapterSlot(number, address, known ? Math.round(width * LANE[(int) generation]) : -1);
    }
}
