package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/**
 * Pieces without heads between this rank and a peer, one way, by the host's MPI. Where that reads and writes device
 * memory, a piece is a copy between it and the peer: no host memory is in between. Of a peer that is lost no piece
 * ends.
 */
final class PieceQueue implements CopyQueue {
    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final ChunkPool pool;
    /** A ring: {@code running} ones from {@code oldest} on have not ended. */
    private final DeviceTransfer[] transfers;
    private int oldest;
    private int running;

    PieceQueue(HostMpiEnd end, int peer, int lane, ChunkPool pool, int depth) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.pool = pool;
        transfers = new DeviceTransfer[depth];
    }

    @Override
    public void read(DeviceBuffer source, long at, NativeMemory none, int noneAt, int bytes) {
        begin(source, source.address + at, bytes, true);
    }

    /** Receives a piece; if it has come into host memory before, copies it from there. */
    @Override
    public void write(NativeMemory chunk, int chunkAt, DeviceBuffer target, long at, int bytes) {
        if (chunk != null) {
            target.write(at, chunk.bytes, chunkAt, bytes);
        } else {
            begin(target, target.address + at, bytes, false);
        }
    }

    /** Sends or receives a piece that is in host memory here. */
    void begin(NativeMemory chunk, int bytes, boolean out) {
        begin(null, chunk.address(), bytes, out);
    }

    private void begin(DeviceBuffer memory, long address, int bytes, boolean out) {
        synchronized (HostMpiEnd.LOCK) {
            int place = (oldest + running++) % transfers.length;
            if (transfers[place] == null) {
                transfers[place] = new DeviceTransfer();
            }
            try {
                if (!end.isUsable(peer)) {
                    return;
                }
                if (out) {
                    end.sendPiece(transfers[place], pool.copies(), memory, address, bytes, peer, lane);
                } else {
                    end.receivePiece(transfers[place], pool.copies(), memory, address, bytes, peer, lane);
                }
            } catch (HostMpiException e) {
                end.failed(peer, e);
            }
        }
    }

    @Override
    public int running() {
        synchronized (HostMpiEnd.LOCK) {
            try {
                while (running > 0 && end.isUsable(peer) && transfers[oldest].ended()) {
                    oldest = (oldest + 1) % transfers.length;
                    running--;
                }
            } catch (HostMpiException e) {
                end.failed(peer, e);
            }
            return running;
        }
    }

    @Override
    public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
        throw new UnsupportedOperationException("a library's pieces come from no mapped memory");
    }

    /** What still runs ends with the library. */
    @Override
    public void close() {
    }
}
