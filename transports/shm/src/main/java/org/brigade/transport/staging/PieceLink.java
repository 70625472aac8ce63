package org.brigade.transport.staging;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.Region;
import org.brigade.transport.FrontLink;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;

/**
 * Long messages out of device memory, over a link that carries only host memory. This link stands in front of that one.
 * A message is a head, which the link behind carries, and pieces, which a subclass carries.
 *
 * <pre>
 *   kind {@link #HEAD}, the message's key; two words:
 *     length in bytes, and the message's kind in the highest byte
 *     bytes of each piece but the last
 * </pre>
 *
 * <p>
 * Short messages, and those out of host memory, pass unchanged. A message counts as begun once its first 16 bytes are
 * accepted. A caller may then continue from a copy of it in host memory.
 */
public abstract class PieceLink extends FrontLink {
    /** Kinds of the link that callers must not use. */
    static final int HEAD = 255;
    static final int PIECE = 254;
    /** Shorter messages are copied before a pipeline gets going, and fit in two packets. */
    static final int SHORTEST = 64 << 10;
    protected static final int PIECE_BYTES = ChunkPool.CHUNK_BYTES;
    /** Pieces under way at once. */
    protected static final int DEPTH = 4;

    private static final int GRAIN = 16;
    private static final int KIND_SHIFT = 56;
    private static final long LENGTH = (1L << KIND_SHIFT) - 1;

    /** The link behind. */
    private final Link link;
    private final PieceReceiver receiver;
    protected final ChunkPool pool;
    protected final ChunkPool.Chunks chunks;
    /** Length of the message under way, and how many of its bytes are accepted; both 0 between messages. */
    private long bytes;
    private long accepted;

    /** @param pool shared by the links of one end */
    protected PieceLink(Link link, PieceReceiver receiver, ChunkPool pool) {
        this.link = link;
        this.receiver = receiver;
        this.pool = pool;
        chunks = pool.chunks(DEPTH);
    }

    /** Whether messages out of this memory are sent in pieces. */
    protected boolean takes(DeviceBuffer memory) {
        return true;
    }

    /** A head has been sent. */
    protected abstract void begin(long length);

    /** Continues the message; returns how many of its bytes have left in all. */
    protected abstract long sendOn(long key, Region source, long at);

    /** Waits for running copies. The owner of the link behind closes that link. */
    public abstract void close();

    @Override
    public final int peer() {
        return link.peer();
    }

    @Override
    public final long trySend(int kind, long key, Region source, long at, long length, long sent) {
        if (bytes > 0) {
            return sent == 0 ? REFUSED : goOn(key, source, at, sent);
        }
        if (sent > 0 || length < SHORTEST || !source.isDevice() || !takes((DeviceBuffer) source.buffer())
            || pool.copies() == null) {
            return link.trySend(kind, key, source, at, length, sent);
        }
        if (!link.trySendWords(HEAD, key, length | (long) kind << KIND_SHIFT, PIECE_BYTES)) {
            return REFUSED;
        }
        bytes = length;
        accepted = GRAIN;
        begin(length);
        return GRAIN;
    }

    private long goOn(long key, Region source, long at, long sent) {
        if (sent != accepted) {
            throw new IllegalStateException(
                "cannot send byte " + sent + " of a message of " + bytes + " bytes: byte " + accepted + " is next");
        }
        long now = sendOn(key, source, at) - accepted;
        if (now <= 0) {
            return REFUSED;
        }
        accepted += now;
        if (accepted == bytes) {
            bytes = 0;
            chunks.giveBack();
        }
        return now;
    }

    /** Bytes of the piece that begins with the given byte. */
    protected final int length(long from) {
        return (int) Math.min(PIECE_BYTES, bytes - from);
    }

    @Override
    public final boolean trySendWords(int kind, long key, long first, long second) {
        return bytes == 0 && link.trySendWords(kind, key, first, second);
    }

    @Override
    protected final InboundLink in() {
        return receiver.poll() ? receiver : link;
    }

    @Override
    public final boolean poll() {
        if (receiver.poll()) {
            return true;
        }
        if (!link.poll()) {
            return false;
        }
        if (link.kind() == HEAD && link.bytes() == GRAIN) {
            long length = link.word(0) & LENGTH;
            long piece = link.word(1);
            if (length < SHORTEST || piece < GRAIN || piece > PIECE_BYTES || piece % GRAIN != 0) {
                throw new IllegalStateException("rank " + peer() + " announces a message of " + length
                    + " bytes out of device memory in pieces of " + piece + "; give all ranks the same brigade.jar");
            }
            receiver.begin((int) (link.word(0) >>> KIND_SHIFT), link.key(), length, (int) piece);
            link.tryDiscard(GRAIN);
        }
        return true;
    }
}
