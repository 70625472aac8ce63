package org.brigade.transport.sisci;

import java.util.ArrayList;
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
 *   word 1   slots that are free here
 *   word 2   the id for the group, given by the first leader
 *   word 3   1 if this rank has its segment, or needs none
 *   word 4   1 if it is connected to all others' segments, or need not be
 * </pre>
 *
 * <p>
 * An id consists of the first leader's node and a number that is free there, so no other job has the same id, wherever
 * it runs.
 */
final class SisciMulticasts implements Multicasts {
    private static final int NODE_SHIFT = 24;
    private static final int IDS = 0x8000_0000;
    private static final int ID_TRIES = 256;
    private static final long NAP_NANOS = 500_000;

    private final Adapter adapter;
    private final Connection[] connections;
    private final int groups;
    /** By slot. Written under the lock of this object. */
    private final MulticastGroup[] slots;
    private int tries;

    SisciMulticasts(Adapter adapter, Connection[] connections, int groups) {
        this.adapter = adapter;
        this.connections = connections;
        this.groups = groups;
        slots = new MulticastGroup[groups];
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
        long free = words.common(own < 0 ? -1 : free());
        int id = (int) words.common(own == 0 ? id() : -1);
        if (free == 0 || id == 0) {
            return null;
        }
        int slot = Long.numberOfTrailingZeros(free);
        MulticastGroup group = own < 0 ? null : make(id, slot, leaders.length);
        boolean made = agreed(own < 0 || group != null, words);
        if (agreed(made && (own < 0 || connect(group, leaders, members, own)), words)) {
            return own < 0 ? new Elsewhere() : group;
        }
        if (group != null) {
            group.end();
        }
        return null;
    }

    private static boolean agreed(boolean here, Words words) {
        return words.common(here ? 1 : 0) == 1;
    }

    private synchronized long free() {
        long free = 0;
        for (int slot = 0; slot < slots.length; slot++) {
            free |= slots[slot] == null ? 1L << slot : 0;
        }
        return free;
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

    private boolean connect(MulticastGroup group, int[] leaders, int[] members, int own) {
        Connection[] peers = new Connection[leaders.length];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = i == own ? null : connections[members[leaders[i]]];
            if (i != own && !peers[i].isOpen()) {
                return false;
            }
        }
        try {
            group.connect(peers);
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
                    forget(group);
                }
            }
        }
        return soon;
    }

    private synchronized void forget(MulticastGroup group) {
        slots[group.slot] = null;
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
