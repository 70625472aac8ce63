package org.brigade.transport.shm;

import org.brigade.memory.Region;
import org.brigade.transport.Link;

/**
 * The sending end of messages in host memory that are long enough to have a choice of ways; {@link CopyWays} chooses.
 */
final class HostSender {
    private final PeerProcesses processes;
    private final int peer;
    private final ChannelSender out;
    private final CopyWays ways;
    private final LentSender lent;

    /**
     * @param streams which messages are written past the caches
     * @param peer its place on the node
     */
    HostSender(PeerProcesses processes, CopyWays.Use streams, int peer, ChannelSender out) {
        this.processes = processes;
        this.peer = peer;
        this.out = out;
        ways = new CopyWays(processes.loans(), streams);
        lent = new LentSender(processes, peer, out);
    }

    /** Whether a message is under way that is lent. */
    boolean lends() {
        return lent.isBusy();
    }

    /** Sends a message of at least {@link CopyWays#SHORTEST} bytes, as {@link Link#trySend} does. */
    long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (sent > 0) {
            return lent.isBusy() ? lent.trySend(source, at, bytes, sent)
                : out.trySend(kind, key, source, at, bytes, sent);
        }
        return out.mayBegin() ? begin(kind, key, source, at, bytes) : Link.REFUSED;
    }

    private long begin(int kind, long key, Region source, long at, long bytes) {
        if (ways.isAwaited()) {
            ways.heard(out.time());
        }
        boolean mayLend = bytes >= PeerProcesses.SHORTEST && source.isNative() && processes.mayLend(peer);
        int way = ways.next(bytes, ways.mayStream(bytes) && source.streams(), mayLend);
        if (way == CopyWays.LOAN) {
            return lent.begin(kind, key, source, at, bytes);
        }
        out.goes(way == CopyWays.STREAM, ways.isTimed() ? System.nanoTime() : 0);
        long sent = out.trySend(kind, key, source, at, bytes, 0);
        out.goes(false, 0);
        return sent;
    }
}
