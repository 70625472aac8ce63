package org.brigade.transport.hostmpi;

import static org.brigade.transport.hostmpi.PacketDescriptor.HEAD_BYTES;

import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.hostmpi.library.HostMpi;

/** Memory for one message of the host's MPI, and the request for that message. */
final class Packet {
    /** The request's handle is at 0. */
    private static final int HEAD_AT = 32;
    static final int PIECE_AT = HEAD_AT + HEAD_BYTES;

    final NativeMemory memory;
    final int capacity;
    private final long request;
    private final long message;
    /** The next packet in a queue. */
    Packet next;
    /** For a packet that has arrived: how many bytes of its piece have been taken. */
    int taken;
    /** Whether the packet has a request to receive, which can be started again. */
    private boolean receiver;

    /** For pieces of up to so many bytes. */
    Packet(int capacity) {
        this.capacity = capacity;
        memory = NativeMemory.allocate(PIECE_AT + capacity);
        request = memory.address();
        message = request + HEAD_AT;
    }

    // ---- the head ----

    void head(int rank, int what, long key, long total, int length, int units) {
        memory.bytes.putInt(HEAD_AT + PacketDescriptor.RANK, rank);
        memory.bytes.putInt(HEAD_AT + PacketDescriptor.WHAT, what);
        memory.putLong(HEAD_AT + PacketDescriptor.KEY, key);
        memory.putLong(HEAD_AT + PacketDescriptor.TOTAL, total);
        memory.bytes.putInt(HEAD_AT + PacketDescriptor.LENGTH, length);
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
        return memory.bytes.getInt(HEAD_AT + PacketDescriptor.LENGTH);
    }

    int units() {
        return memory.bytes.getInt(HEAD_AT + PacketDescriptor.TAKEN);
    }

    /** Copies head and piece of another packet, which must fit. */
    void copyOf(Packet other) {
        memory.bytes.put(HEAD_AT, other.memory.bytes, HEAD_AT, HEAD_BYTES + other.length());
        taken = 0;
    }

    // ---- the message of the host's MPI ----

    void send(int length, int peer, int tag, long communicator) {
        CopyEngine entered = DeviceTraffic.enter();
        try {
            HostMpi.send(message, HEAD_BYTES + length, peer, tag, communicator, request);
        } finally {
            DeviceTraffic.leave(entered);
        }
    }

    void prepareToReceive(int tag, long communicator) {
        receiver = true;
        HostMpi.receiver(message, HEAD_BYTES + capacity, tag, communicator, request);
    }

    boolean isReceiver() {
        return receiver;
    }

    void receive() {
        taken = 0;
        CopyEngine entered = DeviceTraffic.enter();
        try {
            HostMpi.start(request);
        } finally {
            DeviceTraffic.leave(entered);
        }
    }

    boolean ended() {
        CopyEngine entered = DeviceTraffic.enter();
        try {
            return HostMpi.test(request);
        } finally {
            DeviceTraffic.leave(entered);
        }
    }

    void cancel() {
        HostMpi.cancel(request);
    }

    void free() {
        HostMpi.free(request);
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
            while (first != null && first.ended()) {
                free.give(remove());
            }
            return first == null;
        }
    }
}
