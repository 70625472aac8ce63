package org.brigade.transport.sisci.adapter;

import org.brigade.select.Settings;
import org.brigade.select.TuningException;

/**
 * The user's settings of the SISCI fabric.
 *
 * @param ringBytes of each of the two rings in an inbox: a power of two ({@link InboxDescriptor#isRing})
 * @param channels DMA queues a connection, 1 to 16
 * @param patienceNanos how long a link may be down before its peer is lost
 * @param connectNanos how long a peer may take to answer
 * @param crossover bytes from which on messages go by DMA; 0: measure it
 * @param throughAdapter whether ranks of one node use the adapter, too: for tests
 * @param rendezvous bytes from which on the receiver says where a message is to be written; 0: never
 * @param checksum whether the receiver compares the checksum of every such message
 */
public record SisciSettings(int ringBytes, int channels, long patienceNanos, long connectNanos, long crossover,
    boolean throughAdapter, long rendezvous, boolean checksum) {
    private static final long USUAL_RENDEZVOUS = 1 << 20;

    /** With the usual rendezvous. */
    public SisciSettings(int ringBytes, int channels, long patienceNanos, long connectNanos, long crossover,
        boolean throughAdapter) {
        this(ringBytes, channels, patienceNanos, connectNanos, crossover, throughAdapter, USUAL_RENDEZVOUS, false);
    }

    /** So many transfers fill a ring: while some arrive, the receiver empties others. */
    public static final int CHUNKS_A_RING = 8;
    /** Longer transfers are no faster if several queues take turns. */
    private static final int LARGEST_TRANSFER = 512 << 10;

    /**
     * The settings of this process.
     *
     * @throws TuningException naming the wrong setting, and the cure
     */
    public static SisciSettings of(Settings set) {
        SisciSettings settings = new SisciSettings((int) set.number("sisci.ring"), (int) set.number("sisci.channels"),
            set.number("sisci.patience") * 1_000_000L,
            set.number("sisci.connect") * 1_000_000L, set.number("sisci.crossover", 0), false,
            set.number("sisci.rendezvous"),
            "on".equals(set.get("sisci.checksum")));
        if (!InboxDescriptor.isRing(settings.ringBytes)) {
            throw new TuningException(
                set.origin("sisci.ring") + " is no power of two; set one from 256K to 16M, or leave it out");
        }
        return settings;
    }

    /** Most bytes of a connection's segments, the memory to send from included. */
    public long segmentBytes() {
        return InboxDescriptor.bytes(ringBytes) + (long) channels * stagingBytes(ringBytes);
    }

    /** The longest transfer of a DMA queue into such a ring. */
    public static int stagingBytes(int ringBytes) {
        return Math.min(LARGEST_TRANSFER, ringBytes / CHUNKS_A_RING);
    }
}
