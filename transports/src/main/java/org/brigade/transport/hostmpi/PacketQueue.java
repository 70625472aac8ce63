package org.brigade.transport.hostmpi;

/** Packets in a row. */
final class PacketQueue {
    private Packet first;
    private Packet last;

    boolean isEmpty() {
        return first == null;
    }

    /** The first; null if there is none. */
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

    /** Takes the first out. */
    Packet remove() {
        Packet packet = first;
        first = packet.next;
        packet.next = null;
        return packet;
    }
}
