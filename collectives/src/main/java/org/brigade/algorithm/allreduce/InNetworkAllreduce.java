package org.brigade.algorithm.allreduce;

import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.Runners;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * In-network allreduce (aggregation tree): the ranks of a node form a chain that reduces to its first rank, the master.
 * The masters send to the network, which reduces and sends the sum back to all of them; the chain carries it down.
 * Chunks are pipelined, and up and down are stages of their own, so all links are busy both ways at once.
 *
 * <p>
 * With several rails (a network behind each of a node's adapters) each sums its own part of the vector, and has a
 * master and a chain of its own in each node: all chains of a node go around the same ring, in the order of the wires,
 * and begin at places that divide it evenly.
 *
 * <p>
 * Source: NCCL's CollNet as "NCCL source code study, part 13: IB SHARP" describes it. With n nodes of L ranks:
 * {@code T = (M/C + 2 (L - 1) + 1)(ts + C/B + C c)} plus the tree's height twice. Rounds: chunks + 2 L - 1. Bytes over
 * each node's links: M out and M in together, where a ring has 2 M (n - 1)/n each way. Restrictions: commutative, as
 * nodes may be any ranks, and a network that reduces the type and operation. After the last chunk the ranks agree
 * whether the sums are right, by an ordinary allreduce of one word, which is not in the schedule.
 */
public final class InNetworkAllreduce extends CollectiveAlgorithm {
    public static final String NAME = "in-network";

    private static final int UP = 0;
    private static final int DOWN = 1;
    /** The stage of the first rail's network: each is used at its own pace. */
    private static final int NETWORKS = 2;

    public InNetworkAllreduce() {
        super(Collective.ALLREDUCE, NAME, Restrictions.COMMUTATIVE, WireUse.NETWORK);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.network();
    }

    /** Its schedule does not run without the network. */
    @Override
    public boolean fallsBackOnSchedule() {
        return false;
    }

    @Override
    public int hops(int ranks, CommunicatorTopology wires) {
        return 2 * mostOfANode(wires.reducedBetween());
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        int chain = mostOfANode(call.wires().reducedBetween());
        long part = call.bytes() / call.wires().rails();
        double windows = CostModel.windows(part, call.chunk());
        // A master's port serves the network and its chain.
        return (2 * chain - 1 + (windows - 1) * (chain > 1 ? 2 : 1)) * model.message(part / windows);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        CommunicatorTopology wires = geometry.wires();
        int rails = wires.rails();
        schedule.split(rails);
        schedule.stages(NETWORKS + rails);
        int rank = geometry.rank();
        int[] chain = node(wires, geometry.ranks(), rank);
        schedule.windows(() -> {
            for (int rail = 0; rail < rails; rail++) {
                int below = neighbour(rank, chain, rail, rails, 1);
                int above = neighbour(rank, chain, rail, rails, -1);
                Slice sum = recv(schedule, rail);
                schedule.stage(UP);
                if (below >= 0) {
                    schedule.receiveReduce(below, sum, send(schedule, rail), false);
                }
                schedule.stage(above < 0 ? NETWORKS + rail : UP);
                schedule.send(above < 0 ? schedule.network(rail) : above, below >= 0 ? sum : send(schedule, rail));
            }
            for (int rail = 0; rail < rails; rail++) {
                int below = neighbour(rank, chain, rail, rails, 1);
                int above = neighbour(rank, chain, rail, rails, -1);
                Slice sum = recv(schedule, rail);
                schedule.stage(above < 0 ? NETWORKS + rail : DOWN);
                schedule.receive(above < 0 ? schedule.network(rail) : above, sum);
                if (below >= 0) {
                    schedule.stage(DOWN);
                    schedule.send(below, sum);
                }
            }
        });
    }

    /** The next rank in one direction of a node's chain for a rail; -1 behind its ends. */
    private static int neighbour(int rank, int[] chain, int rail, int rails, int step) {
        int first = first(chain.length, rail, rails);
        int place = 0;
        while (chain[place] != rank) {
            place++;
        }
        int next = Math.floorMod(place - first, chain.length) + step;
        return next < 0 || next == chain.length ? -1 : chain[(first + next) % chain.length];
    }

    /**
     * Where a rail's chain begins, around the ranks of a node. Of two ranks the first is master of all rails: each
     * would send the other what goes up on one rail and comes down on the other, in one stream, in which neither could
     * be ahead.
     */
    private static int first(int ofNode, int rail, int rails) {
        return ofNode < 3 ? 0 : rail * ofNode / rails % ofNode;
    }

    /** The master of a rank's node for a rail. */
    public static int master(CommunicatorTopology wires, int ranks, int rank, int rail) {
        int[] chain = node(wires, ranks, rank);
        return chain[first(chain.length, rail, wires.rails())];
    }

    /** The ranks of a rank's node, in the order of the wires. If nodes are unknown, each rank is a node. */
    private static int[] node(CommunicatorTopology wires, int ranks, int rank) {
        int[] nodeOf = wires.reducedBetween();
        if (nodeOf == null) {
            return new int[] {rank};
        }
        Order order = wires.order(ranks);
        return IntStream.range(0, ranks).map(order::rank).filter(each -> nodeOf[each] == nodeOf[rank]).toArray();
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
