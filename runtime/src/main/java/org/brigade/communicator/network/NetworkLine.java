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
import org.brigade.communicator.execution.Plans;
import org.brigade.communicator.execution.Runner;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;

/**
 * Runs a communicator's allreduces by a network that reduces between its nodes, until the network is lost. The calls
 * use the network one after another, in call order, which is the same on all ranks. So the ranks agree on the call from
 * which the network is lost, whenever each hears of it: that call and the later ones run by the ordinary schedules.
 * Under the progress lock.
 */
public final class NetworkLine {
    /** What ranks tell each other after a call. */
    static final TypeLayout WORD = AggregationType.INT32.layout;

    /** Longer vectors use the ordinary schedules: a copy of an in-place input would not fit in one piece. */
    private static final long MOST_BYTES = 1 << 30;
    static final Reduction MAX = Reduction.predefined(Reduction.Operator.MAX);

    private final Progress progress;
    private final Agreement agreement;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final CallSequence sequence;
    private final Plans plans;
    /** Calls under way; the first one uses the network. */
    private final ArrayDeque<NetworkCall> calls = new ArrayDeque<>();
    /** Null after the first blocking call that finds it lost: all ranks are in that call, so they decide alike. */
    private NetworkReduction network;
    /** Whether the ranks have agreed, in a call that has ended, that the network is lost. */
    private boolean lost;
    private boolean freed;

    public NetworkLine(NetworkReduction network, Progress progress, Agreement agreement, CursorPool cursors,
        CombinerCache combiners, CallSequence sequence, Plans plans) {
        this.network = network;
        this.progress = progress;
        this.agreement = agreement;
        this.cursors = cursors;
        this.combiners = combiners;
        this.sequence = sequence;
        this.plans = plans;
    }

    CombinerCache.Pair wordPair() {
        return combiners.of(WORD, MAX);
    }

    /**
     * Only a blocking call opens the network, because the ranks must talk to each other. Nonblocking calls before that
     * do not use it.
     */
    Runner.Offer offer(Call call) {
        long bytes = call.bytes();
        if (network == null || bytes == 0 || bytes > MOST_BYTES || !call.blocking && !network.isOpen()) {
            return Runner.Offer.NO;
        }
        if (call.blocking) {
            return Runner.Offer.ASK; // whether the network is lost is decided in a call that all ranks are in
        }
        return network.serves(AggregationType.of(call.type), call.op.operator) ? Runner.Offer.YES : Runner.Offer.NO;
    }

    /** Waits for earlier calls. Then opens the network if it is not open yet, or gives it up for good if it is lost. */
    boolean agree(Call call) {
        while (!calls.isEmpty()) {
            calls.peekLast().settle();
        }
        if (lost || !network.isOpen() && !network.open(agreement, sequence.take(), sequence.take())) {
            network = null;
            return false;
        }
        return network.serves(AggregationType.of(call.type), call.op.operator);
    }

    /** Begins a call. @param plan the plan that uses the network */
    Operation start(Call call, Plan plan, long key) {
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

    /** The plan of an ordinary allreduce, by what all ranks know now, and a key for it. */
    private NetworkCall.Ordinary ordinary(Call call) {
        long key = sequence.take();
        return new NetworkCall.Ordinary(plans.later(call), key);
    }

    /**
     * Lets the first call use the network. If the network is lost, all calls start at once by the ordinary schedules.
     */
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
     * Ends a call's use of the network. Returns why its sums failed; null if they came, or if this rank is no master.
     */
    AggregationException reduced(Cursor cursor) {
        cursor.networks(null);
        AggregationException failure = null;
        for (AggregationLink link : network.links()) {
            if (link != null) {
                link.end();
                failure = failure == null ? link.failure() : failure;
            }
        }
        return failure;
    }

    /**
     * Called when a call no longer needs the network.
     *
     * @param isLost whether all ranks have agreed that the network is lost, or the call has failed
     * @param tell the reason, if this rank is the one to report it; else null
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

    /** Whether no later call can use the network. */
    public boolean isLost() {
        return network == null;
    }

    /** Called when the communicator is freed; calls under way go on. */
    public void free() {
        freed = true;
        if (calls.isEmpty() && network != null) {
            network.close();
        }
    }
}
