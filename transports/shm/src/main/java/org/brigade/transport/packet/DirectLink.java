package org.brigade.transport.packet;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.staging.BounceBuffer;
import org.brigade.transport.staging.ChunkPool;
import org.brigade.transport.staging.PieceLink;
import org.brigade.transport.staging.PieceReceiver;
import org.brigade.transport.staging.Pipeline;

/**
 * The carrier's library carries pieces itself, without heads, out of device memory and into it. A piece goes through a
 * chunk of host memory if its target is no device, or if its message continues from host memory.
 *
 * <p>
 * A send of a piece ends when the receiver has a receive waiting for it, and the piece counts as accepted only then. So
 * nothing is kept between the two, and the caller may use its memory again when the last piece is accepted.
 *
 * <p>
 * The data must be in device memory when a call begins, because the library knows no streams. When it reports that a
 * piece has arrived, every stream can see it.
 */
final class DirectLink extends PieceLink implements BounceBuffer {
    private final PieceQueue sent;
    private final Pipeline copies;
    private boolean fromDevice;
    /** Bytes of the piece that is being sent from a chunk; 0 if there is none. */
    private int inChunk;

    /** @param pool host memory for pieces that go to no device; shared by the links of one end */
    DirectLink(PacketEnd end, PacketLink link, int lane, ChunkPool pool) {
        super(link, new Receiver(new PieceQueue(end, link.peer(), lane, pool, DEPTH),
            new PieceQueue(end, link.peer(), lane, pool, DEPTH), pool), pool);
        sent = new PieceQueue(end, link.peer(), lane, pool, DEPTH);
        copies = new Pipeline(this, DEPTH, 0).use(sent);
    }

    /** The library sends from addresses, and items with gaps have none: the link behind packs them. */
    @Override
    protected boolean takes(DeviceBuffer memory) {
        return memory.isContiguous();
    }

    @Override
    protected void begin(long length) {
        copies.begin(length, 0);
    }

    @Override
    protected long sendOn(long key, Region source, long at) {
        fromDevice = source.isDevice();
        copies.read(source, at);
        if (inChunk > 0 && sent.running() == 0) {
            inChunk = 0;
        }
        return copies.ended() - inChunk;
    }

    /** Host memory is sent one piece at a time: only a message continues from there whose call has failed. */
    @Override
    public int stretch(long from) {
        return inChunk > 0 ? 0 : length(from);
    }

    @Override
    public NativeMemory memory(long from) {
        if (fromDevice) {
            return null;
        }
        inChunk = length(from);
        return chunks.of(0);
    }

    @Override
    public void copied(long end) {
        if (inChunk > 0) {
            sent.begin(chunks.of(0), inChunk, true);
        }
    }

    /** The library's end ends what is still under way. */
    @Override
    public void close() {
    }

    private static final class Receiver extends PieceReceiver {
        private final PieceQueue straight;
        private final PieceQueue chunked;
        /** Whether the caller's target is device memory that the library can write. */
        private boolean toDevice;

        Receiver(PieceQueue straight, PieceQueue chunked, ChunkPool pool) {
            super(pool);
            this.straight = straight;
            this.chunked = chunked;
        }

        @Override
        public long tryRecv(Region target, long at) {
            toDevice = target.isDevice() && ((DeviceBuffer) target.buffer()).isContiguous() && pool.copies() != null;
            try {
                return super.tryRecv(target, at);
            } finally {
                toDevice = false;
            }
        }

        @Override
        protected CopyQueue queue(CopyEngine engine) {
            return straight;
        }

        /** A piece goes straight to the device unless it has already been asked for in a chunk. */
        @Override
        public int stretch(long from) {
            if (toDevice && come == from) {
                return rest(from);
            }
            while (!toDevice && come < bytes && come / piece - from / piece < DEPTH) {
                int length = rest(come);
                chunked.begin(super.memory(come), length, false);
                come += length;
            }
            long asked = (come + piece - 1) / piece - from / piece;
            return chunked.running() < asked ? rest(from) : 0;
        }

        @Override
        public NativeMemory memory(long from) {
            if (toDevice && come == from) {
                come += rest(from);
                return null;
            }
            return super.memory(from);
        }
    }
}
