package org.brigade.transport.packet;

import static org.brigade.transport.packet.PacketDescriptor.PIECE_BYTES;
import static org.brigade.transport.packet.PacketDescriptor.UNIT_BYTES;

import java.util.ArrayDeque;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.FabricEnd;

/**
 * An end's messages over a carrier: their memory, the receives that wait for them, and the tags that tell them apart.
 * Data and notices have a tag each and receives of their own, so that a rank which takes no data still gets notices.
 * Under {@link PacketEnd#lock}.
 */
final class Packets {
    private static final int DATA = 0;
    private static final int NOTICES = 1;
    private static final int DATA_PACKETS = 32;
    private static final int NOTICE_PACKETS = 8;

    private final int rank;
    private final int ranks;
    final MessageCarrier carrier;
    /** Whether all ranks are ends in this process, told apart by tags. */
    private final boolean together;
    private final Packet.Queue small = new Packet.Queue();
    private final Packet.Queue large = new Packet.Queue();
    /** Heads under way that belong to no lane: credits and signs of life. */
    private final Packet.Queue heads = new Packet.Queue();
    private final ArrayDeque<NativeMemory> chunks = new ArrayDeque<>();
    private final NativeMemory words = NativeMemory.allocate(2 * Long.BYTES);
    private final Region wordsRegion = Region.of(words);
    private final Inflow data;
    private final Inflow notices;

    Packets(int rank, int ranks, MessageCarrier carrier, boolean together, Inflow.Receiver receiver) {
        this.rank = rank;
        this.ranks = ranks;
        this.carrier = carrier;
        this.together = together;
        data = new Inflow(tag(rank, DATA), DATA_PACKETS, PIECE_BYTES, carrier, receiver);
        notices = new Inflow(tag(rank, NOTICES), NOTICE_PACKETS, UNIT_BYTES, carrier, receiver);
    }

    private int tag(int receiver, int sort) {
        return together ? 2 * receiver + sort : sort;
    }

    // ---- memory ----

    /** A packet to send or to keep a piece of so many bytes in. */
    Packet take(int length) {
        Packet.Queue free = length <= UNIT_BYTES ? small : large;
        return free.isEmpty() ? new Packet(length <= UNIT_BYTES ? UNIT_BYTES : PIECE_BYTES) : free.remove();
    }

    /** Takes back a packet of {@link #take}, or a received one that is empty. */
    void give(Packet packet) {
        if (packet.isReceiver()) {
            (packet.capacity == UNIT_BYTES ? notices : data).release(packet);
        } else {
            (packet.capacity == UNIT_BYTES ? small : large).add(packet);
        }
    }

    /** Memory for a long piece whose end is no native memory of a caller's. */
    NativeMemory takeChunk() {
        return chunks.isEmpty() ? NativeMemory.allocate(PacketDescriptor.LONG_PIECE_BYTES) : chunks.pop();
    }

    void giveChunk(NativeMemory chunk) {
        chunks.push(chunk);
    }

    // ---- sending ----

    /** Two words as bytes to send; valid until the next call. */
    Region words(long first, long second) {
        words.putLong(0, first);
        words.putLong(Long.BYTES, second);
        return wordsRegion;
    }

    /** Hands a packet to the carrier. @param number of a piece on its lane; else 0 */
    void post(Packet packet, int what, int kind, long key, long bytes, int length, int number, int units, int peer,
        int lane) {
        packet.head(rank, PacketDescriptor.what(what, lane, kind), key, bytes, length, number, units);
        packet.send(carrier, length, together ? 0 : peer, tag(peer, lane == FabricEnd.CONTROL ? NOTICES : DATA));
    }

    /** Sends a head alone. */
    void postHead(int what, long bytes, int units, int peer, int lane) {
        drained();
        Packet packet = take(0);
        post(packet, what, 0, 0, bytes, 0, 0, units, peer, lane);
        heads.add(packet);
    }

    /** Whether all heads have left. */
    boolean drained() {
        return heads.drained(this);
    }

    // ---- arrivals ----

    /** The inflow in which a lane's messages arrive. */
    Inflow inflow(int lane) {
        return lane == FabricEnd.CONTROL ? notices : data;
    }

    void close() {
        data.close();
        notices.close();
    }

    /** Begins to send or to receive a piece without a head. A send ends only after the receiver has begun. */
    void beginPiece(boolean out, long address, int length, int peer, int lane, NativeMemory request, int at) {
        if (out) {
            carrier.sendAwaited(address, length, together ? 0 : peer, pieceTag(true, peer, lane), request, at);
        } else {
            beginLong(false, address, length, peer, lane, request, at);
        }
    }

    /** As {@link #beginPiece}, but for a piece that the receiver has asked for. */
    void beginLong(boolean out, long address, int length, int peer, int lane, NativeMemory request, int at) {
        if (out) {
            carrier.send(address, length, together ? 0 : peer, pieceTag(true, peer, lane), request, at);
        } else {
            carrier.receive(address, length, together ? 0 : peer, pieceTag(false, peer, lane), request, at);
        }
    }

    /** Each pair and lane has its own tag for pieces without heads, because nothing else tells them apart. */
    private int pieceTag(boolean out, int peer, int lane) {
        int pair = out ? rank * ranks + peer : peer * ranks + rank;
        return 2 + (together ? 2 * ranks + pair * FabricEnd.LANES : 0) + lane;
    }
}
