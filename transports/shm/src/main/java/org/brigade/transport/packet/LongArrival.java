package org.brigade.transport.packet;

import static org.brigade.transport.packet.PacketDescriptor.LONG_PIECE_BYTES;
import static org.brigade.transport.packet.PacketDescriptor.PACKED_BYTES;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * The pieces of the long message at a lane's head. They are asked for straight into the caller's memory, if that is
 * outside the heap, or else into chunks, from which they are copied or reduced. The sender sends what it was asked for,
 * so nothing arrives that no receive waits for. Under the end's lock, but for {@link #memory}.
 */
final class LongArrival {
    private final Packets packets;
    private final LongPieces pieces;
    private final NativeMemory[] chunks = new NativeMemory[LongPieces.DEPTH];
    private final Region chunk = new Region();

    private long bytes;
    /** Bytes up to which receives wait or have ended, and up to which they have ended. */
    private long asked;
    private long come;
    /** Bytes up to which the sender may send. */
    private long granted;
    /** Whether pieces go straight to the caller, and where its byte 0 is then; not decided while nothing is asked. */
    private boolean straight;
    private long base;
    /** Bytes up to which pieces have gone to memory that has been given up. */
    private long given;

    LongArrival(Packets packets, LongPieces pieces) {
        this.packets = packets;
        this.pieces = pieces;
    }

    /** A long message is at the head. */
    void begin(long length) {
        bytes = length;
        asked = PACKED_BYTES;
        come = PACKED_BYTES;
        granted = PACKED_BYTES;
        given = 0;
        straight = false;
    }

    boolean isBegun() {
        return asked > PACKED_BYTES;
    }

    boolean isStraight() {
        return straight;
    }

    /**
     * Asks for pieces into the caller's memory, if that is possible.
     *
     * @param origin position in the target of the message's byte 0
     * @return false if pieces go through chunks
     */
    boolean ask(Region target, long origin) {
        if (!isBegun() && given == 0 && !straight) {
            straight = target.isNative() && target.bytesOutside() - origin >= bytes;
            base = straight ? target.address() + origin : 0;
        }
        if (!straight) {
            return false;
        }
        if (target.address() + origin != base) {
            throw new IllegalStateException("a message is taken to two places");
        }
        while (asked < bytes && !pieces.isFull()) {
            begin(target, origin + asked, (int) Math.min(LONG_PIECE_BYTES, bytes - asked));
        }
        return true;
    }

    /** Asks for pieces into chunks, as many as have room beside what is not taken. */
    void ask(long taken) {
        while (asked < bytes && !pieces.isFull()
            && (asked - PACKED_BYTES) / LONG_PIECE_BYTES - piece(taken) < LongPieces.DEPTH) {
            int place = place(asked);
            if (chunks[place] == null) {
                chunks[place] = packets.takeChunk();
            }
            int from = position(asked);
            begin(chunk.wrap(chunks[place].bytes, 0), from, (int) Math.min(LONG_PIECE_BYTES - from, bytes - asked));
        }
        chunk.clear();
    }

    private void begin(Region target, long at, int length) {
        pieces.begin(target, at, length);
        asked += length;
    }

    /** Up to which byte the sender may send from now on; 0 if it knows. */
    long grant() {
        if (asked <= granted) {
            return 0;
        }
        granted = asked;
        return granted;
    }

    /** Bytes that have come straight behind those taken. */
    long comeStraight(long taken) {
        come += pieces.ended();
        return come - taken;
    }

    /** Bytes in one stretch behind those taken, in a chunk or given up. */
    int stretch(long taken) {
        come += pieces.ended();
        if (taken < given && chunks[place(taken)] == null) {
            chunks[place(taken)] = packets.takeChunk(); // whoever takes bytes that were given up gets any
        }
        long until = taken < given ? given : come;
        return (int) (Math.min(until, PACKED_BYTES + (piece(taken) + 1) * LONG_PIECE_BYTES) - taken);
    }

    NativeMemory memory(long taken) {
        return chunks[place(taken)];
    }

    static int position(long at) {
        return (int) ((at - PACKED_BYTES) % LONG_PIECE_BYTES);
    }

    private static long piece(long at) {
        return Math.max(0, at - PACKED_BYTES) / LONG_PIECE_BYTES;
    }

    private static int place(long at) {
        return (int) (piece(at) % LongPieces.DEPTH);
    }

    /** Nothing is written into the caller's memory any more. What comes from now on goes to chunks. */
    void abandon() {
        if (straight) {
            asked -= pieces.withdraw();
            come += pieces.settle();
            given = come;
            straight = false;
        }
    }

    /** The last byte has been taken. */
    void end() {
        for (int i = 0; i < chunks.length; i++) {
            if (chunks[i] != null) {
                packets.giveChunk(chunks[i]);
                chunks[i] = null;
            }
        }
    }
}
