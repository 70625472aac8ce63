package org.brigade.transport.sisci.adapter;

import org.brigade.memory.NativeMemory;

/** The peer's inbox, for this rank to write. Never read. */
public final class Outbox {
    public final int node;
    public final int id;
    public final int ringBytes;
    /** Stores go to the peer; loads would take microseconds, and their values are undefined. */
    public final NativeMemory memory;
    public final long remote;
    private final long device;
    private final long map;
    private final long sequence;
    private final int flushFlags;

    private Outbox(int node, int id, int ringBytes, long device, long remote, long map, long address, int flushFlags) {
        this.node = node;
        this.id = id;
        this.ringBytes = ringBytes;
        this.device = device;
        this.remote = remote;
        this.map = map;
        this.flushFlags = flushFlags;
        this.sequence = Sisci.createSequence(map);
        this.memory = new NativeMemory(Sisci.buffer(address, InboxDescriptor.bytes(ringBytes)));
    }

    /**
     * Connects to an inbox that a peer announced.
     *
     * @throws SisciException if it does not exist (yet), or is shorter than announced
     */
    public static Outbox connect(Adapter adapter, int node, int id, int ringBytes) {
        long device = Sisci.open();
        long remote = 0;
        long map = 0;
        try {
            remote = Sisci.connectSegment(device, node, id, adapter.number);
            int bytes = InboxDescriptor.bytes(ringBytes);
            if (Sisci.remoteBytes(remote) < bytes) {
                throw SisciException.of("SCIGetRemoteSegmentSize", SisciException.OUT_OF_RANGE);
            }
            map = Sisci.mapRemote(remote, 0, bytes,
                adapter.settings.throughAdapter() ? Sisci.flag("SCI_FLAG_NO_MEMORY_LOOPBACK") : 0);
            return new Outbox(node, id, ringBytes, device, remote, map, Sisci.mapped(), adapter.flushFlags);
        } catch (SisciException e) {
            long madeMap = map;
            long madeRemote = remote;
            if (map != 0) {
                Teardown.run(() -> Sisci.unmap(madeMap));
            }
            if (remote != 0) {
                Teardown.run(() -> Sisci.disconnectSegment(madeRemote));
            }
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    /** Starts checking the following stores; {@link Sisci#SEQUENCE_OK} if possible. */
    public int start() {
        return Sisci.startSequence(sequence);
    }

    /** Whether all stores since the start have arrived. */
    public int check() {
        return Sisci.checkSequence(sequence);
    }

    public void flush() {
        Sisci.flush(sequence, flushFlags);
    }

    /** Copies by the processor; {@link #check} tells whether the copy has arrived. */
    public void copy(long address, int offset, int bytes) {
        Sisci.copy(sequence, address, map, offset, bytes, 0);
    }

    /** Whether the peer's segment is permanently gone. */
    public boolean isLost() {
        int event = Sisci.remoteEvent(remote);
        while (event != Sisci.EVENT_NONE) {
            if (event == Sisci.EVENT_LOST || event == Sisci.EVENT_DISCONNECT) {
                return true;
            }
            event = Sisci.remoteEvent(remote);
        }
        return false;
    }

    /** {@code segment 0x40001200 of node 8}. */
    @Override
    public String toString() {
        return "segment 0x" + Integer.toHexString(id) + " of node " + node;
    }

    public void close() {
        Teardown.run(() -> Sisci.removeSequence(sequence));
        Teardown.run(() -> Sisci.unmap(map));
        Teardown.run(() -> Sisci.disconnectSegment(remote));
        Teardown.run(() -> Sisci.close(device));
    }
}
