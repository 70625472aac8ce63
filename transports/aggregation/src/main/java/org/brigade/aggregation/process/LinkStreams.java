package org.brigade.aggregation.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;

/**
 * Connections between two ends of a fabric: streams of bytes over its links, any number to a peer. A message carries up
 * to 64 KiB of one connection, which its key names. Data for a connection that is not read waits in memory of its own,
 * up to a bound, and blocks no other connection. Any thread.
 */
public final class LinkStreams {
    private static final int OPEN = 1;
    private static final int BYTES = 2;
    private static final int CLOSE = 3;
    private static final int MESSAGE = 64 << 10;
    private static final int MOST_WAITING = 1024;

    /** The bytes of one received message. */
    private static final class Chunk {
        final NativeMemory memory = NativeMemory.allocate(MESSAGE);
        final Region region = Region.of(memory);
        final ByteBuffer bytes = memory.bytes.duplicate();
    }

    /** One peer's link, and the messages under way on it. */
    private static final class PeerLink {
        final int peer;
        final Link link;
        /** Made on first use. */
        NativeMemory out;
        Region outRegion;
        int kind;
        long key;
        int length;
        /** Sent bytes of the message; -1: none is under way. */
        long sent = -1;
        /** Closed connections that the peer must be told about. */
        final ArrayDeque<Long> ending = new ArrayDeque<>();
        /** The chunk for the message at the head. */
        Chunk in;
        int filled;

        PeerLink(int peer, Link link) {
            this.peer = peer;
            this.link = link;
        }
    }

    /** One end of a connection. */
    public final class Stream implements Carrier {
        private final PeerLink peerLink;
        private final long key;
        private final ArrayDeque<Chunk> come = new ArrayDeque<>();
        private boolean begun;
        private boolean ended;
        private boolean closed;
        private boolean awaitsRoom;

        private Stream(PeerLink peerLink, long key, boolean begun) {
            this.peerLink = peerLink;
            this.key = key;
            this.begun = begun;
        }

        @Override
        public boolean connected() {
            return true; // links exist from the start
        }

        @Override
        public String peer() {
            return "rank " + peerLink.peer;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            synchronized (LinkStreams.this) {
                if (come.isEmpty()) {
                    look(peerLink);
                }
                int bytes = 0;
                while (target.hasRemaining() && !come.isEmpty()) {
                    ByteBuffer head = come.peek().bytes;
                    int now = Math.min(target.remaining(), head.remaining());
                    target.put(target.position(), head, head.position(), now).position(target.position() + now);
                    head.position(head.position() + now);
                    bytes += now;
                    if (!head.hasRemaining()) {
                        free.push(come.remove());
                    }
                }
                if (bytes == 0 && target.hasRemaining()) {
                    if (ended) {
                        return -1;
                    }
                    String lost = end.lost(peerLink.peer);
                    if (lost != null) {
                        throw new IOException(lost);
                    }
                }
                return bytes;
            }
        }

        @Override
        public void write(ByteBuffer... parts) {
            synchronized (LinkStreams.this) {
                while (push(peerLink) && fill(parts)) {
                    begun = true;
                }
            }
        }

        /** Makes the link's next message from as much of some parts as fits; false if nothing is left of them. */
        private boolean fill(ByteBuffer[] parts) {
            if (peerLink.out == null) {
                peerLink.out = NativeMemory.allocate(MESSAGE);
                peerLink.outRegion = Region.of(peerLink.out);
            }
            int length = 0;
            for (ByteBuffer part : parts) {
                int now = Math.min(part.remaining(), MESSAGE - length);
                peerLink.out.bytes.put(length, part, part.position(), now);
                part.position(part.position() + now);
                length += now;
            }
            if (length == 0) {
                return false;
            }
            peerLink.kind = begun ? BYTES : OPEN;
            peerLink.key = key;
            peerLink.length = length;
            peerLink.sent = 0;
            return true;
        }

        @Override
        public void awaitRoom(boolean wanted) {
            awaitsRoom = wanted;
        }

