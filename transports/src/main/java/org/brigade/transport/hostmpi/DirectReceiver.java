package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.ReceivingEnd;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/**
 * The message that a {@link DirectLink} receives: {@code taken <= arrived <= posted}, in bytes. Pieces for device
 * memory are received there, all others in host memory first.
 */
final class DirectReceiver extends ReceivingEnd {
    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final ChunkPool pool;
    private final DeviceTransfer[] transfers = new DeviceTransfer[DirectLink.DEPTH];
    private final NativeMemory[] chunks = new NativeMemory[DirectLink.DEPTH];
    private int piece;
    private long arrived;
    private long posted;

    DirectReceiver(HostMpiEnd end, int peer, int lane, ChunkPool pool) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.pool = pool;
    }

    /** Whether a message is at the head: {@link #begin} tells of it. */
    @Override
    public boolean poll() {
        return present;
    }

    @Override
    public boolean isTaken() {
        return posted > 0;
    }

    /** The head of a message has come. */
    void begin(int itsKind, long itsKey, long length, int pieceBytes) {
        present = true;
        kind = itsKind;
        key = itsKey;
        bytes = length;
        piece = pieceBytes;
        posted = 0;
        arrived = 0;
        taken = 0;
    }

    @Override
    public long tryRecv(Region target, long at) {
        if (target.isDevice() && pool.copies() != null && !isHeadInChunk()) {
            look((DeviceBuffer) target.buffer(), target.offset() + at - taken, DirectLink.DEPTH);
            return take((int) (arrived - taken));
        }
        int length = come(target.isDevice() ? 1 : DirectLink.DEPTH);
        if (length > 0) {
            target.write(at, memory(), position(), length);
        }
        return take(length);
    }

    /** Of a message that is forgotten what has been begun ends where it was to go. */
    @Override
    protected int stretch() {
        return come(DirectLink.DEPTH);
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
            if (!end.isUsable(peer)) {
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
                end.failed(peer, e);
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
        end.receivePiece(transfers[place], pool.copies(), memory,
            memory == null ? chunks[place].address() : memory.address + base + posted, length, peer, lane);
        posted += length;
    }

    @Override
    protected NativeMemory memory() {
        return chunks[place(taken)];
    }

    @Override
    protected int position() {
        return (int) (taken % piece);
    }

    @Override
    protected long take(int now) {
        taken += now;
        if (taken == bytes) {
            present = false;
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
