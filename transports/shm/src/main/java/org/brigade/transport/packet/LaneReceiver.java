package org.brigade.transport.packet;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.ReceivingEnd;

/**
 * The receiving end of one lane: packets that have arrived, and the message at their head. Bytes are copied out of them
 * without the lock.
 */
final class LaneReceiver extends ReceivingEnd {
    private static final int REPORTS_A_WINDOW = 4;
    private static final int MOST = 1 << 30;

    private final PacketEnd end;
    private final int peer;
    private final int lane;
    private final int reportAt;
    private final Packet.Queue arrived = new Packet.Queue();

    /** Pieces that have come, in all. */
    private int piecesCome;
    /** Units taken in all, and how many of them have been reported to the sender. */
    private int unitsTaken;
    private int unitsReported;

    // Bytes of the arriving message that are not here yet.
    private long expected;
    /** Whether the message at the head goes on in long pieces. */
    private boolean isLong;
    private LongArrival pieces;

    LaneReceiver(PacketEnd end, int peer, int lane, int window) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        this.reportAt = Math.max(1, window / PacketDescriptor.UNIT_BYTES / REPORTS_A_WINDOW);
    }

    // ---- arrivals ----

    /**
     * Whether a piece is the next one. If not, its sender has died in the middle of one before it, and nothing of that
     * came: what comes now must not be taken for it.
     */
    boolean isNext(Packet packet) {
        return packet.number() == (piecesCome & 0xffff);
    }

    /**
     * A packet with a piece of a message has arrived.
     *
     * @param what FIRST, NEXT or LONG
     * @return whether its memory is free at once: a short piece that has to wait moves to a smaller packet
     * @throws IllegalStateException if the piece cannot follow what came before, saying why
     */
    boolean came(Packet packet, int what) {
        int length = packet.length();
        long total = packet.total();
        boolean first = what != PacketDescriptor.NEXT;
        long rest = !first ? expected : what == PacketDescriptor.LONG ? PacketDescriptor.PACKED_BYTES : total;
        if (first != (expected == 0) || total < rest || length != Math.min(PacketDescriptor.PIECE_BYTES, rest)) {
            throw new IllegalStateException("has sent a piece of " + length + " of " + total + " bytes where "
                + expected + " more were expected, on lane " + lane);
        }
        expected = rest - length;
        piecesCome++;
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
                isLong = packet.what() >>> 24 == PacketDescriptor.LONG;
                if (isLong) {
                    if (pieces == null) {
                        pieces = new LongArrival(end.packets,
                            new LongPieces(end.packets, end.peers, peer, lane, false));
                    }
                    pieces.begin(bytes);
                }
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
    public boolean isTaken() {
        return super.isTaken() || isLong && pieces.isBegun();
    }

    @Override
    public long tryRecv(Region target, long at) {
        if (!isLong) {
            return super.tryRecv(target, at);
        }
        synchronized (end.lock) {
            try {
                boolean straight = pieces.ask(target, at - taken);
                grant();
                if (straight && isPiece()) {
                    return take((int) Math.min(pieces.comeStraight(taken), MOST));
                }
            } catch (CarrierException e) {
                end.peers.failed(peer, e);
                return 0;
            }
        }
        return super.tryRecv(target, at);
    }

    @Override
    public void abandon() {
        if (isLong) {
            synchronized (end.lock) {
                pieces.abandon();
            }
        }
    }

    @Override
    public long tryDiscard(long limit) {
        abandon();
        return super.tryDiscard(limit);
    }

    private void grant() {
        long bytes = pieces.grant();
        if (bytes > 0) {
            end.send(peer, PacketDescriptor.GRANT, bytes, lane);
        }
    }

    /** Whether the next byte to be taken is one of a long piece. */
    private boolean isPiece() {
        return isLong && taken >= PacketDescriptor.PACKED_BYTES;
    }

    @Override
    protected int stretch() {
        synchronized (end.lock) {
            if (isLong && !pieces.isStraight()) {
                try {
                    pieces.ask(taken);
                    grant();
                } catch (CarrierException e) {
                    end.peers.failed(peer, e);
                    return 0;
                }
            }
            if (isPiece()) {
                return pieces.stretch(taken);
            }
            Packet packet = head();
            return packet == null ? 0 : packet.length() - packet.taken;
        }
    }

    @Override
    protected NativeMemory memory() {
        return isPiece() ? pieces.memory(taken) : arrived.head().memory;
    }

    @Override
    protected int position() {
        return isPiece() ? LongArrival.position(taken) : Packet.PIECE_AT + arrived.head().taken;
    }

    @Override
    protected long take(int stretch) {
        synchronized (end.lock) {
            if (isPiece()) {
                taken += stretch;
                if (taken == bytes) {
                    pieces.end();
                    ended();
                }
                return stretch;
            }
            Packet packet = arrived.head();
            if (packet == null) {
                return 0;
            }
            taken += stretch;
            packet.taken += stretch;
            if (packet.taken == packet.length()) {
                arrived.remove();
                unitsTaken += PacketDescriptor.units(packet.taken);
                end.packets.give(packet);
                if (taken == bytes) {
                    ended();
                }
                if (unitsTaken - unitsReported >= reportAt) {
                    end.send(peer, PacketDescriptor.CREDIT, lane);
                }
            }
            return stretch;
        }
    }

    private void ended() {
        present = false;
        isLong = false;
        end.packets.inflow(lane).taken();
    }

    /** Units to report to the sender now. */
    int report() {
        unitsReported = unitsTaken;
        return unitsTaken;
    }
}
