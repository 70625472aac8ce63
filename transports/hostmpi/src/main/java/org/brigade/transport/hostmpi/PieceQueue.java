package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/**
 * Pieces without heads between this rank and a peer, one way, by the host's MPI. If the MPI reads and writes device
 * memory, a piece goes from one rank's memory to the other's without host memory in between. No piece from or to a lost
 * peer ends.
 */
final class PieceQueue implements CopyQueue {
    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final ChunkPool pool;
    /** A ring of requests: {@code running} requests from {@code oldest} on have not ended. */
    private final NativeMemory requests;
    private final boolean[] onDevice;
    private int oldest;
    private int running;

    PieceQueue(HostMpiEnd end, int peer, int lane, ChunkPool pool, int depth) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.pool = pool;
        requests = NativeMemory.allocate(depth * HostMpi.REQUEST_BYTES);
        onDevice = new boolean[depth];
    }

    @Override
    public void read(DeviceBuffer source, long at, NativeMemory none, int noneAt, int bytes) {
        begin(source, source.address + at, bytes, true);
    }

    /** Receives a piece. A piece that has already arrived in host memory is copied from there. */
    @Override
    public void write(NativeMemory chunk, int chunkAt, DeviceBuffer target, long at, int bytes) {
        if (chunk != null) {
            target.write(at, chunk.bytes, chunkAt, bytes);
        } else {
            begin(target, target.address + at, bytes, false);
        }
    }

    /** Sends a piece from host memory, or receives one there. */
    void begin(NativeMemory chunk, int bytes, boolean out) {
        begin(null, chunk.address(), bytes, out);
    }

    private void begin(DeviceBuffer memory, long address, int bytes, boolean out) {
        synchronized (HostMpiEnd.LOCK) {
            int place = (oldest + running++) % onDevice.length;
            if (!end.peers.isUsable(peer)) {
                return;
            }
            onDevice[place] = memory != null;
            if (onDevice[place]) {
                DeviceTraffic.begun(pool.copies(), memory);
            }
            CopyEngine entered = DeviceTraffic.enter();
            try {
                end.packets.beginPiece(out, address, bytes, peer, lane, request(place));
            } catch (HostMpiException e) {
                end.peers.failed(peer, e);
                ended(place);
            } finally {
                DeviceTraffic.leave(entered);
            }
        }
    }

    private long request(int place) {
        return requests.address() + place * HostMpi.REQUEST_BYTES;
    }

    private void ended(int place) {
        if (onDevice[place]) {
            DeviceTraffic.ended();
        }
    }

    @Override
    public int running() {
        synchronized (HostMpiEnd.LOCK) {
            CopyEngine entered = DeviceTraffic.enter();
            try {
                while (running > 0 && end.peers.isUsable(peer) && HostMpi.test(request(oldest))) {
                    ended(oldest);
                    oldest = (oldest + 1) % onDevice.length;
                    running--;
                }
            } catch (HostMpiException e) {
                end.peers.failed(peer, e);
            } finally {
                DeviceTraffic.leave(entered);
            }
            return running;
        }
    }

    @Override
    public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
        throw new UnsupportedOperationException("an MPI library has no mapped memory to pull from");
    }

    /** The library's end ends what is still running. */
    @Override
    public void close() {
    }
}
