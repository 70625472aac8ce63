package org.brigade.transport.packet;

import static org.brigade.transport.packet.PacketDescriptor.HEAD_BYTES;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;

/** Memory for one message of a carrier, and the request for that message. */
final class Packet {
    /** The request's handle is at 0. */
    private static final int HEAD_AT = 32;
    static final int PIECE_AT = HEAD_AT + HEAD_BYTES;

    final NativeMemory memory;
    final int capacity;
    private final long message;
    /** The next packet in a queue. */
    Packet next;
    /** For a packet that has arrived: how many bytes of its piece have been taken. */
    int taken;
    /** Whether the packet has a request to receive, which can be started again, and under which tag. */
    private boolean receiver;
    private int tag;

    /** For pieces of up to so many bytes. */
    Packet(int capacity) {
        this.capacity = capacity;
        memory = NativeMemory.allocate(PIECE_AT + capacity);
        message = memory.address() + HEAD_AT;
    }

    // ---- the head ----

    void head(int rank, int what, long key, long total, int length, int number, int units) {
        memory.bytes.putInt(HEAD_AT + PacketDescriptor.RANK, rank);
        memory.bytes.putInt(HEAD_AT + PacketDescriptor.WHAT, what);
        memory.putLong(HEAD_AT + PacketDescriptor.KEY, key);
        memory.putLong(HEAD_AT + PacketDescriptor.TOTAL, total);
        memory.bytes.putShort(HEAD_AT + PacketDescriptor.LENGTH, (short) length);
        memory.bytes.putShort(HEAD_AT + PacketDescriptor.NUMBER, (short) number);
        memory.bytes.putInt(HEAD_AT + PacketDescriptor.TAKEN, units);
    }

    int rank() {
        return memory.bytes.getInt(HEAD_AT + PacketDescriptor.RANK);
    }

    int what() {
        return memory.bytes.getInt(HEAD_AT + PacketDescriptor.WHAT);
    }

    long key() {
        return memory.getLong(HEAD_AT + PacketDescriptor.KEY);
    }

    long total() {
        return memory.getLong(HEAD_AT + PacketDescriptor.TOTAL);
    }

    int length() {
        return memory.bytes.getShort(HEAD_AT + PacketDescriptor.LENGTH) & 0xffff;
    }

    int number() {
        return memory.bytes.getShort(HEAD_AT + PacketDescriptor.NUMBER) & 0xffff;
    }

    int units() {
        return memory.bytes.getInt(HEAD_AT + PacketDescriptor.TAKEN);
    }

    /** Copies head and piece of another packet, which must fit. */
    void copyOf(Packet other) {
        memory.bytes.put(HEAD_AT, other.memory.bytes, HEAD_AT, HEAD_BYTES + other.length());
        taken = 0;
    }

    // ---- the carrier's message ----

    void send(MessageCarrier carrier, int length, int peer, int to) {
        CopyEngine entered = DeviceTraffic.enter();
        try {
            carrier.send(message, HEAD_BYTES + length, peer, to, memory, 0);
        } finally {
            DeviceTraffic.leave(entered);
        }
    }

    void prepareToReceive(MessageCarrier carrier, int under) {
        receiver = true;
        tag = under;
        carrier.prepare(message, HEAD_BYTES + capacity, tag, memory, 0);
    }

    boolean isReceiver() {
        return receiver;
    }

    void receive(MessageCarrier carrier) {
        taken = 0;
        CopyEngine entered = DeviceTraffic.enter();
        try {
            carrier.start(message, HEAD_BYTES + capacity, tag, memory, 0);
        } finally {
            DeviceTraffic.leave(entered);
        }
    }

    boolean ended(MessageCarrier carrier) {
        CopyEngine entered = DeviceTraffic.enter();
        try {
            return carrier.test(memory, 0);
        } finally {
            DeviceTraffic.leave(entered);
        }
    }

    void cancel(MessageCarrier carrier) {
        carrier.cancel(memory, 0);
    }

    void free(MessageCarrier carrier) {
        carrier.free(memory, 0);
    }

    /** Packets in a row. */
    static final class Queue {
        private Packet first;
        private Packet last;

        boolean isEmpty() {
            return first == null;
        }

        /** The first packet; null if there is none. */
        Packet head() {
            return first;
        }

        void add(Packet packet) {
            packet.next = null;
            if (first == null) {
                first = packet;
            } else {
                last.next = packet;
            }
            last = packet;
        }

        /** Removes and returns the first packet. */
        Packet remove() {
            Packet packet = first;
            first = packet.next;
            packet.next = null;
            return packet;
        }

        /** Gives back the packets at the front that have left; returns whether none is left. */
        boolean drained(Packets free) {
            while (first != null && first.ended(free.carrier)) {
                free.give(remove());
            }
            return first == null;
        }
    }
}
