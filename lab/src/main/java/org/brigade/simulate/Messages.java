package org.brigade.simulate;

import java.util.Arrays;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;
import org.brigade.simulate.flow.Clock;
import org.brigade.simulate.flow.EventQueue;
import org.brigade.simulate.flow.FlowNetwork;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Messages and local work under way, from the step that begins them to the step that ends them. The states of a
 * transfer: starting (the sender's start-up), ready (waits for its receiver), flowing (its bytes move, in a
 * {@link FlowNetwork}), landing (the last byte is on its way), arrived (before it is received).
 */
final class Messages {
    private static final int NONE = -1;
    private static final byte STARTING = 0;
    private static final byte READY = 1;
    private static final byte FLOWING = 2;
    private static final byte LANDING = 3;
    private static final byte ARRIVED = 4;

    private final RoutingModel wiring;
    /** The order whose paths messages take from a rank to the next; null if there is none. */
    private final Order followed;
    private final Ranks ranks;
    private final FlowNetwork network;
    private final EventQueue queue;
    private final long credit;
    private long count;
    /** Reductions by network; null until a message is sent to it. */
    private Aggregations[] aggregations = new Aggregations[1];

    // By transfer.
    private byte[] phases = new byte[64];
    private int[] senders = new int[64];
    private int[] receivers = new int[64];
    private int[] from = new int[64];
    private long[] bytes = new long[64];
    private Route[] routes = new Route[64];
    /** Whether it need not wait for its receiver. */
    private boolean[] ahead = new boolean[64];
    /** Whether it is reduced as it arrives. */
    private boolean[] reduced = new boolean[64];
    /** Links the free numbers, and the messages that a rank has not begun to receive. */
    private int[] next = new int[64];
    private int used;
    private int free = NONE;

    // By rank: the messages that it has not begun to receive, in the order of their SENDs.
    private final int[] firstUnmatched;
    private final int[] lastUnmatched;

    // By lane: the message that it waits for.
    private final int[] waitingFrom;
    private final long[] expected;
    private final boolean[] reducing;
    private final int[] receiveStep;

    // By step: its last route, and for which message; steps mostly have the same again.
    private final Route[] lastRoute;
    private final int[] lastPeer;
    private final long[] lastBytes;
    private final Route[] lastIncoming;

    Messages(RoutingModel wiring, Order followed, Ranks ranks, FlowNetwork network, EventQueue queue, long credit) {
        this.wiring = wiring;
        this.followed = followed;
        this.ranks = ranks;
        this.network = network;
        this.queue = queue;
        this.credit = credit;
        int lanes = ranks.count() * ranks.lanesEach();
        firstUnmatched = new int[ranks.count()];
        lastUnmatched = new int[ranks.count()];
        Arrays.fill(firstUnmatched, NONE);
        waitingFrom = new int[lanes];
        Arrays.fill(waitingFrom, NONE);
        expected = new long[lanes];
        reducing = new boolean[lanes];
        receiveStep = new int[lanes];
        lastRoute = new Route[ranks.steps()];
        lastPeer = new int[ranks.steps()];
        lastBytes = new long[ranks.steps()];
        lastIncoming = new Route[ranks.steps()];
        network.reserve(phases.length);
    }

    /** Messages sent so far. */
    long count() {
        return count;
    }

    // ---- steps ----

    void send(int lane, int rank, int peer, int step, long size, long now) {
        if (peer >= ranks.count()) {
            count++;
            aggregations(peer - ranks.count()).send(lane, rank, size, now);
            return;
        }
        Route route = lastRoute[step];
        if (route == null || lastPeer[step] != peer || lastBytes[step] != size) {
            TransferRoute way = followed == null ? null : followed.way(rank, peer);
            route = way == null ? wiring.route(rank, peer, size) : wiring.route(rank, peer, size, way);
            lastRoute[step] = route;
            lastPeer[step] = peer;
            lastBytes[step] = size;
        }
        count++;
        int message = take(lane, NONE, rank, size, route);
        int receiver = waiting(peer, rank);
        if (receiver == NONE) {
            ahead[message] = credit > 0 && unreceived(peer, rank) + size <= credit;
            append(message, peer);
        } else {
            match(message, receiver);
        }
        start(message, route.startup(), now);
    }

