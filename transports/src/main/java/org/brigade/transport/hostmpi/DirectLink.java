package org.brigade.transport.hostmpi;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;
import org.brigade.transport.staging.ChunkPool;

/**
 * Device memory over a host's MPI that reads and writes it itself: goes in front of that MPI's link. A long message out
 * of device memory is a head, which is a message of the link behind, and pieces, each a message of the MPI's own, out
 * of the device memory and into whatever memory the receiver's caller has for it.
 *
 * <pre>
 *   kind {@link #HEAD}, the message's key     two words: length in bytes and kind (the highest byte); bytes of each piece but the last
 *   by the MPI, without a head                the bytes, piece by piece
 * </pre>
 *
 * <p>
 * A piece ends for its sender when the receiver has one waiting for it, and counts as accepted only then: so nothing is
 * kept anywhere between the two, and the sender's memory is its caller's when the last is accepted. Short messages, and
 * those out of host memory, pass as they are. A message counts as begun by its first 16 bytes being accepted. A caller
 * may go on from a copy of it in host memory.
 *
 * <p>
 * The data must be in device memory when a call begins, as the MPI knows no streams; and are there, for every stream,
 * when it has been told that they have come.
 */
final class DirectLink implements Link {
    static final int HEAD = 255;
    /** Shorter ones fit in two packets, and their senders may not want to wait for a receiver. */
    static final int SHORTEST = 64 << 10;
    static final int PIECE_BYTES = ChunkPool.CHUNK_BYTES;
    /** Pieces under way at once. */
    static final int DEPTH = 4;
    /** The first bytes of a message are accepted with its head. */
    static final int GRAIN = 16;
    private static final int KIND_SHIFT = 56;
    private static final long LENGTH = (1L << KIND_SHIFT) - 1;

    private final HostMpiLink link;
    private final ChunkPool pool;
    private final DirectSender sender;
    private final DirectReceiver receiver;

    /** @param pool host memory for pieces that go to no device; shared by the links of one end */
    DirectLink(HostMpiEnd end, HostMpiLink link, int lane, ChunkPool pool) {
        this.link = link;
        this.pool = pool;
        sender = new DirectSender(end, link.peer(), lane, pool);
        receiver = new DirectReceiver(end, link.peer(), lane, pool);
    }

    @Override
    public int peer() {
        return link.peer();
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (sender.isBusy()) {
            return sent == 0 ? REFUSED : sender.goOn(source, at, sent);
        }
        if (sent > 0 || bytes < SHORTEST || !source.isDevice() || pool.copies() == null) {
            return link.trySend(kind, key, source, at, bytes, sent);
        }
        if (!link.trySendWords(HEAD, key, bytes | (long) kind << KIND_SHIFT, PIECE_BYTES)) {
            return REFUSED;
        }
        sender.begin(bytes);
        return GRAIN;
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        return !sender.isBusy() && link.trySendWords(kind, key, first, second);
    }

    @Override
    public boolean poll() {
        if (receiver.isBusy()) {
            return true;
        }
        if (!link.poll()) {
            return false;
        }
        if (link.kind() == HEAD && link.bytes() == GRAIN) {
            long bytes = link.word(0) & LENGTH;
            long piece = link.word(1);
            if (bytes < SHORTEST || piece < GRAIN || piece > PIECE_BYTES || piece % GRAIN != 0) {
                throw new IllegalStateException("rank " + peer() + " announces a message of " + bytes
                    + " bytes out of device memory in pieces of " + piece + "; give all ranks the same brigade.jar");
            }
            receiver.begin((int) (link.word(0) >>> KIND_SHIFT), link.key(), bytes, (int) piece);
            link.tryDiscard(GRAIN);
        }
        return true;
    }

    @Override
    public int kind() {
        return receiver.isBusy() ? receiver.kind : link.kind();
    }

    @Override
    public long key() {
        return receiver.isBusy() ? receiver.key : link.key();
    }

    @Override
    public long bytes() {
        return receiver.isBusy() ? receiver.bytes : link.bytes();
    }

    @Override
    public long remaining() {
        return receiver.isBusy() ? receiver.bytes - receiver.taken : link.remaining();
    }

    @Override
    public boolean isTaken() {
        return receiver.isBusy() ? receiver.posted > 0 : link.isTaken();
    }

    @Override
    public long word(int index) {
        return link.word(index);
    }

    @Override
    public long tryRecv(Region target, long at) {
        return receiver.isBusy() ? receiver.tryRecv(target, at) : link.tryRecv(target, at);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        return receiver.isBusy() ? receiver.tryRecvReduce(combiner, operand, operandAt, target, targetAt)
            : link.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public long tryDiscard(long limit) {
        return receiver.isBusy() ? receiver.tryDiscard(limit) : link.tryDiscard(limit);
    }
}
