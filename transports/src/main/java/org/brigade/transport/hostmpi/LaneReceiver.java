package org.brigade.transport.hostmpi;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.ReceivingEnd;

/** The receiving end of one lane: packets that have come, and the message at their head. */
final class LaneReceiver extends ReceivingEnd {
    private static final int REPORTS_A_WINDOW = 4;

    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final int reportAt;
    private final PacketQueue arrived = new PacketQueue();

    /** Units taken in all, and of those what the sender has been told. */
    private int unitsTaken;
    private int unitsReported;

    // What is to come: bytes of the message that is arriving which are not here.
    private long expected;

    LaneReceiver(HostMpiEnd end, int peer, int lane, int window) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.reportAt = Math.max(1, window / PacketDescriptor.UNIT_BYTES / REPORTS_A_WINDOW);
    }

    // ---- arrivals ----

    /**
     * A packet with a piece of a message has come.
     *
     * @return whether its memory is free at once: what is short and has to wait is kept in less of it
     * @throws IllegalStateException if it cannot follow what came before, saying why
     */
    boolean came(Packet packet, boolean first) {
        int length = packet.length();
        long total = packet.total();
        if (first != (expected == 0) || total < 0
            || length != Math.min(PacketDescriptor.PIECE_BYTES, first ? total : expected)) {
            throw new IllegalStateException("has sent a piece of " + length + " of " + total + " bytes where "
                + expected + " more were to come, on lane " + lane);
        }
        expected = (first ? total : expected) - length;
        if (!arrived.isEmpty() && length <= PacketDescriptor.UNIT_BYTES) {
            Packet small = end.packet(length);
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
        if (present) {
            return true;
        }
        Packet packet = arrived.head();
        if (packet == null) {
            return false;
        }
        kind = packet.what() >>> 8 & 0xff;
        key = packet.key();
        bytes = packet.total();
        taken = 0;
        present = true;
        return true;
    }

    /** Whether bytes of the message at the head are here. */
    boolean isFed() {
        return !arrived.isEmpty();
    }

    @Override
    protected int stretch() {
        Packet packet = arrived.head();
        return packet == null ? 0 : packet.length() - packet.taken;
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
            end.release(packet, lane);
            if (!present) {
                end.taken(lane);
            }
            if (unitsTaken - unitsReported >= reportAt) {
                end.sendCredit(peer, lane);
            }
        }
        return stretch;
    }

    /** What the sender is told now. */
    int report() {
        unitsReported = unitsTaken;
        return unitsTaken;
    }
}
