package org.brigade.transport.staging;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;

/**
 * Long messages out of device memory, over a link that carries host memory only: it goes in front of that. Such a
 * message is a head, which the link behind carries, and pieces, which a subclass has carried.
 *
 * <pre>
 *   kind {@link #HEAD}, the message's key     two words: length in bytes and kind (the highest byte); bytes of each piece but the last
 * </pre>
 *
 * <p>
 * Short messages, and those out of host memory, pass as they are. A message counts as begun by its first 16 bytes being
 * accepted. A caller may go on from a copy of it in host memory.
 */
public abstract class PieceLink implements Link, BounceBuffer {
    /** Of the link's kinds those that callers must leave alone. */
    static final int HEAD = 255;
    static final int PIECE = 254;
    /** Shorter messages have been copied before a pipeline would be under way, and fit in two packets. */
    static final int SHORTEST = 64 << 10;
    protected static final int PIECE_BYTES = ChunkPool.CHUNK_BYTES;
    /** Pieces under way at once. */
    protected static final int DEPTH = 4;

    private static final int GRAIN = 16;
    private static final int KIND_SHIFT = 56;
    private static final long LENGTH = (1L << KIND_SHIFT) - 1;

    /** The one behind. */
    protected final Link link;
    protected final ChunkPool pool;

    /** The message that goes, and what of it has been accepted; 0 and 0 between messages. */
    protected long sending;
    private long accepted;
    protected final ChunkPool.Chunks leavingChunks;

    /** The message that comes; of 0 bytes while there is none. */
    private int kind;
    private long key;
    protected long receiving;
    protected int piece;
    /** Bytes of it that have been taken, and that have come or been asked for. */
    protected long taken;
    protected long come;
    protected final ChunkPool.Chunks comingChunks;
    /** What takes them, out of chunks. */
    protected final Pipeline coming = new Pipeline(this, DEPTH, 0);

    /** @param pool shared by the links of one end */
    protected PieceLink(Link link, ChunkPool pool) {
        this.link = link;
        this.pool = pool;
        leavingChunks = pool.chunks(DEPTH);
        comingChunks = pool.chunks(DEPTH);
    }

    /** A head has gone. */
    protected abstract void begin();

    /** Sends on; the bytes of the message that have left in all. */
    protected abstract long sendOn(long key, Region source, long at);

    /** As {@link #tryRecv}, of the message that comes. */
    protected long receive(Region target, long at) {
        return coming.write(target, at - taken);
    }

    /** As {@link #tryRecvReduce}, of the message that comes. */
    protected long reduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        return coming.reduce(combiner, operand, operandAt - taken, target, targetAt - taken);
    }

    /** As {@link #tryDiscard}, of the message that comes. */
    protected long discard(long limit) {
        return coming.discard(limit);
    }

    /** Waits for copies that run; the link behind is its owner's to close. */
    public abstract void close();

    // ---- where bytes that come lie ----

    @Override
    public NativeMemory memory(long from) {
        return comingChunks.of(from / piece);
    }

    @Override
    public final int position(long from) {
        return (int) (from % piece);
    }

    /** Bytes from the given one to the end of its piece, in a message of so many. */
    protected static int rest(long from, int piece, long bytes) {
        return (int) Math.min(piece - from % piece, bytes - from);
    }

    // ---- sending ----

    @Override
    public final int peer() {
        return link.peer();
    }

    @Override
    public final long trySend(int itsKind, long itsKey, Region source, long at, long bytes, long sent) {
        if (sending > 0) {
            return sent == 0 ? REFUSED : goOn(itsKey, source, at, sent);
        }
        if (sent > 0 || bytes < SHORTEST || !source.isDevice() || pool.copies() == null) {
            return link.trySend(itsKind, itsKey, source, at, bytes, sent);
        }
        if (!link.trySendWords(HEAD, itsKey, bytes | (long) itsKind << KIND_SHIFT, PIECE_BYTES)) {
            return REFUSED;
        }
        sending = bytes;
        accepted = GRAIN;
        begin();
        return GRAIN;
    }

    private long goOn(long itsKey, Region source, long at, long sent) {
        if (sent != accepted) {
            throw new IllegalStateException(
                "byte " + sent + " of a message of " + sending + " bytes, while byte " + accepted + " is due");
        }
        long now = sendOn(itsKey, source, at) - accepted;
        if (now <= 0) {
            return REFUSED;
        }
        accepted += now;
        if (accepted == sending) {
            sending = 0;
            leavingChunks.giveBack();
        }
        return now;
    }

    @Override
    public final boolean trySendWords(int itsKind, long itsKey, long first, long second) {
        return sending == 0 && link.trySendWords(itsKind, itsKey, first, second);
    }

    // ---- receiving ----

    @Override
    public final boolean poll() {
        if (receiving > 0) {
            return true;
        }
        if (!link.poll()) {
            return false;
        }
        if (link.kind() == HEAD && link.bytes() == GRAIN) {
            begin(link.word(0) & LENGTH, link.word(1));
        }
        return true;
    }

    private void begin(long bytes, long pieceBytes) {
        if (bytes < SHORTEST || pieceBytes < GRAIN || pieceBytes > PIECE_BYTES || pieceBytes % GRAIN != 0) {
            throw new IllegalStateException("rank " + peer() + " announces a message of " + bytes
                + " bytes out of device memory in pieces of " + pieceBytes + "; give all ranks the same brigade.jar");
        }
        kind = (int) (link.word(0) >>> KIND_SHIFT);
        key = link.key();
        link.tryDiscard(GRAIN);
        receiving = bytes;
        piece = (int) pieceBytes;
        taken = 0;
        come = 0;
        coming.begin(bytes, 0);
    }

    @Override
    public final int kind() {
        return receiving > 0 ? kind : link.kind();
    }

    @Override
    public final long key() {
        return receiving > 0 ? key : link.key();
    }

    @Override
    public final long bytes() {
        return receiving > 0 ? receiving : link.bytes();
    }

    @Override
    public final long remaining() {
        return receiving > 0 ? receiving - taken : link.remaining();
    }

    @Override
    public final boolean isTaken() {
        return receiving > 0 ? come > 0 : link.isTaken();
    }

    @Override
    public final long word(int index) {
        return link.word(index);
    }

    @Override
    public final long tryRecv(Region target, long at) {
        return receiving > 0 ? take(receive(target, at)) : link.tryRecv(target, at);
    }

    @Override
    public final long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        return receiving > 0 ? take(reduce(combiner, operand, operandAt, target, targetAt))
            : link.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public final long tryDiscard(long limit) {
        return receiving > 0 ? take(discard(limit)) : link.tryDiscard(limit);
    }

    private long take(long now) {
        taken += now;
        if (taken == receiving) {
            receiving = 0;
            comingChunks.giveBack();
        }
        return now;
    }
}
