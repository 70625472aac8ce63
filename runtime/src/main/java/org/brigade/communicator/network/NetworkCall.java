package org.brigade.communicator.network;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationType;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.execution.PendingCollective;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;

/**
 * One allreduce that a network takes part in. It waits until the network has finished the earlier calls, then runs by
 * the network. Then an ordinary allreduce of one word tells all ranks whether every rank got every sum. If not, the
 * call is repeated by an ordinary schedule; its input is still intact. Each step begins when the one before ends,
 * whatever call this rank is in. Under the progress lock, except {@link #test} and {@link #await}.
 */
final class NetworkCall extends PendingCollective implements Cursor.Sequel {
    /**
     * An ordinary allreduce that may become necessary. Its plan and key are fixed as the call begins, when all ranks
     * know the same.
     */
    record Ordinary(Plan plan, long key) {
    }

    private enum Step {
        WAITING, BY_NETWORK, AGREEING, AGAIN, DONE
    }

    /** The call with its input, which stays intact; a copy of the input if the call is in place. */
    final Call vector;
    /** The allreduce by which the ranks agree whether every sum has come. */
    final Call word;
    private final NetworkLine line;
    private final CursorPool pool;
    private final Plan plan;
    private final long key;
    private final AggregationType element;
    private Ordinary agreement;
    private Ordinary again;
    /** Holds the copy of the input if the call is in place; kept to the end. */
    private final Cursor cursor;
    /** Runs an ordinary step. */
    private Cursor other;
    private final int[] lost = {0};
    private AggregationException cause;
    private Step step = Step.WAITING;

    /** @param plan the plan that uses the network */
    NetworkCall(NetworkLine line, Progress progress, CursorPool pool, Plan plan, long key, Call call) {
        super(progress, Collective.ALLREDUCE.key());
        this.line = line;
        this.pool = pool;
        this.plan = plan;
        this.key = key;
        element = AggregationType.of(call.type);
        cursor = pool.take();
        vector = new Call(call.rank, call.ranks).begin(Collective.ALLREDUCE, false).reduction(call.type, call.op);
        vector.send.blocks.like(call.send.blocks);
        vector.recv.blocks.like(call.recv.blocks);
        cursor.operands.keepInput(call, vector.send);
        vector.recv.buffer = call.recv.buffer;
        vector.recv.offset = call.recv.offset;
        word = new Call(call.rank, call.ranks).begin(Collective.ALLREDUCE, false).reduction(NetworkLine.WORD,
            NetworkLine.MAX);
        word.recv.vector(lost, 0, 1, NetworkLine.WORD.extent);
        word.inPlace();
    }

    /** Sets how its ordinary steps run. */
    void prepare(Ordinary forWord, Ordinary forVector) {
        agreement = forWord;
        again = forVector;
    }

    // ---- its steps ----

    /** Runs by the network, which is free now. */
    void reduce(NetworkReduction network, CombinerCache.Pair pair) {
        step = Step.BY_NETWORK;
        cursor.networks(network.links());
        for (AggregationLink link : network.links()) {
            if (link != null) {
                link.begin(key, element, vector.op.operator);
            }
        }
        begin(cursor, plan, key, vector, pair);
    }

    /** Repeats the call by an ordinary schedule; all ranks know that the network is lost. */
    void reduceAgain(CombinerCache.Pair pair) {
        step = Step.AGAIN;
        other = pool.take();
        begin(other, again.plan(), again.key(), vector, pair);
    }

    /** Tells the others whether this rank got its sums, and learns whether they did. */
    private void agree(CombinerCache.Pair pair) {
        step = Step.AGREEING;
        lost[0] = cause == null ? 0 : word.ranks - word.rank;
        other = pool.take();
        begin(other, agreement.plan(), agreement.key(), word, pair);
    }

    private void begin(Cursor with, Plan by, long itsKey, Call call, CombinerCache.Pair pair) {
        with.begin(by, itsKey, call, pair.incomingLast(), pair.incomingFirst());
        with.start(this);
    }

    @Override
    public void ended(Cursor with) {
        if (with == other) {
            other = null;
            pool.release(with);
        }
        RuntimeException wrong = with.failure();
        switch (step) {
            case BY_NETWORK -> {
                cause = line.reduced(cursor);
                if (wrong != null) {
                    end(wrong);
                    line.passed(this, true, null);
                } else {
                    agree(line.wordPair());
                }
            }
            case AGREEING -> {
                boolean tells = cause != null && lost[0] == word.ranks - word.rank;
                if (wrong != null || lost[0] == 0) {
                    end(wrong);
                }
                line.passed(this, wrong != null || lost[0] != 0, tells ? cause : null);
            }
            default -> end(wrong);
        }
    }

    private void end(RuntimeException wrong) {
        failure = wrong;
        step = Step.DONE;
        pool.release(cursor);
    }

    @Override
    protected boolean isDone() {
        return step == Step.DONE;
    }
}
