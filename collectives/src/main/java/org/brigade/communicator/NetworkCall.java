package org.brigade.communicator;

import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationType;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import mpi.spi.Collective;

/**
 * One allreduce that a network takes part in. It waits until the network is done with those before it; runs by the network; agrees by an ordinary allreduce of one word whether every sum has come to every
 * rank; and if not, is done again by an ordinary schedule, as its input has stayed whole. Each step begins where the one before ends, whatever call this rank is in. Under the progress lock, but for {@link #test} and
 * {@link #await}.
 */
final class NetworkCall extends PendingCollective implements Cursor.Sequel {
    /** An ordinary allreduce that may become necessary: decided and numbered as the call begins, when all ranks know the same. */
    record Ordinary(Plan plan, long key) {
    }

    private enum Step {
        WAITING, BY_NETWORK, AGREEING, AGAIN, DONE
    }

    private final NetworkAllreduce line;
    private final CursorPool pool;
    private final Plan plan;
    private final long key;
    private final Ordinary word;
    private final Ordinary again;
    private final int count;
    private final TypeLayout type;
    private final AggregationType element;
    private final Reduction op;
    private final Object recv;
    private final long recvOffset;
    private final Object input;
    private final long inputOffset;
    /** Has the copy of the input, where the call is in place: kept to the end. */
    private final Cursor cursor;
    /** Runs an ordinary step. */
    private Cursor other;
    private final int[] lost = {0};
    private AggregationException cause;
    private Step step = Step.WAITING;

    /**
     * @param plan by the network
     * @param send null: in place
     */
    NetworkCall(NetworkAllreduce line, Progress progress, CursorPool pool, Plan plan, long key, Ordinary word, Ordinary again, Object send, long sendOffset, Object recv, long recvOffset, int count,
                TypeLayout type, AggregationType element, Reduction op) {
        super(progress, Collective.ALLREDUCE.key());
        this.line = line;
        this.pool = pool;
        this.plan = plan;
        this.key = key;
        this.word = word;
        this.again = again;
        this.count = count;
        this.type = type;
        this.element = element;
        this.op = op;
        this.recv = recv;
        this.recvOffset = recvOffset;
        cursor = pool.take();
        CollectiveCalls.wrapCopied(cursor, send, sendOffset, recv, recvOffset, (long) count * type.extent);
        input = cursor.operands.send.buffer();
        inputOffset = cursor.operands.send.offset();
    }

    // ---- its steps ----

    /** The network is free for it. */
    void reduce(NetworkReduction network, CombinerCache.Pair pair) {
        step = Step.BY_NETWORK;
        cursor.network(network.link());
        if (network.link() != null) {
            network.link().begin(key, element, op.operator);
        }
        begin(cursor, plan, key, count, type.extent, pair);
    }

    /** The network is lost, which all ranks know. */
    void reduceAgain(CombinerCache.Pair pair) {
        step = Step.AGAIN;
        other = pool.take();
        other.operands.send.wrap(input, inputOffset);
        other.operands.recv.wrap(recv, recvOffset);
        begin(other, again.plan(), again.key(), count, type.extent, pair);
    }

    /** Tells the others whether this rank's sums have come, and hears. */
    private void agree(int rank, int ranks, CombinerCache.Pair pair) {
        step = Step.AGREEING;
        lost[0] = cause == null ? 0 : ranks - rank;
        other = pool.take();
        other.operands.send.wrap(lost, 0);
        other.operands.recv.wrap(lost, 0);
        begin(other, word.plan(), word.key(), 1, NetworkAllreduce.WORD.extent, pair);
    }

    private void begin(Cursor with, Plan by, long itsKey, int items, int extent, CombinerCache.Pair pair) {
        int blocks = by.schedule.blocks();
        with.operands.sendMap.vector(items, extent, blocks);
        with.operands.recvMap.vector(items, extent, blocks);
        with.operands.scratchMap.vector(items, extent, blocks);
        with.begin(by, itsKey, extent, pair.incomingLast(), pair.incomingFirst());
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
                    agree(line.rank(), line.ranks(), line.wordPair());
                }
            }
            case AGREEING -> {
                boolean tells = cause != null && lost[0] == line.ranks() - line.rank();
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
    boolean isDone() {
        return step == Step.DONE;
    }

    /** As the item that it reduces. */
    TypeLayout type() {
        return type;
    }

    Reduction op() {
        return op;
    }
}
