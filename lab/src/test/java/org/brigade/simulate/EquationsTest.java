package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.spi.Collective;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.bcast.KnomialBcast;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.KnomialTree;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;
import org.brigade.simulate.wiring.IdealWiring;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * On a network where nothing is shared, the schedules take what equations (1) to (6) of Xin, Xie and Li (2020) say. The
 * only difference is that the simulator's clock ticks in picoseconds.
 */
@Tag("calculation")
@net.jqwik.api.Tag("calculation")
class EquationsTest {
    private static final double STARTUP = 2e-6;
    private static final double RATE = 6.8e9;
    private static final double STAGING = 11e9;
    private static final CostModel MODEL = new CostModel(STARTUP * 1e9, RATE / 1e9);

    private static double simulated(ScheduledAlgorithm algorithm, int ranks, int root, long bytes, long chunk,
        int radix) {
        return new Simulator(new IdealWiring(ranks, RATE, STARTUP, STAGING))
            .run(new SimulatedCall(algorithm, ranks, root, bytes, chunk, radix)).seconds();
    }

    private static double simulated(String algorithm, int ranks, int root, long bytes, long chunk, int radix) {
        return simulated((ScheduledAlgorithm) Catalogue.find(Collective.BCAST, algorithm), ranks, root, bytes, chunk,
            radix);
    }

    private static double predicted(String algorithm, int ranks, long bytes, long chunk, int radix) {
        return Catalogue.find(Collective.BCAST, algorithm).cost(MODEL, new PredictedCall(ranks, bytes, chunk, radix))
            / 1e9;
    }

    /** @param messages one after another, each of which may be a picosecond longer than it is */
    private static void same(double expected, double actual, int messages) {
        assertEquals(expected, actual, 1.5e-12 * (messages + 1) + 1e-12 * expected);
    }

    @Property(tries = 150)
    void directIsEquation1(@ForAll @IntRange(min = 2, max = 70) int ranks,
        @ForAll @IntRange(min = 1, max = 1 << 26) int bytes, @ForAll @IntRange(max = 69) int root) {
        same(predicted("direct", ranks, bytes, 0, 2), simulated("direct", ranks, root % ranks, bytes, 0, 2), ranks);
    }

    @Property(tries = 150)
    void chainIsEquation2(@ForAll @IntRange(min = 2, max = 70) int ranks,
        @ForAll @IntRange(min = 1, max = 1 << 26) int bytes, @ForAll @IntRange(max = 69) int root) {
        same(predicted("chain", ranks, bytes, 0, 2), simulated("chain", ranks, root % ranks, bytes, 0, 2), ranks);
    }

    @Property(tries = 150)
    void binomialIsEquation3(@ForAll @IntRange(min = 2, max = 200) int ranks,
        @ForAll @IntRange(min = 1, max = 1 << 26) int bytes, @ForAll @IntRange(max = 199) int root) {
        same(predicted("binomial", ranks, bytes, 0, 2), simulated("binomial", ranks, root % ranks, bytes, 0, 2), 8);
    }

    /**
     * The paper's equation (3) lets a rank send to its k - 1 children of a round at once; ours has one port, and serves
     * them one after another.
     */
    @Property(tries = 150)
    void knomialIsEquation3WithChildrenOneAfterAnother(@ForAll @IntRange(min = 2, max = 300) int ranks,
        @ForAll @IntRange(min = 1, max = 1 << 24) int bytes,
        @ForAll @IntRange(min = 2, max = 9) int radix) {
        double message = STARTUP + bytes / RATE;
        double time = simulated("knomial", ranks, 0, bytes, 0, radix);
        same(lastOf(new KnomialTree(ranks, radix), 0) * message, time, 64);
        assertTrue(time <= predicted("knomial", ranks, bytes, 0, radix) + 1e-9,
            "an incomplete tree is no slower than a complete one");
        int rounds = 0;
        long reached = 1;
        for (; reached < ranks; reached *= radix) {
            rounds++;
        }
        assertTrue(time >= rounds * message - 1e-11, "nor faster than the paper's");
        if (reached == ranks) {
            same(predicted("knomial", ranks, bytes, 0, radix), time, 64);
        }
    }

    /** Messages, one after another, until the last rank below a node has the data. */
    private static int lastOf(KnomialTree tree, int node) {
        int last = 0;
        int sent = 0;
        for (int child : tree.children(node)) {
            sent++;
            last = Math.max(last, sent + lastOf(tree, child));
        }
        return last;
    }

    /**
     * Ours sends no rank what its part of the tree has given it, which spares bytes but no time: the leaves of the tree
     * still get all.
     */
    @Property(tries = 150)
    void scatterAllgatherIsEquation4(@ForAll @IntRange(min = 2, max = 130) int ranks,
        @ForAll @IntRange(min = 1 << 10, max = 1 << 26) int bytes, @ForAll @IntRange(max = 129) int root) {
        double time = simulated("scatter-allgather", ranks, root % ranks, bytes, 0, 2);
        // Blocks are of whole bytes, and the longest ones are what the ring waits for.
        double rounding = (ranks + 8) * (1 / RATE + 1.5e-12);
        assertEquals(predicted("scatter-allgather", ranks, bytes, 0, 2), time, rounding);
    }

