package org.brigade.transport.packet;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.ReceivingEnd;

/**
 * The receiving end of one lane: packets that have arrived, and the message at their head. Bytes are copied out of them
 * without the lock.
 */
final class LaneReceiver extends ReceivingEnd {
    private static final int REPORTS_A_WINDOW = 4;

    private final PacketEnd end;
    private final int peer;
    private final int lane;
    private final int reportAt;
    private final Packet.Queue arrived = new Packet.Queue();

    /** Units taken in all, and how many of them have been reported to the sender. */
    private int unitsTaken;
    private int unitsReported;

    // Bytes of the arriving message that are not here yet.
    private long expected;

    LaneReceiver(PacketEnd end, int peer, int lane, int window) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.reportAt = Math.max(1, window / PacketDescriptor.UNIT_BYTES / REPORTS_A_WINDOW);
    }

    // ---- arrivals ----

    /**
     * A packet with a piece of a message has arrived.
     *
     * @return whether its memory is free at once: a short piece that has to wait moves to a smaller packet
     * @throws IllegalStateException if the piece cannot follow what came before, saying why
     */
    boolean came(Packet packet, boolean first) {
        int length = packet.length();
        long total = packet.total();
        if (first != (expected == 0) || total < 0
            || length != Math.min(PacketDescriptor.PIECE_BYTES, first ? total : expected)) {
            throw new IllegalStateException("has sent a piece of " + length + " of " + total + " bytes where "
                + expected + " more were expected, on lane " + lane);
        }
        expected = (first ? total : expected) - length;
        if (!arrived.isEmpty() && length <= PacketDescriptor.UNIT_BYTES) {
            Packet small = end.packets.take(length);
            small.copyOf(packet);
            arrived.add(small);
            return true;
        }
        arrived.add(packet);
        return false;
    }

    // ---- the message at the head ----

    @Override
    public boolean poll() {
        if (!present) {
            synchronized (end.lock) {
                Packet packet = head();
                if (packet == null) {
                    return false;
                }
                kind = packet.what() >>> 8 & 0xff;
                key = packet.key();
                bytes = packet.total();
                taken = 0;
                present = true;
            }
        }
        return true;
    }

    /** The first packet with bytes of the message at the head; looks for one if there is none. */
    private Packet head() {
        if (arrived.isEmpty()) {
            end.look(this, lane);
        }
        return arrived.head();
    }

    @Override
    protected int stretch() {
        synchronized (end.lock) {
            Packet packet = head();
            return packet == null ? 0 : packet.length() - packet.taken;
        }
    }

    @Override
    protected NativeMemory memory() {
        return arrived.head().memory;
    }

    @Override
    protected int position() {
        return Packet.PIECE_AT + arrived.head().taken;
    }

    @Override
    protected long take(int stretch) {
        synchronized (end.lock) {
            Packet packet = arrived.head();
            if (packet == null) {
                return 0;
            }
            taken += stretch;
            packet.taken += stretch;
            if (packet.taken == packet.length()) {
                present = taken < bytes;
                arrived.remove();
                unitsTaken += PacketDescriptor.units(packet.taken);
                end.packets.give(packet);
                if (!present) {
                    end.packets.inflow(lane).taken();
                }
                if (unitsTaken - unitsReported >= reportAt) {
                    end.send(peer, PacketDescriptor.CREDIT, lane);
                }
            }
            return stretch;
        }
    }

    /** Units to report to the sender now. */
    int report() {
        unitsReported = unitsTaken;
        return unitsTaken;
    }
}
