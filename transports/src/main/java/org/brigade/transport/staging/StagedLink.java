package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;

/**
 * Device memory over a link that carries host memory only: it goes in front of that. A long message out of device
 * memory travels as a head and pieces, each a message of the link behind, so that while one crosses, the device copies
 * the next into page-locked memory; and at the other end, while one is copied on into device memory, the next arrives.
 *
 * <pre>
 *   kind {@link #HEAD}, the message's key     two words: length in bytes and kind (the highest byte); bytes of each piece but the last
 *   kind {@link #PIECE}, the same key         the bytes
 * </pre>
 *
 * <p>
 * So of the link's kinds these two are not the callers'. Short messages, and those out of host memory, pass as they
 * are; into device memory the link behind writes those by {@link DeviceBuffer#write}. A message counts as begun by its
 * first 16 bytes being accepted. A caller may go on from a copy of it in host memory.
 */
public final class StagedLink implements Link {
    /** The two kinds that callers must leave alone. */
    public static final int HEAD = 255;
    public static final int PIECE = 254;

    /** Shorter messages have been copied before a pipeline would be under way. */
    static final int SHORTEST = 64 << 10;

    private static final int DEPTH = 4;
    private static final int GRAIN = 16;
    private static final int KIND_SHIFT = 56;
    private static final long LENGTH = (1L << KIND_SHIFT) - 1;

    private final Link link;
    private final ChunkPool pool;
    private final Sending sending = new Sending();
    private final Receiving receiving = new Receiving();

    /** @param pool shared by the links of one end */
    public StagedLink(Link link, ChunkPool pool) {
        this.link = link;
        this.pool = pool;
    }

    @Override
    public int peer() {
        return link.peer();
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (sending.open > 0) {
            return sent == 0 ? REFUSED : sending.goOn(key, source, at, sent);
        }
        if (sent > 0 || bytes < SHORTEST || !source.isDevice() || pool.copies() == null) {
            return link.trySend(kind, key, source, at, bytes, sent);
        }
        return sending.begin(kind, key, bytes);
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        return sending.open == 0 && link.trySendWords(kind, key, first, second);
    }

    @Override
    public boolean poll() {
        if (receiving.bytes > 0) {
            return true;
        }
        if (!link.poll()) {
            return false;
        }
        if (link.kind() == HEAD && link.bytes() == GRAIN) {
            receiving.begin();
        }
        return true;
    }

    @Override
    public int kind() {
        return receiving.bytes > 0 ? receiving.kind : link.kind();
    }

    @Override
    public long key() {
        return receiving.bytes > 0 ? receiving.key : link.key();
    }

    @Override
    public long bytes() {
        return receiving.bytes > 0 ? receiving.bytes : link.bytes();
    }

    @Override
    public long remaining() {
        return receiving.bytes > 0 ? receiving.bytes - receiving.taken : link.remaining();
    }

    @Override
    public boolean isTaken() {
        return receiving.bytes > 0 ? receiving.arrived > 0 : link.isTaken();
    }

    @Override
    public long word(int index) {
        return link.word(index);
    }