    @Property(tries = 150)
    void pipelinedChainIsEquation5(@ForAll @IntRange(min = 2, max = 70) int ranks,
        @ForAll @IntRange(min = 1, max = 40) int chunks, @ForAll @IntRange(min = 1, max = 1 << 22) int chunk,
        @ForAll @IntRange(max = 69) int root) {
        long bytes = (long) chunks * chunk;
        double expected = (chunks + ranks - 2) * (STARTUP + chunk / RATE);
        same(expected, predicted("pipelined-chain", ranks, bytes, chunk, 2), 0);
        same(expected, simulated("pipelined-chain", ranks, root % ranks, bytes, chunk, 2), chunks + ranks);
    }

    @Property(tries = 100)
    void aShorterLastChunkIsThatMuchFasterOnItsLastHop(@ForAll @IntRange(min = 2, max = 40) int ranks,
        @ForAll @IntRange(min = 2, max = 30) int chunks,
        @ForAll @IntRange(min = 1000, max = 1 << 20) int chunk, @ForAll @IntRange(min = 1, max = 999) int rest) {
        // The short chunk is held up behind the whole one before it, hop by hop, and is short itself on the last.
        double expected = (chunks + ranks - 2) * (STARTUP + chunk / RATE) + STARTUP + rest / RATE;
        same(expected, simulated("pipelined-chain", ranks, 0, (long) chunks * chunk + rest, chunk, 2), chunks + ranks);
        assertTrue(expected <= predicted("pipelined-chain", ranks, (long) chunks * chunk + rest, chunk, 2) + 1e-12,
            "equation (5) counts it as a whole one");
    }

    /** Equation (6) as a schedule: the root's copy to its host, then the tree from there. */
    private static final class StagedKnomial extends CollectiveAlgorithm {
        StagedKnomial() {
            super(Collective.BCAST, "staged-knomial", Restrictions.NONE);
        }

        @Override
        protected double equation(CostModel model, PredictedCall call) {
            return call.bytes() / (STAGING / 1e9) + new KnomialBcast().cost(model, call);
        }

        @Override
        public void build(Geometry geometry, ScheduleBuilder schedule) {
            Slice data = recv(schedule, 0);
            if (geometry.rank() == geometry.root()) {
                schedule.copy(scratch(schedule, 0, 0), data);
                data = scratch(schedule, 0, 0);
            }
            KnomialBcast.spread(geometry, geometry.root(), geometry.radix(), schedule, data);
        }
    }

    @Property(tries = 100)
    void stagedKnomialIsEquation6(@ForAll @IntRange(min = 1, max = 4) int rounds,
        @ForAll @IntRange(min = 2, max = 5) int radix, @ForAll @IntRange(min = 1, max = 1 << 24) int bytes) {
        int ranks = (int) Math.pow(radix, rounds);
        same(new StagedKnomial().cost(MODEL, new PredictedCall(ranks, bytes, 0, radix)) / 1e9,
            simulated(new StagedKnomial(), ranks, 0, bytes, 0, radix), 64);
    }

    @Property(tries = 100)
    void ringAllreduceIsItsModel(@ForAll @IntRange(min = 2, max = 40) int ranks,
        @ForAll @IntRange(min = 1, max = 1 << 20) int block) {
        double time = new Simulator(new IdealWiring(ranks, RATE, STARTUP)).run(
            new SimulatedCall((ScheduledAlgorithm) Catalogue.find(Collective.ALLREDUCE, "ring"), ranks,
                (long) block * ranks, 0, 2))
            .seconds();
        same(Catalogue.find(Collective.ALLREDUCE, "ring").cost(MODEL,
            new PredictedCall(ranks, (long) block * ranks, 0, 2)) / 1e9, time, 2 * ranks);
    }

    /** The equations count two steps a level, which overlap in part; the trees' start-ups share the ranks' ports. */
    @Property(tries = 60)
    void doubleTreesHaveTheFullBandwidth(@ForAll @IntRange(min = 3, max = 90) int ranks,
        @ForAll @IntRange(min = 16 << 20, max = 1 << 26) int bytes, @ForAll @IntRange(max = 89) int root) {
        for (Collective collective : new Collective[] {Collective.BCAST, Collective.ALLREDUCE}) {
            ScheduledAlgorithm trees = (ScheduledAlgorithm) Catalogue.find(collective, "double-tree");
            long chunk = MODEL.bestChunk(trees.hops(ranks, CommunicatorTopology.NONE), bytes);
            double expected = trees.cost(MODEL, new PredictedCall(ranks, bytes, chunk, 2)) / 1e9;
            double time = simulated(trees, ranks, collective.rooted ? root % ranks : 0, bytes, chunk, 2);
            assertTrue(time <= 1.05 * expected && time >= 0.85 * expected,
                collective + ": " + time + " s, predicted " + expected);
        }
    }

    @Test
    void equation5HoldsForTenThousandRanks() {
        int chunks = 32;
        int chunk = 1 << 16;
        same((chunks + 9998) * (STARTUP + chunk / RATE),
            simulated("pipelined-chain", 10_000, 4711, (long) chunks * chunk, chunk, 2), chunks + 10_000);
    }
}
