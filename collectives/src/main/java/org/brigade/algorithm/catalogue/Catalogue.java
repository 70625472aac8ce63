package org.brigade.algorithm.catalogue;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CopyInCopyOutAlgorithm;
import org.brigade.algorithm.FusedAlgorithm;
import org.brigade.algorithm.Leaders;
import org.brigade.algorithm.MovementAvoidingAlgorithm;
import org.brigade.algorithm.PartitionedAlgorithm;
import org.brigade.algorithm.PullAlgorithm;
import org.brigade.algorithm.ReflectiveMemoryAlgorithm;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.SingleCopyAlgorithm;
import org.brigade.algorithm.allgather.BruckAllgather;
import org.brigade.algorithm.allgather.DirectExchangeAllgather;
import org.brigade.algorithm.allgather.RecursiveDoublingAllgather;
import org.brigade.algorithm.allgather.RingAllgather;
import org.brigade.algorithm.allreduce.DirectExchangeAllreduce;
import org.brigade.algorithm.allreduce.DoubleTreeAllreduce;
import org.brigade.algorithm.allreduce.HierarchicalAllreduce;
import org.brigade.algorithm.allreduce.InNetworkAllreduce;
import org.brigade.algorithm.allreduce.LeaderDoublingAllreduce;
import org.brigade.algorithm.allreduce.OppositeChainsAllreduce;
import org.brigade.algorithm.allreduce.PairedAllreduce;
import org.brigade.algorithm.allreduce.RabenseifnerAllreduce;
import org.brigade.algorithm.allreduce.RecursiveDoublingAllreduce;
import org.brigade.algorithm.allreduce.ReduceBcastAllreduce;
import org.brigade.algorithm.allreduce.RingAllreduce;
import org.brigade.algorithm.allreduce.SegmentedRingAllreduce;
import org.brigade.algorithm.alltoall.BruckAlltoall;
import org.brigade.algorithm.alltoall.PairwiseAlltoall;
import org.brigade.algorithm.barrier.DirectExchangeBarrier;
import org.brigade.algorithm.barrier.DisseminationBarrier;
import org.brigade.algorithm.barrier.LeaderDisseminationBarrier;
import org.brigade.algorithm.barrier.TreeBarrier;
import org.brigade.algorithm.bcast.BinomialBcast;
import org.brigade.algorithm.bcast.ChainBcast;
import org.brigade.algorithm.bcast.DirectBcast;
import org.brigade.algorithm.bcast.DoubleTreeBcast;
import org.brigade.algorithm.bcast.HierarchicalBcast;
import org.brigade.algorithm.bcast.KnomialBcast;
import org.brigade.algorithm.bcast.OppositeChainsBcast;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.bcast.ScatterAllgatherBcast;
import org.brigade.algorithm.bcast.TopologyAwareChainBcast;
import org.brigade.algorithm.gather.BinomialGather;
import org.brigade.algorithm.gather.DirectGather;
import org.brigade.algorithm.neighbours.PairwiseNeighbours;
import org.brigade.algorithm.reduce.BinomialReduce;
import org.brigade.algorithm.reduce.DirectReduce;
import org.brigade.algorithm.reduce.HierarchicalReduce;
import org.brigade.algorithm.reduce.KnomialReduce;
import org.brigade.algorithm.reduce.OppositeChainsReduce;
import org.brigade.algorithm.reduce.PipelinedChainReduce;
import org.brigade.algorithm.reduce.RabenseifnerReduce;
import org.brigade.algorithm.reducescatter.PairwiseReduceScatter;
import org.brigade.algorithm.reducescatter.RecursiveHalvingReduceScatter;
import org.brigade.algorithm.reducescatter.RingReduceScatter;
import org.brigade.algorithm.scan.PipelinedChainScan;
import org.brigade.algorithm.scan.RecursiveDoublingScan;
import org.brigade.algorithm.scatter.BinomialScatter;
import org.brigade.algorithm.scatter.DirectScatter;

/**
 * All algorithms, by collective and name. A collective's list is made when it is first asked for, so a program loads
 * the classes of the collectives that it uses only.
 */
public final class Catalogue {
    /**
     * Most ranks of the fused algorithms: with more, messages to every rank cost more than the rounds of a tree. The
     * table says with how many they begin to.
     */
    private static final int FLAT_RANKS = 64;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final List<Algorithm>[] LISTS = new List[Collective.values().length];

    private Catalogue() {
    }

    /** The algorithms of a collective; those for short messages tend to come first. Immutable. */
    public static synchronized List<Algorithm> of(Collective collective) {
        List<Algorithm> list = LISTS[collective.ordinal()];
        if (list == null) {
            list = List.of(make(collective));
            LISTS[collective.ordinal()] = list;
        }
        return list;
    }