    void receive(int lane, int peer, int rank, int step, long size, boolean reduce, long now) {
        if (peer >= ranks.count()) {
            aggregations(peer - ranks.count()).receive(lane, rank);
            return;
        }
        expected[lane] = size;
        reducing[lane] = reduce;
        receiveStep[lane] = step;
        int message = remove(rank, peer);
        if (message == NONE) {
            waitingFrom[lane] = peer;
            return;
        }
        match(message, lane);
        if (phases[message] == READY) {
            flow(message, now);
        } else if (phases[message] == ARRIVED) {
            received(message, now);
        }
    }

    void local(int lane, int rank, int step, long size, boolean reduce, long now) {
        Route route = lastRoute[step];
        if (route == null || lastBytes[step] != size) {
            route = reduce ? wiring.reduction(rank, size) : wiring.copy(rank, size);
            lastRoute[step] = route;
            lastBytes[step] = size;
        }
        work(lane, rank, size, route, now);
    }

    /** Work that occupies one lane only. */
    private void work(int lane, int rank, long size, Route route, long now) {
        int transfer = take(NONE, lane, rank, size, route);
        reduced[transfer] = true;
        start(transfer, route.startup(), now);
    }

    // ---- the reducing network ----

    private Aggregations aggregations(int rail) {
        if (rail >= aggregations.length) {
            aggregations = Arrays.copyOf(aggregations, rail + 1);
        }
        if (aggregations[rail] == null) {
            aggregations[rail] = new Aggregations(ranks, wiring, this, rail);
        }
        return aggregations[rail];
    }

    /**
     * Begins a transfer of a network, without sending or receiving rank, and returns its number. Its
     * {@link Aggregations} is told when it has left and landed.
     */
    int flowThrough(int rail, Route route, long size) {
        int transfer = take(NONE, NONE, NONE - rail, size, route);
        ahead[transfer] = true;
        return transfer;
    }

    void startFlow(int transfer, long now) {
        start(transfer, routes[transfer].startup(), now);
    }

    private void forget(int transfer) {
        routes[transfer] = null;
        next[transfer] = free;
        free = transfer;
    }

    // ---- matching ----

    /** The lane of a rank that waits for a message from {@code sender}. */
    private int waiting(int rank, int sender) {
        int first = ranks.firstLane(rank);
        for (int lane = first; lane < first + ranks.lanesEach(); lane++) {
            if (waitingFrom[lane] == sender) {
                return lane;
            }
        }
        return NONE;
    }

    private void match(int message, int lane) {
        if (bytes[message] != expected[lane]) {
            throw new IllegalStateException("rank " + from[message] + " sends " + bytes[message] + " bytes where rank "
                + ranks.rank(lane) + " expects " + expected[lane]
                + ": their schedules do not match; brigade verify shows where");
        }
        receivers[message] = lane;
        waitingFrom[lane] = NONE;
    }

    private void append(int message, int rank) {
        next[message] = NONE;
        if (firstUnmatched[rank] == NONE) {
            firstUnmatched[rank] = message;
        } else {
            next[lastUnmatched[rank]] = message;
        }
        lastUnmatched[rank] = message;
    }

    /** Removes the first message from {@code sender} from a rank's list. */
    private int remove(int rank, int sender) {
        int before = NONE;
        for (int message = firstUnmatched[rank]; message != NONE; message = next[message]) {
            if (from[message] == sender) {
                if (before == NONE) {
                    firstUnmatched[rank] = next[message];
                } else {
                    next[before] = next[message];
                }
                if (lastUnmatched[rank] == message) {
                    lastUnmatched[rank] = before;
                }
                return message;
            }
            before = message;
        }
        return NONE;
    }

    /** Bytes that {@code sender} has sent and a rank has not begun to receive. */
    private long unreceived(int rank, int sender) {
        long sum = 0;
        for (int message = firstUnmatched[rank]; message != NONE; message = next[message]) {
            if (from[message] == sender) {
                sum += bytes[message];
            }
        }
        return sum;
    }

