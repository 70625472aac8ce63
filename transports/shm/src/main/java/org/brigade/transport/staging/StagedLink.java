package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;
import org.brigade.transport.Link;

/**
 * Sends each piece as a message of the link behind, of kind {@link #PIECE} and with the same key. While one piece
 * crosses, the device copies the next into page-locked memory. At the other end, the next piece arrives while one is
 * copied on into device memory. Messages from host memory to device memory need no pieces: the link behind carries them
 * with {@link DeviceBuffer#write}.
 */
public final class StagedLink extends PieceLink implements BounceBuffer {
    private final Link link;
    private final Receiver receiver;
    private final Region region = new Region();
    private final Pipeline copies = new Pipeline(this, DEPTH, 0);
    /** Pieces of the message that the link behind has accepted, and accepted bytes of the next piece. */
    private long crossed;
    private long crossing;

    /** @param pool shared by the links of one end */
    public StagedLink(Link link, ChunkPool pool) {
        this(link, new Receiver(link, pool), pool);
    }

    private StagedLink(Link link, Receiver receiver, ChunkPool pool) {
        super(link, receiver, pool);
        this.link = link;
        this.receiver = receiver;
    }

    @Override
    protected void begin(long length) {
        crossed = 0;
        crossing = 0;
        copies.use(pool.copies()).begin(length, 0);
    }

    /** A piece keeps its chunk until it has crossed. */
    @Override
    public int stretch(long from) {
        return from / PIECE_BYTES - crossed < DEPTH ? length(from) : 0;
    }

    @Override
    public NativeMemory memory(long from) {
        return chunks.of(from / PIECE_BYTES);
    }

    @Override
    protected long sendOn(long key, Region source, long at) {
        copies.read(source, at);
        long gone = crossed * PIECE_BYTES + crossing;
        while (gone < copies.ended()) {
            int length = length(crossed * PIECE_BYTES);
            region.wrap(chunks.of(crossed).bytes, 0);
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
    public void close() {
        copies.close();
        receiver.close();
    }

    /** Receives bytes for host memory straight from the link behind, unless they are in a chunk already. */
    private static final class Receiver extends PieceReceiver {
        private final Link link;
        private final Region region = new Region();

        Receiver(Link link, ChunkPool pool) {
            super(pool);
            this.link = link;
        }

        @Override
        public long tryRecv(Region target, long at) {
            return target.isDevice() || come > taken ? super.tryRecv(target, at)
                : pass(isThere() ? link.tryRecv(target, at) : 0);
        }

        @Override
        public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
            return StagedCombine.isNeeded(operand, target) || come > taken
                ? super.tryRecvReduce(combiner, operand, operandAt, target, targetAt)
                : pass(isThere() ? link.tryRecvReduce(combiner, operand, operandAt, target, targetAt) : 0);
        }

        /** The link behind may be writing into the caller's memory. */
        @Override
        public void abandon() {
            link.abandon();
        }

        private long pass(long now) {
            come += now;
            return take((int) now);
        }

        /** Receives a piece into its chunk. The piece is copied on when it is whole. */
        @Override
        public int stretch(long from) {
            int rest = rest(from);
            while (come < from + rest && isThere()) {
                long now = link.tryRecv(region.wrap(memory(from).bytes, 0), position(come));
                if (now == 0) {
                    break;
                }
                come += now;
            }
            region.clear();
            return come < from + rest ? 0 : rest;
        }

        /** Whether the next bytes are at the head of the link behind. */
        private boolean isThere() {
            if (!link.poll()) {
                return false;
            }
            int rest = rest(come);
            int whole = position(come) + rest;
            if (link.kind() != PIECE || link.bytes() != whole || link.remaining() != rest) {
                throw new IllegalStateException("rank " + link.peer() + " sends a message of kind " + link.kind()
                    + " and " + link.bytes() + " bytes in place of a piece of " + whole
                    + "; give all ranks the same brigade.jar");
            }
            return true;
        }
    }
}
