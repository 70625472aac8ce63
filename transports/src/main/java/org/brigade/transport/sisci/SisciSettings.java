package org.brigade.transport.sisci;

/**
 * What a user may set of the SISCI fabric.
 *
 * @param ringBytes      of each of the two rings in an inbox: a power of two ({@link InboxDescriptor#isRing})
 * @param channels       DMA queues a connection, 1 to 16
 * @param patienceNanos  how long a link may be down before its peer is lost
 * @param connectNanos   how long a peer may take to answer
 * @param crossover      bytes from which on messages go by DMA; 0 to have it measured
 * @param throughAdapter whether ranks of one node reach each other by the adapter, too: for tests
 */
record SisciSettings(int ringBytes, int channels, long patienceNanos, long connectNanos, long crossover, boolean throughAdapter) {
    private static final int RING_BYTES = 4 << 20;
    private static final int CHANNELS = 4;
    private static final int MOST_CHANNELS = 16;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 60_000;

    static SisciSettings ofProperties() {
        return new SisciSettings(Integer.getInteger("brigade.sisci.ring", RING_BYTES), Integer.getInteger("brigade.sisci.channels", CHANNELS),
            Integer.getInteger("brigade.sisci.patience", PATIENCE_MILLIS) * 1_000_000L, Integer.getInteger("brigade.sisci.connect", CONNECT_MILLIS) * 1_000_000L, Long.getLong("brigade.sisci.crossover", 0),
            false);
    }

    /** What is wrong with them, as a sentence with its cure; null if nothing is. */
    String complaint() {
        if (!InboxDescriptor.isRing(ringBytes)) {
            return "brigade.sisci.ring=" + ringBytes + " is no power of two from " + InboxDescriptor.SMALLEST_RING + " to " + InboxDescriptor.LARGEST_RING + "; set one, or leave it out";
        }
        if (channels < 1 || channels > MOST_CHANNELS) {
            return "brigade.sisci.channels=" + channels + " is not from 1 to " + MOST_CHANNELS + "; set such a number, or leave it out";
        }
        if (patienceNanos <= 0 || connectNanos <= 0) {
            return "brigade.sisci.patience and brigade.sisci.connect are milliseconds, more than 0; set them so, or leave them out";
        }
        return null;
    }
}
