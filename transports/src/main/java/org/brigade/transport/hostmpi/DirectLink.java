package org.brigade.transport.hostmpi;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.staging.BounceBuffer;
import org.brigade.transport.staging.ChunkPool;
import org.brigade.transport.staging.PieceLink;
import org.brigade.transport.staging.Pipeline;

/**
 * Pieces that the host's MPI carries itself, without heads, out of device memory and into it. What goes to no device,
 * or goes on from host memory, comes by chunks.
 *
 * <p>
 * A piece ends for its sender when the receiver has one waiting for it, and counts as accepted only then: so nothing is
 * kept anywhere between the two, and the sender's memory is its caller's when the last is accepted.
 *
 * <p>
 * The data must be in device memory when a call begins, as the MPI knows no streams; and are there, for every stream,
 * when it has been told that they have come.
 */
final class DirectLink extends PieceLink {
    private final PieceQueue sent;
    private final PieceQueue received;
    /** Pieces that are received in chunks. */
    private final PieceQueue chunked;
    private final Pipeline leaving = new Pipeline(new Leaving(), DEPTH, 0);
    private boolean fromDevice;
    /** Bytes of the piece that is on its way out of a chunk; 0 if there is none. */
    private int inChunk;
    /** Whether the caller's target is a device's memory. */
    private boolean toDevice;

    DirectLink(HostMpiEnd end, HostMpiLink link, int lane, ChunkPool pool) {
        super(link, pool);
        sent = new PieceQueue(end, link.peer(), lane, pool, DEPTH);
        received = new PieceQueue(end, link.peer(), lane, pool, DEPTH);
        chunked = new PieceQueue(end, link.peer(), lane, pool, DEPTH);
        leaving.use(sent);
        coming.use(received);
    }

    /** Host memory goes a piece at a time: only a message whose call has failed goes on from there. */
    private final class Leaving implements BounceBuffer {
        @Override
        public int stretch(long from) {
            return inChunk > 0 ? 0 : rest(from, PIECE_BYTES, sending);
        }

        @Override
        public NativeMemory memory(long from) {
            if (fromDevice) {
                return null;
            }
            inChunk = rest(from, PIECE_BYTES, sending);
            return leavingChunks.of(0);
        }

        @Override
        public void copied(long end) {
            if (inChunk > 0) {
                sent.begin(leavingChunks.of(0), inChunk, true);
            }
        }
    }

    @Override
    protected void begin() {
        leaving.begin(sending, 0);
    }

    @Override
    protected long sendOn(long key, Region source, long at) {
        fromDevice = source.isDevice();
        leaving.read(source, at);
        if (inChunk > 0 && sent.running() == 0) {
            inChunk = 0;
        }
        return leaving.ended() - inChunk;
    }

    @Override
    protected long receive(Region target, long at) {
        toDevice = target.isDevice() && pool.copies() != null;
        return super.receive(target, at);
    }

    @Override
    protected long reduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        toDevice = false;
        return super.reduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    protected long discard(long limit) {
        toDevice = false;
        return super.discard(limit);
    }

    /** Any piece may come straight that has not been asked for in a chunk. */
    @Override
    public int stretch(long from) {
        if (toDevice && come == from) {
            return rest(from, piece, receiving);
        }
        while (!toDevice && come < receiving && come / piece - from / piece < DEPTH) {
            int length = rest(come, piece, receiving);
            chunked.begin(super.memory(come), length, false);
            come += length;
        }
        long asked = (come + piece - 1) / piece - from / piece;
        return chunked.running() < asked ? rest(from, piece, receiving) : 0;
    }

    @Override
    public NativeMemory memory(long from) {
        if (toDevice && come == from) {
            come += rest(from, piece, receiving);
            return null;
        }
        return super.memory(from);
    }

    @Override
    public void close() {
    }
}
