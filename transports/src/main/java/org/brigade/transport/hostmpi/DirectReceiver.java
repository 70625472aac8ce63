package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/**
 * The message that a {@link DirectLink} receives: {@code taken <= arrived <= posted}, in bytes. Pieces for device
 * memory are received there, all others in host memory first.
 */
final class DirectReceiver {
    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final ChunkPool pool;
    private final DeviceTransfer[] transfers = new DeviceTransfer[DirectLink.DEPTH];
    private final NativeMemory[] chunks = new NativeMemory[DirectLink.DEPTH];
    private StagedCombine staged;
    private int piece;
    private long arrived;
    int kind;
    long key;
    /** 0 while there is none. */
    long bytes;
    long posted;
    long taken;

    DirectReceiver(HostMpiEnd end, int peer, int lane, ChunkPool pool) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.pool = pool;
    }

    boolean isBusy() {
        return bytes > 0;
    }

    /** The head of a message has come. */
    void begin(int itsKind, long itsKey, long length, int pieceBytes) {
        kind = itsKind;
        key = itsKey;
        bytes = length;
        piece = pieceBytes;
        posted = 0;
        arrived = 0;
        taken = 0;
    }

    long tryRecv(Region target, long at) {
        if (target.isDevice() && pool.copies() != null && !isHeadInChunk()) {
            look((DeviceBuffer) target.buffer(), target.offset() + at - taken, DirectLink.DEPTH);
            return take(arrived - taken);
        }
        int length = come(target.isDevice() ? 1 : DirectLink.DEPTH);
        if (length > 0) {
            target.write(at, chunk(), chunkAt(), length);
        }
        return take(length);
    }

    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        int length = come(DirectLink.DEPTH);
        if (length > 0) {
            if (StagedCombine.isNeeded(operand, target)) {
                if (staged == null) {
                    staged = new StagedCombine();
                }
                staged.combine(combiner, chunk(), chunkAt(), length, operand, operandAt, target, targetAt);
            } else {
                combiner.combine(chunk(), chunkAt(), length, operand, operandAt, target, targetAt);
            }
        }
        return take(length);
    }

    /** What has been begun ends where it was to go. Multiples of 16 bytes, but for the last. */
    long tryDiscard(long limit) {
        long discarded = 0;
        while (bytes > 0) {
            long now = Math.min(come(1), limit - discarded);
            if (now < arrived - taken) {
                now &= -DirectLink.GRAIN;
            }
            if (now == 0) {
                break;
            }
            discarded += take(now);
        }
        return discarded;
    }

    /**
     * Bytes of the next piece that have come and are to be taken out of its chunk; up to so many pieces are asked for
     * beforehand.
     */
    private int come(int most) {
        if (arrived == taken) {
            look(null, 0, most);
        }
        return (int) (arrived - taken);
    }

    /** Whether the next bytes have been asked for in host memory, by somebody who wanted to forget them. */
    private boolean isHeadInChunk() {
        return posted > taken && chunks[place(taken)] != null && !transfers[place(taken)].isOnDevice();
    }

    /**
     * Has pieces received, and looks for the next that have come: all that there are for a device, and of those in host
     * memory one, to be emptied first.
     *
     * @param memory to receive in; null for chunks
     * @param base where the message's first byte is to lie there
     * @param most pieces that may be asked for at once
     */
    private void look(DeviceBuffer memory, long base, int most) {
        synchronized (HostMpiEnd.LOCK) {
            if (!end.peers.isUsable(peer)) {
                return;
            }
            try {
                while (posted < bytes && posted - arrived < (long) most * piece) {
                    post(memory, base);
                }
                while (arrived < posted && (memory != null || arrived == taken) && transfers[place(arrived)].ended()) {
                    arrived += transfers[place(arrived)].length();
                }
            } catch (HostMpiException e) {
                end.peers.failed(peer, e);
            }
        }
    }

    private int place(long at) {
        return (int) (at / piece % DirectLink.DEPTH);
    }

    private void post(DeviceBuffer memory, long base) {
        int place = place(posted);
        if (transfers[place] == null) {
            transfers[place] = new DeviceTransfer();
        }
        if (memory == null && chunks[place] == null) {
            chunks[place] = pool.take();
        }
        int length = (int) Math.min(piece, bytes - posted);
        end.packets.receivePiece(transfers[place], pool.copies(), memory,
            memory == null ? chunks[place].address() : memory.address + base + posted, length, peer, lane);
        posted += length;
    }

    /** The one in which the piece lies that is to be taken. */
    private NativeMemory chunk() {
        return chunks[place(taken)];
    }

    private int chunkAt() {
        return (int) (taken % piece);
    }

    private long take(long now) {
        taken += now;
        if (taken == bytes) {
            bytes = 0;
            for (int i = 0; i < chunks.length; i++) {
                if (chunks[i] != null) {
                    pool.give(chunks[i]);
                    chunks[i] = null;
                }
            }
        }
        return now;
    }
}
