package org.brigade.transport.packet;

/**
 * What comes to this rank under one tag, from any other rank. Receives wait in a row, started in the order in which
 * messages fill them. Carriers keep that order, so only the first receive needs to be checked. A packet that has
 * arrived is replaced by a free one, or by a new one as long as credit lets the senders go on. The replacing is put off
 * until nothing more has arrived, because a thread may be waiting for this packet.
 */
final class Inflow {
    /** After so many looks that were skipped for a link's sake, the next look is made. */
    private static final int MOST_SKIPPED = 64;

    /** Takes the packets that arrive; returns whether a packet may be filled again at once. */
    interface Receiver {
        boolean came(Packet packet, Inflow by);
    }

    private final int tag;
    private final int capacity;
    private final MessageCarrier carrier;
    private final Receiver receiver;
    private final Packet.Queue posted = new Packet.Queue();
    private final Packet.Queue free = new Packet.Queue();
    /** Receives that the row lacks. */
    private int missing;
    private final int mostMissing;
    private Object looking;
    private int skipped;

    Inflow(int tag, int packets, int capacity, MessageCarrier carrier, Receiver receiver) {
        this.tag = tag;
        this.capacity = capacity;
        this.carrier = carrier;
        this.receiver = receiver;
        mostMissing = packets / 2;
        for (int i = 0; i < packets; i++) {
            post(make());
        }
    }

    private Packet make() {
        Packet packet = new Packet(capacity);
        packet.prepareToReceive(carrier, tag);
        return packet;
    }

    private void post(Packet packet) {
        packet.receive(carrier);
        posted.add(packet);
    }

    /**
     * Takes in what has arrived. A waiting thread looks at many links in turn, and each look would make the library
     * check everything. So the library checks once a turn, for the link that asked first.
     *
     * @param asking the link
     */
    void look(Object asking) {
        if (looking == asking || looking == null || ++skipped > MOST_SKIPPED) {
            skipped = 0;
            looking = look() ? null : asking;
        }
    }

    /** The awaited message has been taken: whichever link asks next waits for another one. */
    void taken() {
        looking = null;
    }

    /**
     * Takes in at most one packet. To find that there is no other would cost more than a microsecond, and the thread
     * that waits for this packet need not lose that.
     */
    boolean look() {
        if (!hasCome()) {
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

    private boolean hasCome() {
        try {
            return posted.head().ended(carrier);
        } catch (CarrierException e) {
            if (!carrier.receivesOn()) {
                throw e;
            }
            post(posted.remove());
            return false;
        }
    }

    private void replace() {
        for (; missing > 0; missing--) {
            post(free.isEmpty() ? make() : free.remove());
        }
    }

    /** Takes back an empty packet. */
    void release(Packet packet) {
        free.add(packet);
    }

    /** Stops receiving. No later message is taken. */
    void close() {
        while (!posted.isEmpty()) {
            Packet packet = posted.remove();
            try {
                packet.cancel(carrier);
                while (!packet.ended(carrier)) {
                    Thread.onSpinWait();
                }
                packet.free(carrier);
            } catch (CarrierException ending) {
                return;
            }
        }
        while (!free.isEmpty()) {
            free.remove().free(carrier);
        }
    }
}
