package org.brigade.transport.sisci.adapter;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A peer's segments that this rank's DMA writes on request: connected when first used, and never mapped. */
public final class RemoteTargets {
    private static final int MOST = 64;

    private record Remote(long device, long segment, long bytes) {
    }

    private final Adapter adapter;
    private final int node;
    /** By id, in the order of their last use. */
    private final Map<Integer, Remote> known = new LinkedHashMap<>(16, 0.75f, true);

    public RemoteTargets(Adapter adapter, int node) {
        this.adapter = adapter;
        this.node = node;
    }

    /**
     * The handle of the segment with an id.
     *
     * @throws SisciException if there is none, or it is shorter than {@code bytes}
     */
    public long segment(int id, long bytes) {
        Remote remote = known.get(id);
        if (remote != null && isGone(remote.segment)) {
            forget(id); // its owner has given the id to other memory since
            remote = null;
        }
        if (remote == null) {
            remote = connect(id);
            known.put(id, remote);
            makeRoom();
        }
        if (bytes > remote.bytes) {
            throw SisciException.of("SCIGetRemoteSegmentSize", SisciException.OUT_OF_RANGE);
        }
        return remote.segment;
    }

    private Remote connect(int id) {
        long device = Sisci.open();
        try {
            long segment = Sisci.connectSegment(device, node, id, adapter.number);
            return new Remote(device, segment, Sisci.remoteBytes(segment));
        } catch (SisciException e) {
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    private void makeRoom() {
        Iterator<Remote> oldest = known.values().iterator();
        while (known.size() > MOST && oldest.hasNext()) {
            Remote remote = oldest.next();
            if (disconnect(remote)) {
                oldest.remove();
            }
        }
    }

    private static boolean isGone(long segment) {
        for (int event = Sisci.remoteEvent(segment); event != Sisci.EVENT_NONE; event = Sisci.remoteEvent(segment)) {
            if (event == Sisci.EVENT_LOST || event == Sisci.EVENT_DISCONNECT) {
                return true;
            }
        }
        return false;
    }

    /** Disconnects a segment, to which no transfer may be running. */
    public void forget(int id) {
        Remote remote = known.remove(id);
        if (remote != null) {
            disconnect(remote);
        }
    }

    private static boolean disconnect(Remote remote) {
        boolean gone = Teardown.run(() -> Sisci.disconnectSegment(remote.segment));
        Teardown.run(() -> Sisci.close(remote.device));
        return gone;
    }

    public void close() {
        for (Remote remote : known.values()) {
            disconnect(remote);
        }
        known.clear();
    }
}
