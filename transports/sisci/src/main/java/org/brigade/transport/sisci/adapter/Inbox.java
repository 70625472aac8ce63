package org.brigade.transport.sisci.adapter;

import org.brigade.memory.NativeMemory;

/** A segment of this rank that one peer writes ({@link InboxDescriptor}). */
public final class Inbox {
    public final int id;
    public final int ringBytes;
    public final NativeMemory memory;
    private final Adapter adapter;
    private final long device;
    private final long segment;
    private final long map;

    private Inbox(Adapter adapter, long device, long segment, long map, int id, int ringBytes) {
        this.adapter = adapter;
        this.device = device;
        this.segment = segment;
        this.map = map;
        this.id = id;
        this.ringBytes = ringBytes;
        memory = new NativeMemory(Sisci.buffer(Sisci.mapped(), InboxDescriptor.bytes(ringBytes)));
    }

    /**
     * Makes an inbox, zeroed and available to the peer; with shorter rings if the host has no contiguous memory of the
     * wanted length.
     */
    public static Inbox make(Adapter adapter, int wantedRing) {
        for (int ring = wantedRing;; ring >>= 1) {
            long device = Sisci.open();
            try {
                return make(adapter, device, ring);
            } catch (SisciException e) {
                Teardown.run(() -> Sisci.close(device));
                boolean room = e.code() == SisciException.NOSPC || e.code() == SisciException.HW_NOSPC
                    || e.code() == SisciException.API_NOSPC;
                if (!room || ring <= InboxDescriptor.SMALLEST_RING) {
                    throw e;
                }
            }
        }
    }

    private static Inbox make(Adapter adapter, long device, int ring) {
        int[] id = new int[1];
        int bytes = InboxDescriptor.bytes(ring);
        long segment = adapter.createSegment(device, bytes, 0, id);
        long map = 0;
        try {
            map = Sisci.mapLocal(segment, 0, bytes);
            Inbox inbox = new Inbox(adapter, device, segment, map, id[0], ring);
            inbox.clear(); // adapters do not promise zeros
            Sisci.prepareSegment(segment, adapter.number, 0);
            Sisci.setAvailable(segment, adapter.number);
            return inbox;
        } catch (SisciException e) {
            if (map != 0) {
                long made = map;
                Teardown.run(() -> Sisci.unmap(made));
            }
            Teardown.run(() -> Sisci.removeSegment(segment, 0));
            throw e;
        }
    }

    private void clear() {
        for (int at = 0; at < InboxDescriptor.RINGS; at += 8) {
            memory.putLong(at, 0);
        }
    }

    /** A word that the peer writes. */
    public long word(int at) {
        return memory.getLongAcquire(at);
    }

    /** {@code segment 0x40001200 of node 4}. */
    @Override
    public String toString() {
        return "segment 0x" + Integer.toHexString(id) + " of node " + adapter.node;
    }

    /** The first half of an end: no peer may connect any more. */
    public void withdraw() {
        Teardown.run(() -> Sisci.setUnavailable(segment, adapter.number));
    }

    /** Frees it once the peer has disconnected, or at the deadline. */
    public void remove(long deadline) {
        Teardown.run(() -> Sisci.unmap(map));
        boolean gone = Teardown.run(() -> Sisci.removeSegment(segment, 0));
        while (!gone && System.nanoTime() - deadline < 0) {
            Teardown.nap(1_000_000);
            gone = Teardown.run(() -> Sisci.removeSegment(segment, 0));
        }
        gone = gone || Teardown.run(() -> Sisci.removeSegment(segment, Sisci.flag("SCI_FLAG_FORCE_REMOVE")));
        if (gone) {
            Teardown.run(() -> Sisci.close(device));
        }
    }
}