    @Override
    public long tryRecv(Region target, long at) {
        if (receiving.bytes == 0) {
            return link.tryRecv(target, at);
        }
        return target.isDevice() && pool.copies() != null ? receiving.toDevice(target, at)
            : receiving.toHost(target, at);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        if (receiving.bytes == 0) {
            return link.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
        }
        return receiving.reduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public long tryDiscard(long limit) {
        return receiving.bytes == 0 ? link.tryDiscard(limit) : receiving.discard(limit);
    }

    /** Waits for copies that run; the link behind is its owner's to close. */
    public void close() {
        sending.close();
        receiving.close();
    }

    /**
     * The message that goes, and its chunks: {@code crossed <= ready <= begun}, of which the first has left, the second
     * is in host memory, and a copy has begun for the third.
     */
    private final class Sending {
        private final Region region = new Region();
        private final NativeMemory[] chunks = new NativeMemory[DEPTH];
        private CopyQueue copies;
        private long open;
        private long accepted;
        private long begun;
        private long ready;
        private long crossed;
        private long crossing;

        long begin(int kind, long key, long bytes) {
            if (!link.trySendWords(HEAD, key, bytes | (long) kind << KIND_SHIFT, ChunkPool.CHUNK_BYTES)) {
                return REFUSED;
            }
            if (copies == null) {
                copies = pool.copies().queue();
            }
            open = bytes;
            accepted = GRAIN;
            begun = 0;
            ready = 0;
            crossed = 0;
            crossing = 0;
            return GRAIN;
        }

        long goOn(long key, Region source, long at, long sent) {
            if (sent != accepted) {
                throw new IllegalStateException(
                    "byte " + sent + " of a message of " + open + " bytes, while byte " + accepted + " is due");
            }
            long pieces = (open + ChunkPool.CHUNK_BYTES - 1) / ChunkPool.CHUNK_BYTES;
            try {
                while (begun < pieces && begun - crossed < DEPTH && copy(source, at)) {
                    begun++;
                }
                ready = Math.max(ready, begun - copies.running());
            } catch (RuntimeException failed) {
                begun = ready; // no copy runs any more: what they were to bring is fetched again if the caller goes on
                throw failed;
            }
            while (crossed < ready && cross(key)) {
                crossing = 0;
                crossed++;
            }
            long total = crossed == pieces ? open : Math.max(accepted, crossed * ChunkPool.CHUNK_BYTES + crossing);
            long now = total - accepted;
            accepted = total;
            if (accepted == open) {
                end();
            }
            return now > 0 ? now : REFUSED;
        }

        private int length(long piece) {
            return (int) Math.min(ChunkPool.CHUNK_BYTES, open - piece * ChunkPool.CHUNK_BYTES);
        }

        /** Begins to fill the next chunk; false while it has to wait. */
        private boolean copy(Region source, long at) {
            int place = (int) (begun % DEPTH);
            if (chunks[place] == null) {
                chunks[place] = pool.take();
            }
            long from = at + begun * ChunkPool.CHUNK_BYTES;
            if (source.isDevice()) {
                copies.read((DeviceBuffer) source.buffer(), source.offset() + from, chunks[place], 0, length(begun));
                return true;
            }
            if (copies.running() > 0) {
                return false; // what the processor copies ends at once: it must not pass what still runs
            }
            source.read(from, chunks[place], 0, length(begun));
            return true;
        }

        /** Whether the first chunk that is ready has left. */
        private boolean cross(long key) {
            int length = length(crossed);
            long now =
                link.trySend(PIECE, key, region.wrap(chunks[(int) (crossed % DEPTH)].bytes, 0), 0, length, crossing);
            crossing += Math.max(0, now);
            return crossing == length;
        }

        private void end() {
            open = 0;
            region.clear();
            for (int i = 0; i < DEPTH; i++) {
                if (chunks[i] != null) {
                    pool.give(chunks[i]);
                    chunks[i] = null;
                }
            }
        }

        void close() {
            if (copies != null) {
                copies.close();
            }
        }
    }

    /** The message that comes: {@code taken <= started <= arrived}, in bytes. */
    private final class Receiving {
        private final Region region = new Region();
        private final NativeMemory[] chunks = new NativeMemory[DEPTH];
        private Pipeline copies;
        /** 0 while there is none. */
        private long bytes;
        private int kind;
        private long key;
        private int piece;
        private long arrived;
        private long started;
        private long taken;

        void begin() {
            bytes = link.word(0) & LENGTH;
            kind = (int) (link.word(0) >>> KIND_SHIFT);
            key = link.key();
            piece = (int) link.word(1);
            if (bytes < SHORTEST || piece < GRAIN || piece > ChunkPool.CHUNK_BYTES || piece % GRAIN != 0) {
                throw new IllegalStateException("rank " + peer() + " announces a message of " + bytes
                    + " bytes out of device memory in pieces of " + piece
                    + "; give all ranks the same brigade.jar");
            }
            link.tryDiscard(GRAIN);
            arrived = 0;
            started = 0;
            taken = 0;
        }

        /** Whether the next bytes are at the head of the link behind. */
        private boolean isThere() {
            if (arrived == bytes || !link.poll()) {
                return false;
            }
            long whole = Math.min(piece, bytes - arrived / piece * piece);
            if (link.kind() != PIECE || link.bytes() != whole || link.remaining() != whole - arrived % piece) {
                throw new IllegalStateException("rank " + peer() + " sends a message of kind " + link.kind() + " and "
                    + link.bytes() + " bytes in place of a piece of " + whole
                    + "; give all ranks the same brigade.jar");
            }
            return true;
        }

        long toHost(Region target, long at) {
            return isThere() ? pass(link.tryRecv(target, at)) : 0;
        }

        long reduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
            return isThere() ? pass(link.tryRecvReduce(combiner, operand, operandAt, target, targetAt)) : 0;
        }

        long toDevice(Region target, long at) {
            if (copies == null) {
                copies = new Pipeline(pool.copies().queue(), DEPTH);
            }
            long base = target.offset() + at - taken;
            while ((arrived > started || !copies.isFull()) && isThere()) {
                int place = (int) (arrived / piece % DEPTH);
                if (chunks[place] == null) {
                    chunks[place] = pool.take();
                }
                long now = link.tryRecv(region.wrap(chunks[place].bytes, 0), arrived % piece);
                if (now == 0) {
                    break;
                }
                arrived += now;
                if (arrived % piece == 0 || arrived == bytes) {
                    // A message that was begun otherwise has its first bytes where they belong.
                    copies.write(chunks[place], (int) (started % piece), (DeviceBuffer) target.buffer(), base + started,
                        (int) (arrived - started), arrived);
                    started = arrived;
                }
            }
            return settle(copies.advance());
        }

        long discard(long limit) {
            if (copies != null && !copies.isEmpty()) {
                return settle(copies.drop());
            }
            if (taken < arrived) {
                long lost = arrived - taken; // their copies failed, or never began
                started = arrived;
                taken = arrived;
                endIfLast();
                return lost;
            }
            long discarded = 0;
            while (bytes > 0 && isThere()) {
                long now = pass(link.tryDiscard(limit - discarded));
                if (now == 0) {
                    break;
                }
                discarded += now;
            }
            return discarded;
        }

        /** Bytes that the processor is done with. */
        private long pass(long now) {
            arrived += now;
            started = arrived;
            taken = arrived;
            endIfLast();
            return now;
        }

        private long settle(long end) {
            if (end < 0) {
                return 0;
            }
            long now = end - taken;
            taken = end;
            endIfLast();
            return now;
        }

        private void endIfLast() {
            if (taken < bytes) {
                return;
            }
            bytes = 0;
            region.clear();
            for (int i = 0; i < DEPTH; i++) {
                if (chunks[i] != null) {
                    pool.give(chunks[i]);
                    chunks[i] = null;
                }
            }
        }

        void close() {
            if (copies != null) {
                copies.close();
            }
        }
    }
}
