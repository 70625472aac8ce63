package org.brigade.transport.sisci.adapter;

/**
 * Decides which process of a job prints for its node: the first that has something to say. It makes a segment whose id
 * is the job's. No other process of the host can make one with that id until the first has ended.
 */
public final class NodeVoice {
    private static final int IDS = 0x8000_0000;
    private static final int BYTES = 4096;

    private final int id;
    private boolean asked;
    private long device;
    private long segment;

    public NodeVoice(long job) {
        id = IDS | (int) job;
    }

    /** Whether this process prints; true once at most. */
    public synchronized boolean speaks() {
        if (asked) {
            return false;
        }
        asked = true;
        device = Sisci.open();
        try {
            segment = Sisci.createSegment(device, id, BYTES, 0);
            return true;
        } catch (SisciException e) {
            return e.code() != SisciException.SEGMENTID_USED; // printing twice is better than never
        }
    }

    public synchronized void close() {
        if (segment != 0) {
            Teardown.run(() -> Sisci.removeSegment(segment, 0));
        }
        if (device != 0) {
            Teardown.run(() -> Sisci.close(device));
        }
    }
}
