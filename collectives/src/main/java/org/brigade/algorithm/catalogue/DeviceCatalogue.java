package org.brigade.algorithm.catalogue;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.allgather.RingAllgather;
import org.brigade.algorithm.allreduce.DirectExchangeAllreduce;
import org.brigade.algorithm.allreduce.PairedAllreduce;
import org.brigade.algorithm.allreduce.RabenseifnerAllreduce;
import org.brigade.algorithm.allreduce.SegmentedRingAllreduce;
import org.brigade.algorithm.alltoall.PairwiseAlltoall;
import org.brigade.algorithm.bcast.DirectBcast;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.bcast.ScatterAllgatherBcast;
import org.brigade.algorithm.gather.DirectGather;
import org.brigade.algorithm.kernel.ChainKernel;
import org.brigade.algorithm.kernel.ChainReduceKernel;
import org.brigade.algorithm.kernel.CopyEngineKernel;
import org.brigade.algorithm.kernel.LineChainKernel;
import org.brigade.algorithm.kernel.LinesKernel;
import org.brigade.algorithm.kernel.PacketsKernel;
import org.brigade.algorithm.kernel.PairedKernel;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.algorithm.kernel.PullKernel;
import org.brigade.algorithm.kernel.PushKernel;
import org.brigade.algorithm.kernel.PushTwoPhaseKernel;
import org.brigade.algorithm.kernel.RingKernel;
import org.brigade.algorithm.kernel.ScatterAllgatherKernel;
import org.brigade.algorithm.kernel.TwoShotKernel;
import org.brigade.algorithm.neighbours.PairwiseNeighbours;
import org.brigade.algorithm.reduce.DirectReduce;
import org.brigade.algorithm.reduce.PipelinedChainReduce;
import org.brigade.algorithm.reducescatter.PairwiseReduceScatter;
import org.brigade.algorithm.reducescatter.RingReduceScatter;
import org.brigade.algorithm.scan.PipelinedChainScan;
import org.brigade.algorithm.scatter.DirectScatter;

/**
 * The algorithms of device memory, by collective and name: {@linkplain DeviceKernel kernels} that serve one or more
 * collectives each, and {@code staged}, the schedules of host memory.
 *
 * <p>
 * Kernels that work by windows need buffers and blocks at multiples of {@link Placement#ALIGNMENT} bytes. Only
 * {@code packets} serves calls in place in which a rank's output overlaps input that another rank still has to read.
 *
 * <p>
 * All kernels reduce with MPI's predefined operations only, which commute; calls with user-defined operations are
 * staged. A barrier touches no memory, so the host does it.
 */
public final class DeviceCatalogue {
    // One object each for all collectives: it caches its launches.
    private static final DeviceKernel PACKETS = new PacketsKernel();
    private static final DeviceKernel LINES = new LinesKernel();
    private static final DeviceKernel PUSH = new PushKernel();
    private static final DeviceKernel PULL = new PullKernel();
    private static final DeviceKernel TWO_SHOT = new TwoShotKernel();
    private static final DeviceKernel PUSH_TWO_PHASE = new PushTwoPhaseKernel();
    private static final DeviceKernel RING = new RingKernel();
    private static final DeviceKernel SCATTER_ALLGATHER = new ScatterAllgatherKernel();
    private static final DeviceKernel CHAIN = new ChainKernel();
    private static final DeviceKernel CHAIN_REDUCE = new ChainReduceKernel();
    private static final DeviceKernel LINE_CHAIN = new LineChainKernel();
    private static final DeviceKernel COPY_ENGINE = new CopyEngineKernel();
    private static final DeviceKernel PAIRED = new PairedKernel();
    private static final DeviceKernel PAIRWISE = new PairwiseKernel();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final List<DeviceAlgorithm>[] LISTS = new List[Collective.values().length];

    private DeviceCatalogue() {
    }

    /** The algorithms of a collective, {@code staged} last; those for short messages tend to come first. Immutable. */
    public static synchronized List<DeviceAlgorithm> of(Collective collective) {
        List<DeviceAlgorithm> list = LISTS[collective.ordinal()];
        if (list == null) {
            list = make(collective);
            LISTS[collective.ordinal()] = list;
        }
        return list;
    }

