package org.brigade.transport.packet;

import static org.brigade.transport.packet.PacketDescriptor.FIRST;
import static org.brigade.transport.packet.PacketDescriptor.NEXT;
import static org.brigade.transport.packet.PacketDescriptor.PIECE_BYTES;

import org.brigade.memory.Region;
import org.brigade.transport.Link;

/**
 * The sending end of one lane. A message goes piece by piece. Each piece is copied into a packet, because the caller
 * may use its memory again when its bytes are accepted, and the packet goes to the carrier. The window limits what the
 * receiver has not taken.
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
    private int unitsTaken;
    /** Bytes of the message under way that have gone; 0 if none is. */
    private long begun;

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
        long position = sent;
        int length = (int) Math.min(PIECE_BYTES, bytes - position);
        if (noRoom(length)) {
            return Link.REFUSED;
        }
        do {
            Packet packet = end.packets.take(length);
            if (length > 0) {
                source.read(at + position, packet.memory, Packet.PIECE_AT, length);
            }
            unitsSent += PacketDescriptor.units(length);
            end.packets.post(packet, position == 0 ? FIRST : NEXT, kind, key, bytes, length, in.report(), peer, lane);
            underWay.add(packet);
            position += length;
            length = (int) Math.min(PIECE_BYTES, bytes - position);
        } while (position < bytes && !noRoom(length));
        begun = position < bytes ? position : 0;
        recycle();
        return position - sent;
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
