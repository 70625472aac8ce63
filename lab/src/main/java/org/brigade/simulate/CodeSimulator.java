package org.brigade.simulate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.brigade.schedule.code.CodeOperations;
import org.brigade.schedule.code.MemoryOperation;
import org.brigade.simulate.flow.Clock;
import org.brigade.simulate.flow.EventQueue;
import org.brigade.simulate.flow.FlowNetwork;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.MemoryModel;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Times straight-line code: every rank does its operations in its own order, all at the same time. Discrete events; the
 * same call on the same memory gives the same result, bit for bit.
 *
 * <p>
 * A word is published at once, and seen after the memory's latency. A rank that looks for words which are there already
 * does not wait for them one after another: processors read ahead. A message is stored by its sender, who does not wait
 * for its receiver, and seen after the latency; then the receiver copies or reduces it. Bytes that ranks move at the
 * same time share what the memory can move, if the machine says so.
 */
public final class CodeSimulator {
    private static final long NOT_YET = -1;

    /** What a rank does until its next event. */
    private enum State {
        WAITS, STARTS, MOVES
    }

    private final RoutingModel wiring;
    private final MemoryModel memory;
    private final CodeOperations call;
    private final int ranks;
    private final EventQueue queue = new EventQueue();
    private final FlowNetwork network;
    /** Null for none. */
    private final Trace trace;
    private final long[] finished;
    private final State[] states;
    /** By rank: when it began the operation that it does. */
    private final long[] begun;
    /** By rank: the next operation. */
    private final int[] next;
    private final Route[] routes;
    /** By rank: when it has published each of its words. */
    private final List<List<Long>> published = new ArrayList<>();
    /** By sender and receiver: when messages will be seen. */
    private final Queue<Long>[][] messages;
    /** By rank: whether others' operations can wake it. */
    private final boolean[] stopped;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private CodeSimulator(RoutingModel wiring, CodeOperations call, Trace trace) {
        this.wiring = wiring;
        this.call = call;
        this.trace = trace;
        ranks = call.ranks().size();
        memory = wiring.memory(ranks);
        network = new FlowNetwork(wiring, queue, trace);
        network.reserve(ranks);
        finished = new long[ranks];
        Arrays.fill(finished, NOT_YET);
        states = new State[ranks];
        begun = new long[ranks];
        next = new int[ranks];
        routes = new Route[ranks];
        stopped = new boolean[ranks];
        messages = new Queue[ranks][ranks];
        for (Queue<Long>[] row : messages) {
            Arrays.setAll(row, to -> new ArrayDeque<>());
        }
        for (int rank = 0; rank < ranks; rank++) {
            published.add(new ArrayList<>());
        }
    }

    /**
     * Runs a call.
     *
     * @param trace hears how resources are used; null for none
     * @throws IllegalArgumentException if nothing is known of the machine's memory, or it has too few places
     */
    public static Simulation run(RoutingModel wiring, CodeOperations call, Trace trace) {
        if (call.ranks().size() > wiring.ranks()) {
            throw new IllegalArgumentException(call + ": the machine has places for " + wiring.ranks()
                + " only; simulate fewer ranks or a larger machine");
        }
        if (wiring.memory(call.ranks().size()) == null) {
            throw new IllegalArgumentException(call.algorithm()
                + " works in memory that ranks share. These ranks are on"
                + " several nodes, or nothing was measured of their memory: name ideal:RANKS, or a machine file with"
                + " lines shared-memory, as host-2core (docs/machines.md)");
        }
        return new CodeSimulator(wiring, call, trace).run();
    }

    private Simulation run() {
        for (int rank = 0; rank < ranks; rank++) {
            wake(rank, Clock.of(memory.entry()));
        }
        long now = 0;
        while (!queue.isEmpty()) {
            now = queue.time();
            do {
                happen(queue.take(), now);
            } while (!queue.isEmpty() && queue.time() == now);
            network.settle(now);
        }
        for (int rank = 0; rank < ranks; rank++) {
            if (finished[rank] == NOT_YET) {
                throw new IllegalStateException(call + ": rank " + rank + " waits for ever: "
                    + call.ranks().get(rank).get(next[rank]));
            }
        }
        return new Simulation(wiring, finished, call.signals(), Arrays.copyOf(network.carried(), wiring.resources()),
            network.busy());
    }

    private void wake(int rank, long time) {
        states[rank] = State.WAITS;
        stopped[rank] = false;
        queue.put(rank, time);
    }

    private void happen(int rank, long now) {
        if (states[rank] == State.STARTS) {
            move(rank, now);
        } else {
            if (states[rank] == State.MOVES) {
                network.end(rank, now);
                done(rank, now);
            }
            advance(rank, now);
        }
    }

    /** Does what takes no time, and begins what does. */
    private void advance(int rank, long now) {
        List<MemoryOperation> operations = call.ranks().get(rank);
        while (next[rank] < operations.size()) {
            MemoryOperation operation = operations.get(next[rank]);
            switch (operation.kind()) {
                case PUBLISH -> {
                    published.get(rank).add(now);
                    wakeOthers(now);
                    next[rank]++;
                }
                case AWAIT -> {
                    List<Long> theirs = published.get(operation.peer());
                    if (!isSeen(rank, operation.number() < theirs.size() ? Clock.after(theirs.get(operation.number()),
                        latency(operation.peer(), rank, MemoryOperation.Kind.PUBLISH)) : NOT_YET, now)) {
                        return;
                    }
                    next[rank]++;
                }
                case RECEIVE, RECEIVE_REDUCE -> {
                    Long seen = messages[operation.peer()][rank].peek();
                    if (!isSeen(rank, seen == null ? NOT_YET : seen, now)) {
                        return;
                    }
                    messages[operation.peer()][rank].remove();
                    begin(rank, operation, now);
                    return;
                }
                default -> {
                    begin(rank, operation, now);
                    return;
                }
            }
        }
        finished[rank] = now;
    }

    private long latency(int from, int to, MemoryOperation.Kind stored) {
        return Clock.of(memory.latency(from, to, stored));
    }

    /** Whether a rank can go on; else it is woken at that time, or by others. */
    private boolean isSeen(int rank, long time, long now) {
        if (time == NOT_YET) {
            stopped[rank] = true;
            return false;
        }
        if (time > now) {
            wake(rank, time);
            return false;
        }
        return true;
    }

    private void wakeOthers(long now) {
        for (int other = 0; other < ranks; other++) {
            if (stopped[other]) {
                wake(other, now);
            }
        }
    }

    private void begin(int rank, MemoryOperation operation, long now) {
        begun[rank] = now;
        routes[rank] = memory.work(rank, operation, call.bytes());
        states[rank] = State.STARTS;
        queue.put(rank, Clock.after(now, Clock.of(routes[rank].startup())));
    }

    private void move(int rank, long now) {
        long bytes = call.ranks().get(rank).get(next[rank]).bytes();
        if (bytes == 0 || routes[rank].instant()) {
            done(rank, now);
            advance(rank, now);
        } else {
            states[rank] = State.MOVES;
            network.begin(rank, routes[rank], bytes, now);
        }
    }

    private void done(int rank, long now) {
        MemoryOperation operation = call.ranks().get(rank).get(next[rank]++);
        if (trace != null) {
            trace.worked(rank, operation, begun[rank], now);
        }
        if (operation.kind() == MemoryOperation.Kind.SEND) {
            messages[rank][operation.peer()].add(
                Clock.after(now, latency(rank, operation.peer(), operation.kind())));
            wakeOthers(now);
        }
    }
}
