package org.brigade.transport.staging;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/** The receiving half of a {@link PieceLink}: a message arrives in pieces, each into a chunk. */
public abstract class PieceReceiver extends PipelinedEnd {
    protected final ChunkPool pool;
    private final ChunkPool.Chunks chunks;
    /** Bytes of each piece but the last. */
    protected int piece;
    /** Bytes of the message that have arrived or been asked for. */
    protected long come;

    protected PieceReceiver(ChunkPool pool) {
        super(PieceLink.DEPTH, 0);
        this.pool = pool;
        chunks = pool.chunks(PieceLink.DEPTH);
    }

    /** A head has arrived. */
    final void begin(int itsKind, long itsKey, long length, int pieceBytes) {
        present = true;
        kind = itsKind;
        key = itsKey;
        bytes = length;
        piece = pieceBytes;
        taken = 0;
        come = 0;
    }

    @Override
    public final boolean poll() {
        return present;
    }

    @Override
    public final boolean isTaken() {
        return come > 0;
    }

    @Override
    public long tryRecv(Region target, long at) {
        return target.isDevice() && pool.copies() != null ? copyToDevice(pool.copies(), target, at)
            : super.tryRecv(target, at);
    }

    @Override
    protected final int stretch() {
        return stretch(taken);
    }

    @Override
    protected final NativeMemory memory() {
        return memory(taken);
    }

    @Override
    protected final int position() {
        return position(taken);
    }

    @Override
    public NativeMemory memory(long from) {
        return chunks.of(from / piece);
    }

    @Override
    public final int position(long from) {
        return (int) (from % piece);
    }

    /** Bytes from the given one to the end of its piece. */
    protected final int rest(long from) {
        return (int) Math.min(piece - from % piece, bytes - from);
    }

    @Override
    protected final long take(int now) {
        taken += now;
        if (taken == bytes) {
            present = false;
            chunks.giveBack();
        }
        return now;
    }
}
