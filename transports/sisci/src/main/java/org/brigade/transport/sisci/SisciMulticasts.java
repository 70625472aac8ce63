package org.brigade.transport.sisci;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Multicast;
import org.brigade.transport.OutboundLink;
import org.brigade.transport.Multicasts;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * The multicasts of a rank, by reflective memory. Adapters have few groups. A communicator asks for one when it first
 * wants to use it. If some node has none left, the communicator does without.
 *
 * <pre>
 *   first    the slot of each leader, -1 if it has none left; the id for the group, given by the first leader
 *   then     1 if this rank has its segment, or needs none
 *   then     1 if it is connected to all others' segments, or need not be
 * </pre>
 *
 * <p>
 * Each leader takes a slot of its own before it tells the others: other threads open multicasts for other communicators
 * meanwhile, on each rank in another order. An id consists of the first leader's node and a number that is free there,
 * so no other job has the same id, wherever it runs.
 */
final class SisciMulticasts implements Multicasts {
    private static final int NODE_SHIFT = 24;
    private static final int IDS = 0x8000_0000;
    private static final int ID_TRIES = 256;
    private static final int NONE = -1;
    private static final long NAP_NANOS = 500_000;

    private final Adapter adapter;
    private final Connection[] connections;
    private final int groups;
    /** By slot; null before the group is made. Written, as the next, under the lock of this object. */
    private final MulticastGroup[] slots;
    private final boolean[] taken;
    private int tries;

    SisciMulticasts(Adapter adapter, Connection[] connections, int groups) {
        this.adapter = adapter;
        this.connections = connections;
        this.groups = groups;
        slots = new MulticastGroup[groups];
        taken = new boolean[groups];
    }

    /** How many groups there may be at a time. */
    int groups() {
        return groups;
    }

    @Override
    public Multicast open(int[] leaders, int[] members, int rank, Words words) {
        int own = -1;
        for (int i = 0; i < leaders.length; i++) {
            own = leaders[i] == rank ? i : own;
        }
        int slot = own < 0 ? NONE : take();
        MulticastGroup group = null;
        Multicast opened = null;
        try {
            long[] told = new long[leaders.length + 1];
            Arrays.fill(told, -1);
            if (own >= 0) {
                told[own] = slot;
                told[leaders.length] = own == 0 ? id() : -1;
            }
            words.common(told);
            if (!haveSlots(told, leaders.length)) {
                return null;
            }
            group = own < 0 ? null : make((int) told[leaders.length], slot, leaders.length);
            if (agreed(own < 0 || group != null, words)
                && agreed(own < 0 || connect(group, leaders, members, own, told), words)) {
                opened = own < 0 ? new Elsewhere() : group;
            }
            return opened;
        } finally {
            if (opened == null && group != null) {
                group.end();
            } else if (opened == null && slot != NONE) {
                giveBack(slot);
            }
        }
    }

    private static boolean haveSlots(long[] told, int leaders) {
        for (int leader = 0; leader < leaders; leader++) {
            if (told[leader] == NONE) {
                return false;
            }
        }
        return true;
    }

    private static boolean agreed(boolean here, Words words) {
        long[] all = {here ? 1 : 0};
        words.common(all);
        return all[0] == 1;
    }

    private synchronized int take() {
        for (int slot = 0; slot < taken.length; slot++) {
            if (!taken[slot]) {
                taken[slot] = true;
                return slot;
            }
        }
        return NONE;
    }

    private synchronized void giveBack(int slot) {
        slots[slot] = null;
        taken[slot] = false;
    }

    /** An id that this process has not used lately. Other processes of this node begin with other ids. */
    private synchronized int id() {
        int process = (int) ProcessHandle.current().pid() << 8 & (1 << NODE_SHIFT) - 1;
        return IDS | (adapter.node >> 2 & 0x3f) << NODE_SHIFT | process ^ tries++ % ID_TRIES;
    }

    private MulticastGroup make(int id, int slot, int members) {
        try {
            MulticastGroup group = MulticastGroup.make(adapter, id, slot, members);
            synchronized (this) {
                slots[slot] = group;
            }
            return group;
        } catch (SisciException none) {
            return null; // then no rank gets one
        }
    }

    /** @param slotOf by leader, in the first words */
    private boolean connect(MulticastGroup group, int[] leaders, int[] members, int own, long[] slotOf) {
        Connection[] peers = new Connection[leaders.length];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = i == own ? null : connections[members[leaders[i]]];
            if (i != own && !peers[i].isOpen()) {
                return false;
            }
        }
        try {
            group.connect(peers, slotOf);
            return true;
        } catch (SisciException none) {
            return false;
        }
    }

    /** The multicast of a rank whose node has another leader. */
    private record Elsewhere() implements Multicast {
        @Override
        public OutboundLink toAll() {
            return null;
        }

        @Override
        public InboundLink from(int member) {
            throw new IllegalStateException("another rank of this node receives");
        }

        @Override
        public void abandon() {
        }

        @Override
        public void end() {
        }
    }

    // ---- by the tender ----

    private synchronized List<MulticastGroup> all() {
        List<MulticastGroup> all = new ArrayList<>(slots.length);
        for (MulticastGroup group : slots) {
            if (group != null) {
                all.add(group);
            }
        }
        return all;
    }

    /** Does what is due; returns whether more may be due soon. */
    boolean tend() {
        boolean soon = false;
        for (MulticastGroup group : all()) {
            boolean settled = group.settle();
            soon |= !settled;
            if (settled && group.ending()) {
                group.closeOut();
                if (group.remove(false)) {
                    giveBack(group.slot);
                }
            }
        }
        return soon;
    }

    // ---- end ----

    /**
     * Ends all groups, once everything sent has been consumed; by force if others do not release theirs in time. Call
     * it when the tender has ended.
     */
    void close(long deadline) {
        List<MulticastGroup> all = all();
        boolean settled = false;
        while (!settled && System.nanoTime() - deadline < 0) {
            settled = true;
            for (MulticastGroup group : all) {
                settled &= group.settle();
            }
            if (!settled) {
                Teardown.nap(NAP_NANOS);
            }
        }
        for (MulticastGroup group : all) {
            group.closeOut();
        }
        for (MulticastGroup group : all) {
            boolean gone = group.remove(false);
            while (!gone && System.nanoTime() - deadline < 0) {
                Teardown.nap(NAP_NANOS);
                gone = group.remove(false);
            }
            if (!gone) {
                group.remove(true);
            }
        }
    }
}
