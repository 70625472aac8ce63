package org.brigade.communicator;

import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationType;
import org.brigade.algorithm.WireUse;
import org.brigade.engine.Cursor;
import org.brigade.engine.Party;
import org.brigade.engine.Plan;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;

/**
 * A communicator's blocking allreduces by a network that reduces between its nodes, as long as there is one. The input stays whole until all ranks have agreed that every sum has come: if not, the network is given up, and the
 * ordinary schedule does it again. What is decided here, all ranks decide alike. Under the progress lock.
 */
final class NetworkAllreduce {
    /** Allreduce by the ordinary schedules. */
    interface Ordinary {
        Operation reduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking);
    }

    /** Longer vectors, whose input in place could not be kept in one piece, go by the ordinary schedules. */
    private static final long MOST_BYTES = 1 << 30;
    private static final Reduction MAX = Reduction.predefined(Reduction.Operator.MAX);

    private final Agreement agreement;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final CallSequence sequence;
    private final Ordinary ordinary;
    /** What would be chosen with the network. */
    private final CallShapes shapes;
    private final int rank;
    private final int ranks;
    /** Null once it is lost. */
    private NetworkReduction network;

    NetworkAllreduce(NetworkReduction network, Selector selector, Party party, Agreement agreement, CursorPool cursors, CombinerCache combiners, CallSequence sequence, Ordinary ordinary) {
        this.network = network;
        this.agreement = agreement;
        this.cursors = cursors;
        this.combiners = combiners;
        this.sequence = sequence;
        this.ordinary = ordinary;
        rank = party.rank;
        ranks = party.members.length;
        shapes = new CallShapes(selector, Wires.ofNodes(null, network.nodeOf()).reducing(network.nodeOf()), rank, ranks, sequence.name());
    }

    /** Does an allreduce, if selection wants the network for it and that reduces such a vector; false if not. */
    boolean reduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op) {
        long bytes = (long) count * type.extent;
        if (network == null || bytes == 0 || bytes > MOST_BYTES) {
            return false;
        }
        Ladder ladder = shapes.ladder(Collective.ALLREDUCE, op.commutative);
        int step = ladder.step(bytes);
        Choice choice = ladder.choice(step);
        if (choice.algorithm() == null || choice.algorithm().wireUse() != WireUse.NETWORK) {
            return false;
        }
        if (!network.isOpen() && !network.open(agreement, sequence.take(), sequence.take())) {
            network = null;
            return false;
        }
        AggregationType element = AggregationType.of(type);
        if (!network.serves(element, op.operator)) {
            return false;
        }
        long key = sequence.begin(Collective.ALLREDUCE, 0, bytes, type, op);
        Cursor cursor = cursors.take();
        CollectiveCalls.wrapCopied(cursor, send, sendOffset, recv, recvOffset, bytes);
        Object input = cursor.operands.send.buffer();
        long inputOffset = cursor.operands.send.offset();
        AggregationException failure = run(cursor, key, choice, step, count, element, type, op);
        int[] lost = {failure == null ? 0 : ranks - rank};
        ordinary.reduce(null, 0, lost, 0, 1, AggregationType.INT32.layout, MAX, true);
        if (lost[0] == 0) {
            Diagnostics.ran(choice.algorithm());
        } else {
            if (failure != null && lost[0] == ranks - rank) {
                network.tell(failure.getMessage());
            }
            free();
            ordinary.reduce(input, inputOffset, recv, recvOffset, count, type, op, true);
        }
        cursors.release(cursor);
        return true;
    }

    /** Why the sums are none; null if they have come, or this rank hears of them through another. */
    private AggregationException run(Cursor cursor, long key, Choice choice, int step, int count, AggregationType element, TypeLayout type, Reduction op) {
        AggregationLink link = network.link();
        CombinerCache.Pair pair = combiners.of(type, op);
        Plan plan = shapes.plan(Collective.ALLREDUCE, op.commutative, step, choice, 0, false);
        cursor.operands.sendMap.vector(count, type.extent, 1);
        cursor.operands.recvMap.vector(count, type.extent, 1);
        cursor.operands.scratchMap.vector(count, type.extent, 1);
        cursor.network(link);
        if (link != null) {
            link.begin(key, element, op.operator);
        }
        cursor.begin(plan, key, type.extent, pair.incomingLast(), pair.incomingFirst());
        boolean ended = false;
        try {
            cursor.run(Collective.ALLREDUCE.key());
            ended = true;
        } finally {
            if (!ended) {
                free();
            }
        }
        cursor.network(null);
        if (link == null) {
            return null;
        }
        link.end();
        return link.failure();
    }

    /** The network is lost, or the communicator freed. */
    void free() {
        if (network != null) {
            network.close();
            network = null;
        }
    }
}