    /** The algorithm with this name, or null. */
    public static DeviceAlgorithm find(Collective collective, String name) {
        List<DeviceAlgorithm> list = of(collective);
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).name().equals(name)) {
                return list.get(i);
            }
        }
        return null;
    }

    private static List<DeviceAlgorithm> make(Collective collective) {
        List<DeviceAlgorithm> list = new ArrayList<>(6);
        switch (collective) {
            case BARRIER -> {}
            case BCAST -> {
                list.add(PACKETS.serving(new DirectBcast()));
                list.add(LINES.serving(new ScatterAllgatherBcast()));
                list.add(PUSH.serving(new DirectBcast()));
                list.add(SCATTER_ALLGATHER.serving(new ScatterAllgatherBcast()));
                list.add(CHAIN.serving(new PipelinedChainBcast()));
                list.add(COPY_ENGINE.serving(new DirectBcast()));
            }
            case REDUCE -> {
                list.add(PACKETS.serving(new DirectReduce()));
                list.add(LINES.serving(new DirectReduce()));
                list.add(PULL.serving(new DirectReduce()));
                list.add(LINE_CHAIN.serving(new PipelinedChainReduce()));
                list.add(CHAIN_REDUCE.serving(new PipelinedChainReduce()));
            }
            case ALLREDUCE -> {
                list.add(PACKETS.serving(new DirectExchangeAllreduce()));
                list.add(LINES.serving(new RabenseifnerAllreduce()));
                list.add(TWO_SHOT.serving(new RabenseifnerAllreduce()));
                list.add(PUSH_TWO_PHASE.serving(new RabenseifnerAllreduce()));
                list.add(RING.serving(new SegmentedRingAllreduce()));
                list.add(PAIRED.serving(new PairedAllreduce()));
            }
            case SCAN, EXSCAN -> {
                list.add(PACKETS.serving(new PipelinedChainScan(collective)));
                list.add(PULL.serving(new PipelinedChainScan(collective)));
            }
            case REDUCE_SCATTER -> {
                list.add(PACKETS.serving(new PairwiseReduceScatter()));
                list.add(LINES.serving(new PairwiseReduceScatter()));
                list.add(PULL.serving(new PairwiseReduceScatter()));
                list.add(PUSH_TWO_PHASE.serving(new PairwiseReduceScatter()));
                list.add(RING.serving(new RingReduceScatter()));
            }
            case ALLGATHER, ALLGATHERV -> {
                list.add(PACKETS.serving(new RingAllgather(collective)));
                list.add(LINES.serving(new RingAllgather(collective)));
                list.add(PUSH.serving(new RingAllgather(collective)));
                list.add(RING.serving(new RingAllgather(collective)));
                if (collective == Collective.ALLGATHER) { // else ranks do not know where others put their blocks
                    list.add(COPY_ENGINE.serving(new RingAllgather(collective)));
                }
            }
            case ALLTOALL -> {
                list.add(PACKETS.serving(new PairwiseAlltoall(collective)));
                list.add(LINES.serving(new PairwiseAlltoall(collective)));
                list.add(PUSH.serving(new PairwiseAlltoall(collective)));
                list.add(COPY_ENGINE.serving(new PairwiseAlltoall(collective)));
            }
            case GATHER -> {
                list.add(PACKETS.serving(new DirectGather(collective)));
                list.add(PUSH.serving(new DirectGather(collective)));
                list.add(COPY_ENGINE.serving(new DirectGather(collective)));
            }
            case SCATTER -> {
                list.add(PACKETS.serving(new DirectScatter(collective)));
                list.add(PUSH.serving(new DirectScatter(collective)));
                list.add(COPY_ENGINE.serving(new DirectScatter(collective)));
            }
            // Only some ranks know these counts, so size cannot choose the algorithm: take one that serves all sizes.
            case ALLTOALLV -> {
                list.add(PAIRWISE.serving(new PairwiseAlltoall(collective)));
                list.add(PUSH.serving(new PairwiseAlltoall(collective)));
            }
            case GATHERV -> {
                list.add(PAIRWISE.serving(new DirectGather(collective)));
                list.add(PUSH.serving(new DirectGather(collective)));
            }
            case SCATTERV -> {
                list.add(PAIRWISE.serving(new DirectScatter(collective)));
                list.add(PUSH.serving(new DirectScatter(collective)));
            }
            case NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL -> list.add(
                PAIRWISE.serving(new PairwiseNeighbours(collective)));
        }
        list.add(DeviceAlgorithm.staged(collective));
        return List.copyOf(list);
    }
}
