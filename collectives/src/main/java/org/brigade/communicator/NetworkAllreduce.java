package org.brigade.communicator;

import java.util.ArrayDeque;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationType;
import org.brigade.algorithm.WireUse;
import org.brigade.engine.Cursor;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import mpi.spi.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;

/**
 * A communicator's allreduces by a network that reduces between its nodes, as long as there is one. They have it one after another, in the order in which they were called, which is the same on all ranks: so all that
 * were called before a loss was agreed on are done again by the ordinary schedules, and those behind do without, and no rank decides by when it heard. Under the progress lock.
 */
final class NetworkAllreduce {
    /** What ranks tell each other behind a call. */
    static final TypeLayout WORD = AggregationType.INT32.layout;

    /** Longer vectors, whose input in place could not be kept in one piece, go by the ordinary schedules. */
    private static final long MOST_BYTES = 1 << 30;
    private static final Reduction MAX = Reduction.predefined(Reduction.Operator.MAX);

    private final Progress progress;
    private final Agreement agreement;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final CallSequence sequence;
    /** What would be chosen with the network. */
    private final CallShapes shapes;
    private final CallChoices ordinary;
    private final int rank;
    private final int ranks;
    /** Calls under way: the first has the network. */
    private final ArrayDeque<NetworkCall> calls = new ArrayDeque<>();
    /** Null from the first blocking call on that finds it lost: all ranks are in that call, so they decide alike. */
    private NetworkReduction network;
    /** Whether calls that have ended have agreed that it is. */
    private boolean lost;
    private boolean freed;

    NetworkAllreduce(NetworkReduction network, Selector selector, Progress progress, Party party, Agreement agreement, CursorPool cursors, CombinerCache combiners, CallSequence sequence, CallChoices ordinary) {
        this.network = network;
        this.progress = progress;
        this.agreement = agreement;
        this.cursors = cursors;
        this.combiners = combiners;
        this.sequence = sequence;
        this.ordinary = ordinary;
        rank = party.rank;
        ranks = party.members.length;
        shapes = new CallShapes(selector, Wires.ofNodes(null, network.nodeOf()).reducing(network.nodeOf()), rank, ranks, sequence.name());
    }

    int rank() {
        return rank;
    }

    int ranks() {
        return ranks;
    }

    CombinerCache.Pair wordPair() {
        return combiners.of(WORD, MAX);
    }

    /**
     * Begins an allreduce, if selection wants the network for it and that reduces such a vector; null if not. To open the network takes a blocking call, as its ranks have to speak to each other: nonblocking ones before that do
     * without it.
     */
    NetworkCall begin(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        long bytes = (long) count * type.extent;
        if (network == null || bytes == 0 || bytes > MOST_BYTES) {
            return null;
        }
        Ladder ladder = shapes.ladder(Collective.ALLREDUCE, op.commutative);
        int step = ladder.step(bytes);
        Choice choice = ladder.choice(step);
        if (choice.algorithm() == null || choice.algorithm().wireUse() != WireUse.NETWORK || !isReady(blocking)) {
            return null;
        }
        AggregationType element = AggregationType.of(type);
        if (!network.serves(element, op.operator)) {
            return null;
        }
        long key = sequence.begin(Collective.ALLREDUCE, 0, bytes, type, op);
        NetworkCall.Ordinary word = ordinary(WORD.extent, true);
        NetworkCall.Ordinary again = ordinary(bytes, op.commutative);
        NetworkCall call = new NetworkCall(this, progress, cursors, shapes.plan(Collective.ALLREDUCE, op.commutative, step, choice, 0, false), key, word, again, send, sendOffset, recv, recvOffset,
            count, type, element, op);
        Diagnostics.ran(choice.algorithm());
        calls.add(call);
        if (calls.size() == 1) {
            next();
        }
        if (!blocking) {
            progress.poll();
        }
        return call;
    }

    private boolean isReady(boolean blocking) {
        if (blocking) {
            while (!calls.isEmpty()) {
                calls.peekLast().settle();
            }
            if (lost || !network.isOpen() && !network.open(agreement, sequence.take(), sequence.take())) {
                network = null;
            }
        }
        return network != null && network.isOpen();
    }

    /** An ordinary allreduce's plan, by what all ranks know now, and a key for it. */
    private NetworkCall.Ordinary ordinary(long bytes, boolean commutes) {
        long key = sequence.take();
        Choice choice = ordinary.choose(Collective.ALLREDUCE, bytes, commutes, false);
        return new NetworkCall.Ordinary(ordinary.plan(Collective.ALLREDUCE, commutes, choice, 0, false), key);
    }

    /** Lets the first call have the network; if that is lost, they all go by the ordinary schedules, at once. */
    private void next() {
        while (lost && !calls.isEmpty()) {
            NetworkCall call = calls.remove();
            call.reduceAgain(combiners.of(call.type(), call.op()));
        }
        if (!calls.isEmpty()) {
            NetworkCall call = calls.peek();
            call.reduce(network, combiners.of(call.type(), call.op()));
        } else if (freed) {
            network.close();
        }
    }

    /** A call's schedule has ended: why its sums are none; null if they have come, or this rank hears of them through another. */
    AggregationException reduced(Cursor cursor) {
        cursor.network(null);
        AggregationLink link = network.link();
        if (link == null) {
            return null;
        }
        link.end();
        return link.failure();
    }

    /**
     * A call is done with the network.
     *
     * @param isLost all ranks have agreed that it is; or the call failed, and will on all
     * @param tell   what this rank has to say for all; else null
     */
    void passed(NetworkCall call, boolean isLost, AggregationException tell) {
        if (tell != null) {
            network.tell(tell.getMessage());
        }
        if (isLost && !lost) {
            lost = true;
            network.close();
        }
        calls.remove();
        if (!call.isDone()) {
            call.reduceAgain(combiners.of(call.type(), call.op()));
        }
        next();
    }

    /** The communicator is freed; calls under way go on. */
    void free() {
        freed = true;
        if (calls.isEmpty() && network != null) {
            network.close();
        }
    }
}
