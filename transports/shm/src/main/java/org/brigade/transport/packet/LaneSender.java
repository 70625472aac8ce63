package org.brigade.transport.packet;

import static org.brigade.transport.packet.PacketDescriptor.FIRST;
import static org.brigade.transport.packet.PacketDescriptor.LONG;
import static org.brigade.transport.packet.PacketDescriptor.LONG_PIECE_BYTES;
import static org.brigade.transport.packet.PacketDescriptor.NEXT;
import static org.brigade.transport.packet.PacketDescriptor.PACKED_BYTES;
import static org.brigade.transport.packet.PacketDescriptor.PIECE_BYTES;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Link;

/**
 * The sending end of one lane. A message goes piece by piece. Each piece is copied into a packet, because the caller
 * may use its memory again when its bytes are accepted, and the packet goes to the carrier. The window limits what the
 * receiver has not taken. A long message out of native memory goes on in pieces without copies ({@link LongPieces}), as
 * far as the receiver has granted.
 */
final class LaneSender {
    private final PacketEnd end;
    private final LaneReceiver in;
    private final int peer;
    private final int lane;
    private final int window;
    /** Packets on their way, in the order in which they left. */
    private final Packet.Queue underWay = new Packet.Queue();
    /** Whether the end knows that this sender has packets under way. */
    private boolean pushed;
    private int unitsSent;
    private int piecesSent;
    private int unitsTaken;
    /** Bytes of the message under way that have gone; 0 if none is. */
    private long begun;
    /** Bytes of the message under way that go in packets; all but of a long message. */
    private long packed;

    private long total;

    // Of a long message: what may go, has begun to go, and has gone; where its byte 0 is, while pieces are under way.
    private long granted;
    private long posted;
    private long gone;
    private long base;
    private LongPieces pieces;
    /** For the rest of a message that no longer comes out of native memory; null while there is none. */
    private NativeMemory chunk;

    /** @param in the lane's receiving end: each packet also tells the peer what that has taken */
    LaneSender(PacketEnd end, int peer, int lane, int window, LaneReceiver in) {
        this.in = in;
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.window = window / PacketDescriptor.UNIT_BYTES;
    }

    int peer() {
        return peer;
    }

    long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (sent == 0 && begun > 0) {
            return Link.REFUSED;
        }
        boolean isLong = sent == 0 ? end.isLong(source, bytes, lane) : packed < bytes;
        if (sent == 0) {
            total = bytes;
            packed = isLong ? PACKED_BYTES : bytes;
            granted = packed;
            posted = packed;
            gone = packed;
        } else if (sent >= packed) {
            return goOn(source, at, bytes, sent);
        }
        long position = sent;
        int length = (int) Math.min(PIECE_BYTES, packed - position);
        if (noRoom(length)) {
            return Link.REFUSED;
        }
        do {
            Packet packet = end.packets.take(length);
            if (length > 0) {
                source.read(at + position, packet.memory, Packet.PIECE_AT, length);
            }
            unitsSent += PacketDescriptor.units(length);
            end.packets.post(packet, position > 0 ? NEXT : isLong ? LONG : FIRST, kind, key, bytes, length,
                piecesSent++,
                in.report(), peer, lane);
            underWay.add(packet);
            position += length;
            length = (int) Math.min(PIECE_BYTES, packed - position);
        } while (position < packed && !noRoom(length));
        begun = position < bytes ? position : 0;
        recycle();
        return position - sent;
    }

    /** Sends pieces straight out of the caller's memory. They are accepted once they have gone. */
    private long goOn(Region source, long at, long bytes, long sent) {
        if (pieces == null) {
            pieces = new LongPieces(end.packets, end.peers, peer, lane, true);
        }
        gone += pieces.ended();
        long from = source.isNative() ? source.address() + at : 0;
        if (!pieces.isEmpty() && from != base) {
            gone += pieces.settle(); // the call has failed, and the rest comes from a copy
        }
        if (!end.peers.isUsable(peer)) {
            return Link.REFUSED;
        }
        base = from;
        while (posted < granted && (base != 0 ? !pieces.isFull() : pieces.isEmpty())) {
            begin(source, at, (int) Math.min(LONG_PIECE_BYTES, bytes - posted));
        }
        if (gone == bytes) {
            begun = 0;
            chunk = null;
        }
        return gone > sent ? gone - sent : Link.REFUSED;
    }

    private void begin(Region source, long at, int length) {
        if (base != 0) {
            pieces.begin(source, at + posted, length);
        } else {
            if (chunk == null) {
                chunk = NativeMemory.allocate(LONG_PIECE_BYTES);
            }
            source.read(at + posted, chunk, 0, length);
            pieces.begin(Region.of(chunk), 0, length);
        }
        posted += length;
    }

    /** The receiver waits for a message's bytes up to here; false if that number is impossible. */
    boolean grant(long bytes) {
        if (begun == 0 || bytes <= granted || bytes > total) {
            return false;
        }
        granted = bytes;
        return true;
    }

    private boolean noRoom(int length) {
        return unitsSent - unitsTaken + PacketDescriptor.units(length) > window;
    }

    /** Takes back the packets that have left. Call it after sending others, when no thread waits for it. */
    private void recycle() {
        if (!drained() && !pushed) {
            pushed = true;
            end.peers.pushes(this);
        }
    }

    /** The peer has taken so many units in all; false if that number is impossible. */
    boolean credit(int units) {
        if (units - unitsTaken < 0 || unitsSent - units < 0) {
            return false;
        }
        unitsTaken = units;
        return true;
    }

    /** Moves the packets under way; false once all have left, and the end need not push any longer. */
    boolean push() {
        pushed = !drained();
        return pushed;
    }

    /** Whether everything has left. */
    boolean drained() {
        return underWay.drained(end.packets);
    }
}
