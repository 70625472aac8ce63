package org.brigade.transport.hostmpi;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.StagedCombine;

/** The receiving end of one lane: packets that have come, and the message at their head. */
final class LaneReceiver {
    private static final int REPORTS_A_WINDOW = 4;

    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    private final int reportAt;
    private final PacketQueue arrived = new PacketQueue();
    private StagedCombine staged;

    /** Units taken in all, and of those what the sender has been told. */
    private int unitsTaken;
    private int unitsReported;

    // What is to come: bytes of the message that is arriving which are not here.
    private long expected;

    // The message at the head.
    private boolean present;
    private int kind;
    private long key;
    private long bytes;
    private long taken;

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

    boolean poll() {
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

    int kind() {
        return kind;
    }

    long key() {
        return key;
    }

    long bytes() {
        return bytes;
    }

    long remaining() {
        return bytes - taken;
    }

    long word(int index) {
        return arrived.head().memory.getLong(Packet.PIECE_AT + (index << 3));
    }

    /** Whether bytes of the message at the head are here. */
    boolean isFed() {
        return !arrived.isEmpty();
    }

    long tryRecv(Region target, long at) {
        int stretch = stretch();
        if (stretch > 0) {
            Packet packet = arrived.head();
            target.write(at, packet.memory, Packet.PIECE_AT + packet.taken, stretch);
        }
        return take(stretch);
    }

    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        int stretch = stretch();
        if (stretch > 0) {
            Packet packet = arrived.head();
            int at = Packet.PIECE_AT + packet.taken;
            if (StagedCombine.isNeeded(operand, target)) {
                if (staged == null) {
                    staged = new StagedCombine();
                }
                staged.combine(combiner, packet.memory, at, stretch, operand, operandAt, target, targetAt);
            } else {
                combiner.combine(packet.memory, at, stretch, operand, operandAt, target, targetAt);
            }
        }
        return take(stretch);
    }

    /** Forgets multiples of 16 bytes, but for the last of a message: what follows must lie as elements need it. */
    long tryDiscard(long limit) {
        long discarded = 0;
        while (present) {
            int stretch = stretch();
            long left = limit - discarded;
            if (stretch > left) {
                stretch = (int) left & -16;
            }
            if (stretch == 0 && bytes > 0) {
                break;
            }
            discarded += take(stretch);
        }
        return discarded;
    }

    private int stretch() {
        Packet packet = arrived.head();
        return packet == null ? 0 : packet.length() - packet.taken;
    }

    private long take(int stretch) {
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