        /** Whether there is data to read, or there may be room again to send. */
        public boolean isReady() {
            synchronized (LinkStreams.this) {
                return !come.isEmpty() || ended || awaitsRoom && peerLink.sent < 0 || end.lost(peerLink.peer) != null;
            }
        }

        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            synchronized (LinkStreams.this) {
                if (closed) {
                    return;
                }
                closed = true;
                streams.remove(key);
                free.addAll(come);
                come.clear();
                if (begun && !ended) {
                    peerLink.ending.add(key);
                    push(peerLink);
                }
            }
        }
    }

    private final FabricEnd end;
    private final int rank;
    private final PeerLink[] peerLinks;
    private final Map<Long, Stream> streams = new HashMap<>();
    private final ArrayDeque<Stream> arrived = new ArrayDeque<>();
    private final ArrayDeque<Chunk> free = new ArrayDeque<>();
    private int opened;

    /** @param rank of this end, and the number of the fabric's ranks */
    public LinkStreams(FabricEnd end, int rank, int ranks) {
        this.end = end;
        this.rank = rank;
        peerLinks = new PeerLink[ranks];
    }

    private PeerLink peerLink(int peer) {
        if (peerLinks[peer] == null) {
            peerLinks[peer] = new PeerLink(peer, end.link(peer, Endpoint.COLLECTIVE));
        }
        return peerLinks[peer];
    }

    /** Begins a connection; the peer learns of it with the first data. */
    public synchronized Stream open(int peer) {
        Stream stream = new Stream(peerLink(peer), (long) rank << 32 | opened++, false);
        streams.put(stream.key, stream);
        return stream;
    }

    /** The next connection begun by a peer; null if there is none. */
    public synchronized Stream arrived() {
        return arrived.poll();
    }

    /** Receives from all peers, and sends what had no room before; true if anything came. */
    public synchronized boolean look() {
        boolean any = false;
        for (int peer = 0; peer < peerLinks.length; peer++) {
            any |= peer != rank && look(peerLink(peer));
        }
        return any;
    }

    /** Whether everything that this end has accepted has been sent. */
    public synchronized boolean isIdle() {
        boolean idle = true;
        for (PeerLink peerLink : peerLinks) {
            idle &= peerLink == null || push(peerLink) && peerLink.ending.isEmpty();
        }
        return idle;
    }

    /** Continues sending; true if there is room for another message. */
    private boolean push(PeerLink peerLink) {
        if (peerLink.sent >= 0) {
            long now = peerLink.link.trySend(peerLink.kind, peerLink.key, peerLink.outRegion, 0, peerLink.length,
                peerLink.sent);
            peerLink.sent += Math.max(0, now);
            if (peerLink.sent < peerLink.length) {
                return false;
            }
            peerLink.sent = -1;
        }
        while (!peerLink.ending.isEmpty()) {
            if (!peerLink.link.trySendWords(CLOSE, peerLink.ending.peek(), 0, 0)) {
                return false;
            }
            peerLink.ending.remove();
        }
        return true;
    }

    private boolean look(PeerLink peerLink) {
        push(peerLink);
        boolean any = false;
        while (peerLink.link.poll()) {
            long key = peerLink.link.key();
            int kind = peerLink.link.kind();
            Stream stream = streams.get(key);
            if (kind != OPEN && kind != BYTES || peerLink.link.bytes() > MESSAGE) {
                peerLink.link.tryDiscard(Long.MAX_VALUE);
                if (stream != null) {
                    stream.ended = true;
                }
                any = true;
                continue;
            }
            if (stream != null && stream.come.size() == MOST_WAITING) {
                return any;
            }
            if (peerLink.in == null) {
                peerLink.in = free.isEmpty() ? new Chunk() : free.pop();
                peerLink.filled = 0;
            }
            long length = peerLink.link.bytes();
            long now = peerLink.link.tryRecv(peerLink.in.region, peerLink.filled);
            peerLink.filled += (int) now;
            if (peerLink.filled < length) {
                if (now == 0) {
                    return any;
                }
                continue;
            }
            any = true;
            peerLink.in.bytes.limit(peerLink.filled).position(0);
            if (stream == null && kind == OPEN) {
                stream = new Stream(peerLink, key, true);
                streams.put(key, stream);
                arrived.add(stream);
            }
            if (stream != null) { // else this end has closed it
                stream.come.add(peerLink.in);
                peerLink.in = null;
            } else {
                peerLink.filled = 0;
            }
        }
        return any;
    }
}
