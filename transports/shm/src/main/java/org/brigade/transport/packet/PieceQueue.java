package org.brigade.transport.packet;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.staging.ChunkPool;

/**
 * Pieces without heads between this rank and a peer, one way, by a carrier. If its library reads and writes device
 * memory, a piece goes from one rank's memory to the other's without host memory in between. No piece from or to a lost
 * peer ends.
 */
final class PieceQueue implements CopyQueue {
    private final PacketEnd end;
    private final int peer;
    private final int lane;
    private final ChunkPool pool;
    /** A ring of requests: {@code running} requests from {@code oldest} on have not ended. */
    private final NativeMemory requests;
    private final boolean[] onDevice;
    private int oldest;
    private int running;

    PieceQueue(PacketEnd end, int peer, int lane, ChunkPool pool, int depth) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.pool = pool;
        requests = NativeMemory.allocate(depth * MessageCarrier.REQUEST_BYTES);
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
        synchronized (end.lock) {
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
                end.packets.beginPiece(out, address, bytes, peer, lane, requests, place * MessageCarrier.REQUEST_BYTES);
            } catch (CarrierException e) {
                end.peers.failed(peer, e);
                ended(place);
            } finally {
                DeviceTraffic.leave(entered);
            }
        }
    }

    private boolean isEnded(int place) {
        return end.packets.carrier.test(requests, place * MessageCarrier.REQUEST_BYTES);
    }

    private void ended(int place) {
        if (onDevice[place]) {
            DeviceTraffic.ended();
        }
    }

    @Override
    public int running() {
        synchronized (end.lock) {
            CopyEngine entered = DeviceTraffic.enter();
            try {
                while (running > 0 && end.peers.isUsable(peer) && isEnded(oldest)) {
                    ended(oldest);
                    oldest = (oldest + 1) % onDevice.length;
                    running--;
                }
            } catch (CarrierException e) {
                end.peers.failed(peer, e);
            } finally {
                DeviceTraffic.leave(entered);
            }
            return running;
        }
    }

    @Override
    public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
        throw new UnsupportedOperationException("a carrier has no mapped memory to pull from");
    }

    /** The library's end ends what is still running. */
    @Override
    public void close() {
    }
}
