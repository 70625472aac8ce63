package org.brigade.communicator.network;

import java.util.ArrayDeque;
import mpi.spi.Call;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationType;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.execution.CallChoices;
import org.brigade.communicator.execution.Executor;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/**
 * Runs a communicator's allreduces by a network that reduces between its nodes, as long as there is one. They have it
 * one after another, in the order in which they were called, which is the same on all ranks: so all that were called
 * before a loss was agreed on are done again by the ordinary schedules, and those behind do without, and no rank
 * decides by when it heard. Under the progress lock.
 */
public final class NetworkExecutor implements Executor {
    /** What ranks tell each other behind a call. */
    static final TypeLayout WORD = AggregationType.INT32.layout;

    /** Longer vectors, whose input in place could not be kept in one piece, go by the ordinary schedules. */
    private static final long MOST_BYTES = 1 << 30;
    static final Reduction MAX = Reduction.predefined(Reduction.Operator.MAX);

    private final Progress progress;
    private final Agreement agreement;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final CallSequence sequence;
    private final CallChoices choices;
    /** Calls under way: the first has the network. */
    private final ArrayDeque<NetworkCall> calls = new ArrayDeque<>();
    /** Null from the first blocking call on that finds it lost: all ranks are in that call, so they decide alike. */
    private NetworkReduction network;
    /** Whether calls that have ended have agreed that it is. */
    private boolean lost;
    private boolean freed;

    public NetworkExecutor(NetworkReduction network, Progress progress, Agreement agreement, CursorPool cursors,
        CombinerCache combiners,
        CallSequence sequence, CallChoices choices) {
        this.network = network;
        this.progress = progress;
        this.agreement = agreement;
        this.cursors = cursors;
        this.combiners = combiners;
        this.sequence = sequence;
        this.choices = choices;
    }

    CombinerCache.Pair wordPair() {
        return combiners.of(WORD, MAX);
    }

    /**
     * To open the network takes a blocking call, as its ranks have to speak to each other: nonblocking ones before that
     * do without it.
     */
    @Override
    public Service serves(Call call, Choice choice) {
        long bytes = call.bytes();
        if (network == null || bytes == 0 || bytes > MOST_BYTES || !call.blocking && !network.isOpen()) {
            return Service.NO;
        }
        if (call.blocking) {
            return Service.ASK; // whether it has been lost is decided where all ranks are in one call
        }
        return network.serves(AggregationType.of(call.type), call.op.operator) ? Service.YES : Service.NO;
    }

    /** Waits for the calls before; opens the network if that has to be done; gives it up for good if it is lost. */
    @Override
    public boolean agree(Call call, Choice choice) {
        while (!calls.isEmpty()) {
            calls.peekLast().settle();
        }
        if (lost || !network.isOpen() && !network.open(agreement, sequence.take(), sequence.take())) {
            network = null;
            choices.forgetNetwork();
            return false;
        }
        return network.serves(AggregationType.of(call.type), call.op.operator);
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        Plan plan = choices.plan(call, choice);
        NetworkCall begun = new NetworkCall(this, progress, cursors, plan, key, call);
        begun.prepare(ordinary(begun.word), ordinary(begun.vector));
        calls.add(begun);
        if (calls.size() == 1) {
            next();
        }
        if (call.blocking) {
            begun.finish();
            return null;
        }
        progress.poll();
        return begun;
    }

    /** An ordinary allreduce's plan, by what all ranks know now, and a key for it. */
    private NetworkCall.Ordinary ordinary(Call call) {
        long key = sequence.take();
        return new NetworkCall.Ordinary(choices.planOrdinary(call), key);
    }

    /** Lets the first call have the network; if that is lost, they all go by the ordinary schedules, at once. */
    private void next() {
        while (lost && !calls.isEmpty()) {
            NetworkCall call = calls.remove();
            call.reduceAgain(combiners.of(call.vector.type, call.vector.op));
        }
        if (!calls.isEmpty()) {
            NetworkCall call = calls.peek();
            call.reduce(network, combiners.of(call.vector.type, call.vector.op));
        } else if (freed) {
            network.close();
        }
    }

    /**
     * A call's schedule has ended: why its sums are none; null if they have come, or this rank hears of them through
     * another.
     */
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
     * @param tell what this rank has to say for all; else null
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
            call.reduceAgain(combiners.of(call.vector.type, call.vector.op));
        }
        next();
    }

    /** The communicator is freed; calls under way go on. */
    public void free() {
        freed = true;
        if (calls.isEmpty() && network != null) {
            network.close();
        }
    }
}
