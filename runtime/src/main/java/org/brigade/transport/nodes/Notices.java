package org.brigade.transport.nodes;

import java.nio.charset.StandardCharsets;
import org.brigade.bootstrap.Nodes;
import org.brigade.interrupt.Nap;
import org.brigade.memory.Region;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.InboundLink;
import org.brigade.transport.OutboundLink;
import org.brigade.transport.PeerTable;

/**
 * The notices between ranks of different nodes. Each is one message on the fabric's control lane:
 *
 * <pre>
 *   LEAVING    the sender is in Finalize          key: -               two words: messages sent to this rank, by lane
 *   FINISHED   the sender has finalized           key: -               no bytes
 *   LOST       a rank is lost                     key: the rank        a sentence, UTF-8
 *   FAILED     the job has failed                 key: its exit code   a sentence, UTF-8
 *   ENDING     the sender's process is ending     key: -               two words, 0; again and again until it is gone
 * </pre>
 *
 * A rank that survives lost peers passes each LOST notice on once, so that all connected ranks hear of it. Under the
 * endpoint's monitor.
 */
final class Notices {
    static final int LEAVING = 1;
    static final int FINISHED = 2;
    static final int LOST = 3;
    static final int FAILED = 4;
    static final int ENDING = 5;

    /**
     * How long all peers together may hold up a notice by not reading. A link has room for several notices, so this is
     * rare.
     */
    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final long NAP_NANOS = 50_000L;

    /** Handles a notice. */
    interface Listener {
        void heard(int from, int kind, int subject, String sentence, long first, long second);
    }

    private final Nodes nodes;
    private final FabricEnd fabric;
    private final Listener listener;
    private final Region region = new Region();
    /** The received part of each peer's unfinished sentence. */
    private final PeerTable<byte[]> partial;

    Notices(Nodes nodes, FabricEnd fabric, Listener listener) {
        this.nodes = nodes;
        this.fabric = fabric;
        this.listener = listener;
        partial = new PeerTable<>(nodes.ranks());
    }

    /** Whether a rank is on another node and connected to this rank. */
    boolean reach(int peer) {
        return !nodes.isHere(peer) && fabric.isConnected(peer);
    }

    /** The time until which a notice that is sent now waits for peers that do not read. */
    static long deadline() {
        return System.nanoTime() + PATIENCE_NANOS;
    }

    /** Sends two words to a peer. */
    void tell(int peer, int kind, long first, long second, long deadline) {
        OutboundLink link = fabric.link(peer, FabricEnd.CONTROL);
        while (!link.trySendWords(kind, 0, first, second) && mayTake(peer, deadline)) {
            Nap.nanos(NAP_NANOS);
        }
    }

    /** Whether a peer that has refused a notice may yet take it. */
    private boolean mayTake(int peer, long deadline) {
        return System.nanoTime() - deadline < 0 && fabric.lost(peer) == null;
    }

    /** Tells all connected peers that this process is ending. Who has no room for that is told the next time. */
    void pulse() {
        for (int i = 0, met = fabric.met(); i < met; i++) {
            int peer = fabric.met(i);
            if (reach(peer)) {
                fabric.link(peer, FabricEnd.CONTROL).trySendWords(ENDING, 0, 0, 0);
            }
        }
    }

    /** Sends a sentence to all connected peers: about a rank, or about the job and its exit code. */
    void tellAll(int kind, int subject, String sentence) {
        byte[] text = sentence.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, FabricEnd.NOTICE_BYTES);
        long deadline = deadline();
        for (int i = 0, met = fabric.met(); i < met; i++) {
            int peer = fabric.met(i);
            if (reach(peer)) {
                tell(peer, kind, subject, text, length, deadline);
            }
        }
    }

    private void tell(int peer, int kind, int subject, byte[] text, int length, long deadline) {
        OutboundLink link = fabric.link(peer, FabricEnd.CONTROL);
        Region sentence = new Region().wrap(text, 0);
        long sent = 0;
        while (true) {
            long now = link.trySend(kind, subject, sentence, 0, length, sent);
            sent += Math.max(0, now);
            if (now >= 0 && sent == length || now <= 0 && !mayTake(peer, deadline)) {
                return;
            }
            if (now <= 0) {
                Nap.nanos(NAP_NANOS);
            }
        }
    }

    /** Reads all notices that have come. */
    void hear() {
        for (int i = 0, met = fabric.met(); i < met; i++) {
            int peer = fabric.met(i);
            if (reach(peer)) {
                InboundLink link = fabric.link(peer, FabricEnd.CONTROL);
                while (link.poll() && take(peer, link)) {
                    // the next one
                }
            }
        }
    }

    /** Reads the notice at the head; false if part of it is still to come. */
    private boolean take(int peer, InboundLink link) {
        int kind = link.kind();
        int subject = (int) link.key();
        long bytes = link.bytes();
        long left = link.remaining();
        if ((kind == LEAVING || kind == ENDING) && bytes == 2 * Long.BYTES) {
            long first = link.word(0);
            long second = link.word(1);
            link.tryDiscard(bytes);
            listener.heard(peer, kind, subject, null, first, second);
            return true;
        }
        if (kind < FINISHED || kind > FAILED || bytes > FabricEnd.NOTICE_BYTES) {
            return link.tryDiscard(Long.MAX_VALUE) == left; // not a notice of this version
        }
        byte[] text = partial.get(peer);
        if (text == null) {
            text = new byte[(int) bytes];
            partial.put(peer, text);
        }
        region.wrap(text, 0);
        long now;
        do {
            now = link.tryRecv(region, bytes - left);
            left -= now;
        } while (now > 0 && left > 0);
        if (left > 0) {
            return false;
        }
        String sentence = new String(text, StandardCharsets.UTF_8);
        partial.put(peer, null);
        listener.heard(peer, kind, subject, sentence, 0, 0);
        return true;
    }
}
