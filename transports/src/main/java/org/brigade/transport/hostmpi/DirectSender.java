package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Link;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/** The pieces that a {@link DirectLink} sends: {@code ended <= begun}. */
final class DirectSender {
    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final ChunkPool pool;
    private final DeviceTransfer[] transfers = new DeviceTransfer[DirectLink.DEPTH];
    /** For pieces that go on from host memory. */
    private final NativeMemory[] chunks = new NativeMemory[DirectLink.DEPTH];
    /** Of the message that goes; 0 if none does. */
    private long bytes;
    private long accepted;
    private long begun;
    private long ended;

    DirectSender(HostMpiEnd end, int peer, int lane, ChunkPool pool) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.pool = pool;
    }

    boolean isBusy() {
        return bytes > 0;
    }

    /** The head of a message has gone. */
    void begin(long length) {
        bytes = length;
        accepted = DirectLink.GRAIN;
        begun = 0;
        ended = 0;
    }

    long goOn(Region source, long at, long sent) {
        if (sent != accepted) {
            throw new IllegalStateException(
                "byte " + sent + " of a message of " + bytes + " bytes, while byte " + accepted + " is due");
        }
        long pieces = (bytes + DirectLink.PIECE_BYTES - 1) / DirectLink.PIECE_BYTES;
        synchronized (HostMpiEnd.LOCK) {
            if (!end.peers.isUsable(peer)) {
                return Link.REFUSED;
            }
            try {
                for (; begun < pieces && begun - ended < DirectLink.DEPTH; begun++) {
                    post(source, at + begun * DirectLink.PIECE_BYTES,
                        (int) Math.min(DirectLink.PIECE_BYTES, bytes - begun * DirectLink.PIECE_BYTES));
                }
                while (ended < begun && transfers[(int) (ended % DirectLink.DEPTH)].ended()) {
                    ended++;
                }
            } catch (HostMpiException e) {
                end.peers.failed(peer, e);
                return Link.REFUSED;
            }
        }
        long total = Math.max(accepted, Math.min(bytes, ended * DirectLink.PIECE_BYTES));
        long now = total - accepted;
        accepted = total;
        if (accepted == bytes) {
            bytes = 0;
            giveBack();
        }
        return now > 0 ? now : Link.REFUSED;
    }

    private void post(Region source, long from, int length) {
        int place = (int) (begun % DirectLink.DEPTH);
        if (transfers[place] == null) {
            transfers[place] = new DeviceTransfer();
        }
        DeviceBuffer memory = null;
        long address;
        if (source.isDevice()) {
            memory = (DeviceBuffer) source.buffer();
            address = memory.address + source.offset() + from;
        } else {
            if (chunks[place] == null) {
                chunks[place] = pool.take();
            }
            source.read(from, chunks[place], 0, length);
            address = chunks[place].address();
        }
        end.packets.sendPiece(transfers[place], pool.copies(), memory, address, length, peer, lane);
    }

    private void giveBack() {
        for (int i = 0; i < chunks.length; i++) {
            if (chunks[i] != null) {
                pool.give(chunks[i]);
                chunks[i] = null;
            }
        }
    }
}
