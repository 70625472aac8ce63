package org.brigade.transport.hostmpi;

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
final class DirectLink extends PieceLink implements BounceBuffer {
    private final PieceQueue sent;
    private final Pipeline copies;
    private boolean fromDevice;
    /** Bytes of the piece that is on its way out of a chunk; 0 if there is none. */
    private int inChunk;

    /** @param pool host memory for pieces that go to no device; shared by the links of one end */
    DirectLink(HostMpiEnd end, HostMpiLink link, int lane, ChunkPool pool) {
        super(link, new Receiver(new PieceQueue(end, link.peer(), lane, pool, DEPTH),
            new PieceQueue(end, link.peer(), lane, pool, DEPTH), pool), pool);
        sent = new PieceQueue(end, link.peer(), lane, pool, DEPTH);
        copies = new Pipeline(this, DEPTH, 0).use(sent);
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

    /** Host memory goes a piece at a time: only a message whose call has failed goes on from there. */
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

    /** What has been begun ends with the library. */
    @Override
    public void close() {
    }

    private static final class Receiver extends PieceReceiver {
        private final PieceQueue straight;
        private final PieceQueue chunked;
        /** Whether the caller's target is a device's memory. */
        private boolean toDevice;

        Receiver(PieceQueue straight, PieceQueue chunked, ChunkPool pool) {
            super(pool);
            this.straight = straight;
            this.chunked = chunked;
        }

        @Override
        public long tryRecv(Region target, long at) {
            toDevice = target.isDevice() && pool.copies() != null;
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

        /** Any piece may come straight that has not been asked for in a chunk. */
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
