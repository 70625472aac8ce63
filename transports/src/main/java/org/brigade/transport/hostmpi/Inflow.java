package org.brigade.transport.hostmpi;

import org.brigade.transport.hostmpi.library.HostMpiException;

/**
 * What comes to this rank under one tag, from any other: receives that wait in a row, started in the order in which
 * messages are to fill them. MPI keeps that order, so only the first need be looked at. A packet that has come is
 * replaced by one that is free or, as long as credit lets the senders go on, by a new one: when nothing more is there,
 * as whoever waits for this one need not wait for that.
 */
final class Inflow {
    /** Looks that others may have asked for in vain before one is made for them. */
    private static final int MOST_SKIPPED = 64;

    /** Who takes what comes; and says whether the packet may be filled again at once. */
    interface Receiver {
        boolean came(Packet packet, Inflow by);
    }

    private final int tag;
    private final int capacity;
    private final long communicator;
    private final Receiver receiver;
    private final Packet.Queue posted = new Packet.Queue();
    private final Packet.Queue free = new Packet.Queue();
    /** Receives that the row is short of. */
    private int missing;
    private final int mostMissing;
    private Object looking;
    private int skipped;

    Inflow(int tag, int packets, int capacity, long communicator, Receiver receiver) {
        this.tag = tag;
        this.capacity = capacity;
        this.communicator = communicator;
        this.receiver = receiver;
        mostMissing = packets / 2;
        for (int i = 0; i < packets; i++) {
            post(make());
        }
    }

    private Packet make() {
        Packet packet = new Packet(capacity);
        packet.prepareToReceive(tag, communicator);
        return packet;
    }

    private void post(Packet packet) {
        packet.receive();
        posted.add(packet);
    }

    /**
     * Takes in what has come. Whoever waits looks at many links in turn, of which each would have the whole library
     * look: it does so once a turn, for the one that asked first.
     *
     * @param asking the link
     */
    void look(Object asking) {
        if (looking == asking || looking == null || ++skipped > MOST_SKIPPED) {
            skipped = 0;
            looking = look() ? null : asking;
        }
    }

    /** What was waited for has been taken: whoever asks next waits for something else. */
    void taken() {
        looking = null;
    }

    /**
     * Takes in one packet at most: to find that there is no other would cost more than a microsecond, which whoever
     * waits for this one need not lose.
     */
    boolean look() {
        if (!posted.head().ended()) {
            replace();
            return false;
        }
        Packet packet = posted.remove();
        if (receiver.came(packet, this)) {
            free.add(packet);
        }
        if (++missing > mostMissing) {
            replace();
        }
        return true;
    }

    private void replace() {
        for (; missing > 0; missing--) {
            post(free.isEmpty() ? make() : free.remove());
        }
    }

    /** Takes a packet back that has been emptied. */
    void release(Packet packet) {
        free.add(packet);
    }

    /** Gives up waiting. What comes from now on, nobody takes. */
    void close() {
        while (!posted.isEmpty()) {
            Packet packet = posted.remove();
            try {
                packet.cancel();
                while (!packet.ended()) {
                    Thread.onSpinWait();
                }
                packet.free();
            } catch (HostMpiException ending) {
                return;
            }
        }
        while (!free.isEmpty()) {
            free.remove().free();
        }
    }
}