    // ---- a transfer's life ----

    private void start(int transfer, double startup, long now) {
        long ticks = Clock.of(startup);
        phases[transfer] = STARTING;
        if (ticks > 0) {
            queue.put(transfer, Clock.after(now, ticks));
        } else {
            ready(transfer, now);
        }
    }

    /** A transfer's event. */
    void happen(int transfer, long now) {
        switch (phases[transfer]) {
            case STARTING -> ready(transfer, now);
            case FLOWING -> {
                network.end(transfer, now);
                left(transfer, now);
            }
            default -> landed(transfer, now);
        }
    }

    private void ready(int transfer, long now) {
        phases[transfer] = READY;
        if (receivers[transfer] != NONE || ahead[transfer]) {
            flow(transfer, now);
        }
    }

    private void flow(int transfer, long now) {
        int receiver = receivers[transfer];
        if (receiver != NONE && !reduced[transfer] && reducing[receiver]) {
            routes[transfer] = reduction(routes[transfer], receiver, bytes[transfer]);
            reduced[transfer] = true;
        }
        phases[transfer] = FLOWING;
        if (bytes[transfer] == 0 || routes[transfer].instant()) {
            left(transfer, now);
        } else {
            network.begin(transfer, routes[transfer], bytes[transfer], now);
        }
    }

    /** The message's path and the reduction at its end. */
    private Route reduction(Route way, int receiver, long size) {
        int step = receiveStep[receiver];
        if (lastIncoming[step] != way || lastBytes[step] != size) {
            lastIncoming[step] = way;
            lastBytes[step] = size;
            lastRoute[step] = way.feeding(wiring.reduction(ranks.rank(receiver), size));
        }
        return lastRoute[step];
    }

    private void left(int transfer, long now) {
        if (from[transfer] <= NONE) {
            aggregations[NONE - from[transfer]].left(transfer);
        }
        if (senders[transfer] != NONE) {
            ranks.completed(senders[transfer]);
        }
        phases[transfer] = LANDING;
        long ticks = Clock.of(routes[transfer].latency());
        if (ticks > 0) {
            queue.put(transfer, Clock.after(now, ticks));
        } else {
            landed(transfer, now);
        }
    }

    private void landed(int transfer, long now) {
        if (from[transfer] <= NONE) {
            forget(transfer);
            aggregations[NONE - from[transfer]].landed(transfer, now);
            return;
        }
        if (receivers[transfer] == NONE) {
            phases[transfer] = ARRIVED;
        } else {
            received(transfer, now);
        }
    }

    private void received(int transfer, long now) {
        int lane = receivers[transfer];
        boolean late = !reduced[transfer] && reducing[lane];
        long size = bytes[transfer];
        forget(transfer);
        if (late && size > 0) {
            work(lane, ranks.rank(lane), size, wiring.reduction(ranks.rank(lane), size), now);
        } else {
            ranks.completed(lane);
        }
    }

    private int take(int sender, int receiver, int rank, long size, Route route) {
        int transfer = free;
        if (transfer == NONE) {
            transfer = used++;
            if (used > phases.length) {
                grow();
            }
        } else {
            free = next[transfer];
        }
        senders[transfer] = sender;
        receivers[transfer] = receiver;
        from[transfer] = rank;
        bytes[transfer] = size;
        routes[transfer] = route;
        ahead[transfer] = false;
        reduced[transfer] = false;
        return transfer;
    }

    private void grow() {
        int size = 2 * phases.length;
        phases = Arrays.copyOf(phases, size);
        senders = Arrays.copyOf(senders, size);
        receivers = Arrays.copyOf(receivers, size);
        from = Arrays.copyOf(from, size);
        bytes = Arrays.copyOf(bytes, size);
        routes = Arrays.copyOf(routes, size);
        ahead = Arrays.copyOf(ahead, size);
        reduced = Arrays.copyOf(reduced, size);
        next = Arrays.copyOf(next, size);
        network.reserve(size);
    }
}