    /** The algorithm with this name, or null. */
    public static Algorithm find(Collective collective, String name) {
        List<Algorithm> list = of(collective);
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).name().equals(name)) {
                return list.get(i);
            }
        }
        return null;
    }

    /** The algorithms of all collectives. */
    public static List<Algorithm> all() {
        List<Algorithm> all = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            all.addAll(of(collective));
        }
        return all;
    }

    private static Algorithm[] make(Collective collective) {
        return switch (collective) {
            case BARRIER -> {
                ScheduledAlgorithm flat = new DirectExchangeBarrier();
                ScheduledAlgorithm rounds = new DisseminationBarrier();
                yield new Algorithm[] {fused(flat), PullAlgorithm.flat(flat), PullAlgorithm.inRounds(rounds), flat,
                    rounds, new TreeBarrier(),
                    new LeaderDisseminationBarrier()};
            }
            case BCAST -> {
                ScheduledAlgorithm flat = new DirectBcast();
                yield new Algorithm[] {fused(flat), flat, new BinomialBcast(), new KnomialBcast(),
                    new ScatterAllgatherBcast(), new ChainBcast(),
                    new CopyInCopyOutAlgorithm(new DoubleTreeBcast()),
                    new PipelinedChainBcast(), new TopologyAwareChainBcast(), new OppositeChainsBcast(),
                    new DoubleTreeBcast(),
                    new HierarchicalBcast(Leaders.ONE), new HierarchicalBcast(Leaders.SEVERAL),
                    new HierarchicalBcast(Leaders.ONE_OF_TREES),
                    new ReflectiveMemoryAlgorithm(new HierarchicalBcast(Leaders.ONE_OF_TREES))};
            }
            case REDUCE -> {
                ScheduledAlgorithm flat = new DirectReduce();
                yield new Algorithm[] {fused(flat), flat, new BinomialReduce(), new KnomialReduce(),
                    new RabenseifnerReduce(),
                    new MovementAvoidingAlgorithm(new PipelinedChainReduce()),
                    new PipelinedChainReduce(), new OppositeChainsReduce(), new HierarchicalReduce(Leaders.ONE),
                    new HierarchicalReduce(Leaders.SEVERAL), new HierarchicalReduce(Leaders.ONE_OF_TREES)};
            }
            case ALLREDUCE -> {
                ScheduledAlgorithm flat = new DirectExchangeAllreduce();
                ScheduledAlgorithm rounds = new RecursiveDoublingAllreduce();
                yield new Algorithm[] {fused(flat), PullAlgorithm.flat(flat), PullAlgorithm.inRounds(rounds), flat,
                    rounds,
                    new ReduceBcastAllreduce(),
                    new PartitionedAlgorithm(rounds), new MovementAvoidingAlgorithm(new RingAllreduce()),
                    new RabenseifnerAllreduce(), new RingAllreduce(), new SegmentedRingAllreduce(),
                    new OppositeChainsAllreduce(), new DoubleTreeAllreduce(),
                    new HierarchicalAllreduce(Leaders.ONE),
                    new HierarchicalAllreduce(Leaders.SEVERAL),
                    new HierarchicalAllreduce(Leaders.ONE_OF_TREES), new LeaderDoublingAllreduce(),
                    new PairedAllreduce(),
                    new ReflectiveMemoryAlgorithm(new ReduceBcastAllreduce()), new InNetworkAllreduce()};
            }
            case SCAN, EXSCAN -> {
                ScheduledAlgorithm rounds = new RecursiveDoublingScan(collective);
                yield new Algorithm[] {rounds, fused(rounds, FusedAlgorithm.SCAN_RANKS),
                    new PipelinedChainScan(collective)};
            }
            case GATHER -> {
                ScheduledAlgorithm flat = new DirectGather(collective);
                yield new Algorithm[] {fused(flat), new BinomialGather(), flat};
            }
            case GATHERV -> straightOr(new DirectGather(collective));
            case SCATTER -> {
                ScheduledAlgorithm flat = new DirectScatter(collective);
                yield new Algorithm[] {fused(flat), new BinomialScatter(), flat};
            }
            case SCATTERV -> straightOr(new DirectScatter(collective));
            case ALLGATHER -> {
                ScheduledAlgorithm flat = new DirectExchangeAllgather();
                ScheduledAlgorithm rounds = new BruckAllgather(collective);
                yield new Algorithm[] {fused(flat), PullAlgorithm.flat(flat), PullAlgorithm.inRounds(rounds), flat,
                    new RecursiveDoublingAllgather(),
                    rounds, new CopyInCopyOutAlgorithm(new RingAllgather(collective)), new SingleCopyAlgorithm(flat),
                    new RingAllgather(collective)};
            }
            case ALLGATHERV -> {
                ScheduledAlgorithm ring = new RingAllgather(collective);
                ScheduledAlgorithm rounds = new BruckAllgather(collective);
                yield new Algorithm[] {rounds, PullAlgorithm.inRounds(rounds), new CopyInCopyOutAlgorithm(ring),
                    new SingleCopyAlgorithm(ring), ring};
            }
            case REDUCE_SCATTER -> {
                ScheduledAlgorithm flat = new PairwiseReduceScatter();
                ScheduledAlgorithm rounds = new RecursiveHalvingReduceScatter();
                yield new Algorithm[] {fused(flat), PullAlgorithm.inRounds(rounds), rounds,
                    new MovementAvoidingAlgorithm(new RingReduceScatter()), flat, new RingReduceScatter()};
            }
            case ALLTOALL -> {
                ScheduledAlgorithm flat = new PairwiseAlltoall(collective);
                yield new Algorithm[] {fused(flat), new BruckAlltoall(), new SingleCopyAlgorithm(flat), flat};
            }
            case ALLTOALLV -> {
                ScheduledAlgorithm flat = new PairwiseAlltoall(collective);
                yield new Algorithm[] {flat, fused(flat), new SingleCopyAlgorithm(flat)};
            }
            case NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL ->
                new Algorithm[] {new PairwiseNeighbours(collective)};
        };
    }

    private static FusedAlgorithm fused(ScheduledAlgorithm meaning) {
        return fused(meaning, FLAT_RANKS);
    }

    private static FusedAlgorithm fused(ScheduledAlgorithm meaning, int mostRanks) {
        return new FusedAlgorithm("fused-flat", meaning,
            new Restrictions(false, false, mostRanks,
                // where counts are local, each rank's runner looks at its own
                meaning.collective().counts == Counts.LOCAL ? Long.MAX_VALUE : FusedAlgorithm.MOST_BYTES));
    }

    private static Algorithm[] straightOr(ScheduledAlgorithm flat) {
        return new Algorithm[] {flat, fused(flat)};
    }
}
