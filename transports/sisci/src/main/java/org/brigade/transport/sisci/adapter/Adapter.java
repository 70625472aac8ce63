package org.brigade.transport.sisci.adapter;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One adapter in this process: its node, the requirements of its DMA, and segments with ids that no other process of
 * the host has. Only if nothing is {@link SisciLibrary#missing}.
 */
public final class Adapter {
    /** Alignment of DMA if the adapter does not tell. */
    private static final int USUAL_GRAIN = 8;
    private static final int LARGEST_GRAIN = 4096;
    private static final int ID_TRIES = 4096;

    private static final AtomicInteger IDS = new AtomicInteger();

    public final int number;
    public final int node;
    /** Sizes and offsets of DMA must be multiples of it, a power of two. */
    public final int grain;
    public final SisciSettings settings;
    /** Number of its multicast groups. */
    public final int groups = (int) Math.max(0,
        Math.min(MulticastDescriptor.SLOTS, Sisci.adapter(SisciLibrary.adapter(), "SCI_Q_ADAPTER_MCAST_MAX_GROUPS")));
    final int flushFlags = Sisci.flag("SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY");

    private Adapter(int number, int node, int grain, SisciSettings settings) {
        this.number = number;
        this.node = node;
        this.grain = grain;
        this.settings = settings;
    }

    public static Adapter open(SisciSettings settings) {
        int number = SisciLibrary.adapter();
        long size = Math.max(Sisci.adapter(number, "SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT"),
            Sisci.adapter(number, "SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT"));
        int grain = USUAL_GRAIN;
        while (grain < size && grain < LARGEST_GRAIN) {
            grain <<= 1;
        }
        return new Adapter(number, SisciLibrary.node(), grain, settings);
    }

    /** The first id to try in a process: others may have some of them. */
    public static int firstId(int process) {
        return 0x40000000 | process << 8 & 0x3fff_ff00;
    }

    /**
     * A segment of this process under an id that is free on this host; sets {@code id[0]} to it. Not yet available to
     * others.
     */
    long createSegment(long device, long bytes, int flags, int[] id) {
        int first = firstId((int) ProcessHandle.current().pid());
        SisciException last = null;
        for (int i = 0; i < ID_TRIES; i++) {
            id[0] = first + (IDS.getAndIncrement() & 0xfff);
            try {
                return Sisci.createSegment(device, id[0], bytes, flags);
            } catch (SisciException e) {
                if (e.code() != SisciException.SEGMENTID_USED) {
                    throw e;
                }
                last = e;
            }
        }
        throw last;
    }
}
