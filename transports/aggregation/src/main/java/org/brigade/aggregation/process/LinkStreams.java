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
    private static final class Lane {
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

        Lane(int peer, Link link) {
            this.peer = peer;
            this.link = link;
        }
    }

    /** One end of a connection. */
    public final class Stream implements Carrier {
        private final Lane lane;
        private final long key;
        private final ArrayDeque<Chunk> come = new ArrayDeque<>();
        private boolean begun;
        private boolean ended;
        private boolean closed;
        private boolean awaitsRoom;

        private Stream(Lane lane, long key, boolean begun) {
            this.lane = lane;
            this.key = key;
            this.begun = begun;
        }

        @Override
        public boolean connected() {
            return true; // links exist from the start
        }

        @Override
        public String peer() {
            return "rank " + lane.peer;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            synchronized (LinkStreams.this) {
                if (come.isEmpty()) {
                    look(lane);
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
                    String lost = end.lost(lane.peer);
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
                while (push(lane) && fill(parts)) {
                    begun = true;
                }
            }
        }

        /** Makes the lane's next message from as much of some parts as fits; false if nothing is left of them. */
        private boolean fill(ByteBuffer[] parts) {
            if (lane.out == null) {
                lane.out = NativeMemory.allocate(MESSAGE);
                lane.outRegion = Region.of(lane.out);
            }
            int length = 0;
            for (ByteBuffer part : parts) {
                int now = Math.min(part.remaining(), MESSAGE - length);
                lane.out.bytes.put(length, part, part.position(), now);
                part.position(part.position() + now);
                length += now;
            }
            if (length == 0) {
                return false;
            }
            lane.kind = begun ? BYTES : OPEN;
            lane.key = key;
            lane.length = length;
            lane.sent = 0;
            return true;
        }

        @Override
        public void awaitRoom(boolean wanted) {
            awaitsRoom = wanted;
        }

        /** Whether there is data to read, or there may be room again to send. */
        public boolean isReady() {
            synchronized (LinkStreams.this) {
                return !come.isEmpty() || ended || awaitsRoom && lane.sent < 0 || end.lost(lane.peer) != null;
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
                    lane.ending.add(key);
                    push(lane);
                }
            }
        }
    }

    private final FabricEnd end;
    private final int rank;
    private final Lane[] lanes;
    private final Map<Long, Stream> streams = new HashMap<>();
    private final ArrayDeque<Stream> arrived = new ArrayDeque<>();
    private final ArrayDeque<Chunk> free = new ArrayDeque<>();
    private int opened;

    /** @param rank of this end, and the number of the fabric's ranks */
    public LinkStreams(FabricEnd end, int rank, int ranks) {
        this.end = end;
        this.rank = rank;
        lanes = new Lane[ranks];
    }

    private Lane lane(int peer) {
        if (lanes[peer] == null) {
            lanes[peer] = new Lane(peer, end.link(peer, Endpoint.COLLECTIVE));
        }
        return lanes[peer];
    }

    /** Begins a connection; the peer learns of it with the first data. */
    public synchronized Stream open(int peer) {
        Stream stream = new Stream(lane(peer), (long) rank << 32 | opened++, false);
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
        for (int peer = 0; peer < lanes.length; peer++) {
            any |= peer != rank && look(lane(peer));
        }
        return any;
    }

    /** Whether everything that this end has accepted has been sent. */
    public synchronized boolean isIdle() {
        boolean idle = true;
        for (Lane lane : lanes) {
            idle &= lane == null || push(lane) && lane.ending.isEmpty();
        }
        return idle;
    }

    /** Continues sending; true if there is room for another message. */
    private boolean push(Lane lane) {
        if (lane.sent >= 0) {
            long now = lane.link.trySend(lane.kind, lane.key, lane.outRegion, 0, lane.length, lane.sent);
            lane.sent += Math.max(0, now);
            if (lane.sent < lane.length) {
                return false;
            }
            lane.sent = -1;
        }
        while (!lane.ending.isEmpty()) {
            if (!lane.link.trySendWords(CLOSE, lane.ending.peek(), 0, 0)) {
                return false;
            }
            lane.ending.remove();
        }
        return true;
    }

    private boolean look(Lane lane) {
        push(lane);
        boolean any = false;
        while (lane.link.poll()) {
            long key = lane.link.key();
            int kind = lane.link.kind();
            Stream stream = streams.get(key);
            if (kind != OPEN && kind != BYTES || lane.link.bytes() > MESSAGE) {
                lane.link.tryDiscard(Long.MAX_VALUE);
                if (stream != null) {
                    stream.ended = true;
                }
                any = true;
                continue;
            }
            if (stream != null && stream.come.size() == MOST_WAITING) {
                return any;
            }
            if (lane.in == null) {
                lane.in = free.isEmpty() ? new Chunk() : free.pop();
                lane.filled = 0;
            }
            long length = lane.link.bytes();
            long now = lane.link.tryRecv(lane.in.region, lane.filled);
            lane.filled += (int) now;
            if (lane.filled < length) {
                if (now == 0) {
                    return any;
                }
                continue;
            }
            any = true;
            lane.in.bytes.limit(lane.filled).position(0);
            if (stream == null && kind == OPEN) {
                stream = new Stream(lane, key, true);
                streams.put(key, stream);
                arrived.add(stream);
            }
            if (stream != null) { // else this end has closed it
                stream.come.add(lane.in);
                lane.in = null;
            } else {
                lane.filled = 0;
            }
        }
        return any;
    }
}
