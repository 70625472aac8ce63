package org.brigade.transport.sisci;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Multicast;
import org.brigade.transport.OutboundLink;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * A member's part of a multicast: its segment, into which all other members write, and its sender. The tender ends a
 * group in steps that never wait for other members.
 */
final class MulticastGroup implements Multicast {
    final int id;
    /** Where the others acknowledge what this rank sends. */
    final int slot;
    private final Adapter adapter;
    private final long device;
    private final long segment;
    private final long map;
    private final NativeMemory memory;
    private final int words;
    private MulticastSender sender;
    private MulticastReceiver[] receivers = {};
    private volatile boolean abandoned;
    private volatile boolean ending;
    private boolean withdrawn;
    private boolean unmapped;

    private MulticastGroup(Adapter adapter, int id, int slot, int members, long device, long segment, long map) {
        this.adapter = adapter;
        this.id = id;
        this.slot = slot;
        this.device = device;
        this.segment = segment;
        this.map = map;
        words = MulticastDescriptor.ringWords(members);
        memory = new NativeMemory(Sisci.buffer(Sisci.mapped(), members * words * 8));
    }

    /**
     * Makes this member's segment, fills it with zeros and makes it available to the others.
     *
     * @throws SisciException if the id is taken here, or there is no room
     */
    static MulticastGroup make(Adapter adapter, int id, int slot, int members) {
        long bytes = 8L * members * MulticastDescriptor.ringWords(members);
        long device = Sisci.open();
        long segment = 0;
        long map = 0;
        try {
            segment = Sisci.createSegment(device, id, bytes, Sisci.flag("SCI_FLAG_BROADCAST"));
            map = Sisci.mapLocal(segment, 0, bytes);
            MulticastGroup group = new MulticastGroup(adapter, id, slot, members, device, segment, map);
            for (int at = 0; at < bytes; at += 8) {
                group.memory.putLong(at, 0); // no adapter promises zeros
            }
            Sisci.prepareSegment(segment, adapter.number, 0);
            Sisci.setAvailable(segment, adapter.number);
            return group;
        } catch (SisciException e) {
            long madeMap = map;
            long made = segment;
            if (madeMap != 0) {
                Teardown.run(() -> Sisci.unmap(madeMap));
            }
            if (made != 0) {
                Teardown.run(() -> Sisci.removeSegment(made, 0));
            }
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    /**
     * Connects to the segments of all members.
     *
     * @param members the connections to them, by position; null stands for this rank
     * @param slots the number that each member has for the group, by position; there may be more words
     * @throws SisciException if that is not possible
     */
    void connect(Connection[] members, long[] slots) {
        MulticastReceiver[] all = new MulticastReceiver[members.length];
        Connection[] others = new Connection[members.length - 1];
        int own = 0;
        for (int member = 0, n = 0; member < members.length; member++) {
            if (members[member] == null) {
                own = member;
            } else {
                others[n++] = members[member];
                all[member] = new MulticastReceiver(id, (int) slots[member], members[member], memory,
                    member * words * 8, words);
            }
        }
        sender = MulticastSender.connect(adapter, id, slot, others, own, words);
        receivers = all;
    }

    @Override
    public OutboundLink toAll() {
        return sender;
    }

    @Override
    public InboundLink from(int member) {
        return receivers[member];
    }

    @Override
    public void abandon() {
        abandoned = true;
    }

    @Override
    public void end() {
        ending = true;
    }

    boolean ending() {
        return ending;
    }

    // ---- by the tender ----

    /** Acknowledges what was received, and stores again what got lost; returns whether nothing is left to do. */
    boolean settle() {
        for (MulticastReceiver receiver : receivers) {
            if (receiver != null) {
                while (abandoned && receiver.poll() && receiver.tryDiscard(Long.MAX_VALUE) > 0) {
                    // discard the next message
                }
                receiver.acknowledge();
            }
        }
        return sender == null || sender.settled();
    }

    /** Releases what belongs to the others. */
    void closeOut() {
        if (sender != null) {
            sender.close();
        }
        if (!withdrawn) {
            withdrawn = true;
            Teardown.run(() -> Sisci.setUnavailable(segment, adapter.number));
        }
    }

    /** Frees the segment if the others have released it, or by force. */
    boolean remove(boolean force) {
        if (!unmapped) {
            unmapped = true;
            Teardown.run(() -> Sisci.unmap(map));
        }
        return Teardown.run(() -> Sisci.removeSegment(segment, force ? Sisci.flag("SCI_FLAG_FORCE_REMOVE") : 0))
            && Teardown.run(() -> Sisci.close(device));
    }
}
