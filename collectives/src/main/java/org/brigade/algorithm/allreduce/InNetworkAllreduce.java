package org.brigade.algorithm.allreduce;

import java.util.Arrays;
import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.Execution;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * In-network allreduce (aggregation tree): the ranks of a node form a chain that reduces to the node's first rank, its
 * master. The masters send to the network, which reduces and sends the sum back to all of them; the chain carries it
 * down. Chunks are pipelined, and up and down are stages of their own, so all links are busy both ways at once.
 *
 * <p>
 * Source: NCCL's CollNet as "NCCL source code study, part 13: IB SHARP" describes it. With n nodes of L ranks:
 * {@code T = (M/C + 2 (L - 1) + 1)(ts + C/B + C c)} plus the tree's height twice. Rounds: chunks + 2 L - 1. Bytes over
 * each node's link: M out and M in, where a ring has 2 M (n - 1)/n each way. Restrictions: commutative, as nodes may be
 * any ranks, and a network that reduces the type and operation. After the last chunk the ranks agree whether the sums
 * are right, by an ordinary allreduce of one word, which is not in the schedule.
 */
public final class InNetworkAllreduce extends CollectiveAlgorithm {
    public static final String NAME = "in-network";

    private static final int UP = 0;
    private static final int DOWN = 1;

    public InNetworkAllreduce() {
        super(Collective.ALLREDUCE, NAME, Restrictions.COMMUTATIVE, WireUse.NETWORK);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public Execution execution() {
        return Execution.NETWORK;
    }

    @Override
    public int hops(int ranks, Wires wires) {
        return 2 * mostOfANode(wires.reducedBetween());
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return model.pipeline(hops(call.ranks(), call.wires()), 1, call.bytes(), call.chunk());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int network = schedule.network();
        int before = neighbour(geometry, -1);
        int above = before < 0 ? network : before;
        int below = neighbour(geometry, 1);
        Slice own = send(schedule, 0);
        Slice sum = recv(schedule, 0);
        schedule.stages(2);
        schedule.windows(() -> {
            schedule.stage(UP);
            if (below >= 0) {
                schedule.receiveReduce(below, sum, own, false);
            }
            schedule.send(above, below >= 0 ? sum : own);
            schedule.stage(DOWN);
            schedule.receive(above, sum);
            if (below >= 0) {
                schedule.send(below, sum);
            }
        });
    }

    /**
     * The next rank of the same node in one direction; -1 if there is none. If nodes are unknown, each rank is a node.
     */
    private static int neighbour(Geometry geometry, int step) {
        int[] nodeOf = geometry.wires().reducedBetween();
        for (int rank = geometry.rank() + step; nodeOf != null && rank >= 0 && rank < geometry.ranks(); rank += step) {
            if (nodeOf[rank] == nodeOf[geometry.rank()]) {
                return rank;
            }
        }
        return -1;
    }

    /** Number of ranks of the largest node; 1 if nodes are unknown. */
    private static int mostOfANode(int[] nodeOf) {
        if (nodeOf == null) {
            return 1;
        }
        int[] sorted = nodeOf.clone();
        Arrays.sort(sorted);
        int most = 1;
        int same = 1;
        for (int i = 1; i < sorted.length; i++) {
            same = sorted[i] == sorted[i - 1] ? same + 1 : 1;
            most = Math.max(most, same);
        }
        return most;
    }
}
