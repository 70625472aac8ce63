package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;
import org.brigade.transport.Link;

/**
 * Pieces that are messages of the link behind, of kind {@link #PIECE} and the same key: while one crosses, the device
 * copies the next into page-locked memory; and at the other end, while one is copied on into device memory, the next
 * arrives. Messages out of host memory go to device memory by the link behind, which uses {@link DeviceBuffer#write}.
 */
public final class StagedLink extends PieceLink {
    private final Region region = new Region();
    private final Pipeline leaving = new Pipeline(new Leaving(), DEPTH, 0);
    /** Pieces of the message that goes which the link behind has accepted, and bytes of the next one. */
    private long crossed;
    private long crossing;

    /** @param pool shared by the links of one end */
    public StagedLink(Link link, ChunkPool pool) {
        super(link, pool);
    }

    /** A piece has a chunk until it has crossed. */
    private final class Leaving implements BounceBuffer {
        @Override
        public int stretch(long from) {
            return from / PIECE_BYTES - crossed < DEPTH ? rest(from, PIECE_BYTES, sending) : 0;
        }

        @Override
        public NativeMemory memory(long from) {
            return leavingChunks.of(from / PIECE_BYTES);
        }
    }

    @Override
    protected void begin() {
        crossed = 0;
        crossing = 0;
        leaving.use(pool.copies()).begin(sending, 0);
    }

    @Override
    protected long sendOn(long key, Region source, long at) {
        leaving.read(source, at);
        long gone = crossed * PIECE_BYTES + crossing;
        while (gone < leaving.ended()) {
            int length = (int) Math.min(PIECE_BYTES, sending - crossed * PIECE_BYTES);
            region.wrap(leavingChunks.of(crossed).bytes, 0);
            long now = link.trySend(PIECE, key, region, 0, length, crossing);
            if (now <= 0) {
                break;
            }
            gone += now;
            crossing += now;
            if (crossing == length) {
                crossing = 0;
                crossed++;
            }
        }
        region.clear();
        return gone;
    }

    @Override
    protected long receive(Region target, long at) {
        if (target.isDevice()) {
            coming.use(pool.copies());
        }
        return target.isDevice() || come > taken ? super.receive(target, at)
            : pass(isThere() ? link.tryRecv(target, at) : 0);
    }

    @Override
    protected long reduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        return StagedCombine.isNeeded(operand, target) || come > taken
            ? super.reduce(combiner, operand, operandAt, target, targetAt)
            : pass(isThere() ? link.tryRecvReduce(combiner, operand, operandAt, target, targetAt) : 0);
    }

    /** Bytes that have come, and by no chunk. */
    private long pass(long now) {
        come += now;
        coming.begin(receiving, come);
        return now;
    }

    /** Has a piece come into its chunk; it is copied on when it is whole. */
    @Override
    public int stretch(long from) {
        int rest = rest(from, piece, receiving);
        while (come < from + rest && isThere()) {
            long now = link.tryRecv(region.wrap(memory(from).bytes, 0), come % piece);
            if (now == 0) {
                break;
            }
            come += now;
        }
        return come < from + rest ? 0 : rest;
    }

    /** Whether the next bytes are at the head of the link behind. */
    private boolean isThere() {
        if (!link.poll()) {
            return false;
        }
        int rest = rest(come, piece, receiving);
        long whole = rest + come % piece;
        if (link.kind() != PIECE || link.bytes() != whole || link.remaining() != rest) {
            throw new IllegalStateException("rank " + peer() + " sends a message of kind " + link.kind() + " and "
                + link.bytes() + " bytes in place of a piece of " + whole + "; give all ranks the same brigade.jar");
        }
        return true;
    }

    @Override
    public void close() {
        leaving.close();
        coming.close();
    }
}
