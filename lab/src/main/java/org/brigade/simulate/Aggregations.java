package org.brigade.simulate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Reductions in one of a machine's simulated networks: the messages of all masters with the same number become one flow
 * over the whole tree, up and down at once, as switches pass on partial sums while the rest arrives. The flow begins
 * when the last master has sent, as long as fewer than {@link #SLOTS} sums are outstanding. Each SEND ends when the
 * last byte has left, each RECV when the sum has arrived.
 */
final class Aggregations {
    /** Messages that may be outstanding. */
    private static final int SLOTS = 16;

    private final Ranks ranks;
    private final RoutingModel wiring;
    private final Messages messages;
    private final int rail;
    private final int[] masters;
    /** By rank: its index among the masters. */
    private final int[] place;

    // By master.
    private final int[] sent;
    private final int[] received;
    private final int[] sending;
    private final int[] receiving;

    /** Sums begun so far, and sums that have arrived. */
    private int begun;
    private int landed;
    private long bytes;
    /** By transfer: the lanes whose SENDs it ends. */
    private final Map<Integer, int[]> senders = new HashMap<>();
    private Route route;
    private long routeBytes = -1;

    Aggregations(Ranks ranks, RoutingModel wiring, Messages messages, int rail) {
        this.ranks = ranks;
        this.wiring = wiring;
        this.messages = messages;
        this.rail = rail;
        masters = ranks.masters(rail);
        place = new int[ranks.count()];
        for (int i = 0; i < masters.length; i++) {
            place[masters[i]] = i;
        }
        sent = new int[masters.length];
        received = new int[masters.length];
        sending = new int[masters.length];
        receiving = new int[masters.length];
        Arrays.fill(receiving, -1);
    }

    void send(int lane, int rank, long size, long now) {
        int master = place[rank];
        sent[master]++;
        sending[master] = lane;
        if (bytes != 0 && bytes != size) {
            throw new IllegalStateException("rank " + rank + " sends the network " + size + " bytes where others send "
                + bytes + ": the schedules do not match; brigade verify shows where");
        }
        bytes = size;
        begin(now);
    }

    private void begin(long now) {
        int slowest = Integer.MAX_VALUE;
        int behind = Integer.MAX_VALUE;
        for (int master = 0; master < masters.length; master++) {
            slowest = Math.min(slowest, sent[master]);
            behind = Math.min(behind, received[master]);
        }
        if (slowest == begun || begun - behind >= SLOTS) {
            return;
        }
        begun++;
        if (routeBytes != bytes) {
            route = wiring.aggregation(masters, rail, bytes);
            routeBytes = bytes;
            if (route == null) {
                throw new IllegalArgumentException(
                    "the network of this topology does not reduce; simulate in-network on reducing-fat-tree:HOSTS, for"
                        + " one");
            }
        }
        long size = bytes;
        bytes = 0;
        int[] lanes = sending.clone();
        int transfer = messages.flowThrough(rail, route, size);
        senders.put(transfer, lanes);
        messages.startFlow(transfer, now);
    }

    /** The last byte of a sum has left. */
    void left(int transfer) {
        for (int lane : senders.remove(transfer)) {
            ranks.completed(lane);
        }
    }

    void landed(int transfer, long now) {
        landed++;
        for (int master = 0; master < masters.length; master++) {
            if (receiving[master] >= 0) {
                hand(master);
            }
        }
        begin(now);
    }

    void receive(int lane, int rank) {
        int master = place[rank];
        receiving[master] = lane;
        if (received[master] < landed) {
            hand(master);
        }
    }

    private void hand(int master) {
        int lane = receiving[master];
        receiving[master] = -1;
        received[master]++;
        ranks.completed(lane);
    }
}
