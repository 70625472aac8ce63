package org.brigade.transport.hostmpi;

import static org.brigade.transport.hostmpi.PacketDescriptor.FIRST;
import static org.brigade.transport.hostmpi.PacketDescriptor.NEXT;
import static org.brigade.transport.hostmpi.PacketDescriptor.PIECE_BYTES;

import org.brigade.memory.Region;
import org.brigade.transport.Link;

/**
 * The sending end of one lane. A message goes piece by piece: each is copied into a packet, for the caller's memory is
 * the caller's again when its bytes have been accepted, and handed to the host's MPI. What the receiver has not taken
 * is bounded by the window.
 */
final class LaneSender {
    private final HostMpiEnd end;
    private final LaneReceiver in;
    private final int peer;
    private final int lane;
    private final int window;
    /** On their way, in the order they left. */
    private final Packet.Queue underWay = new Packet.Queue();
    /** Whether the end knows that it has something under way. */
    private boolean pushed;
    private int unitsSent;
    private int unitsTaken;
    /** Bytes that have gone of the message that is under way; 0 if none is. */
    private long begun;

    /** @param in the receiving end of the lane, of which the peer is told with each packet what has been taken */
    LaneSender(HostMpiEnd end, int peer, int lane, int window, LaneReceiver in) {
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

    /** Gets the packets back that have left; once others are on their way, as nobody waits for that. */
    private void recycle() {
        if (!drained() && !pushed) {
            pushed = true;
            end.peers.pushes(this);
        }
    }

    /** The peer has taken so many units in all; false if that cannot be. */
    boolean credit(int units) {
        if (units - unitsTaken < 0 || unitsSent - units < 0) {
            return false;
        }
        unitsTaken = units;
        return true;
    }

    /** Moves on what is under way; false once all has left, and the end need push no longer. */
    boolean push() {
        pushed = !drained();
        return pushed;
    }

    /** Whether all has left. */
    boolean drained() {
        return underWay.drained(end.packets);
    }
}
