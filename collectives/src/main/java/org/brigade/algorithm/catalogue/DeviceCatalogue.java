package org.brigade.algorithm.catalogue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.allgather.RingAllgather;
import org.brigade.algorithm.allreduce.DirectExchangeAllreduce;
import org.brigade.algorithm.allreduce.RabenseifnerAllreduce;
import org.brigade.algorithm.allreduce.SegmentedRingAllreduce;
import org.brigade.algorithm.alltoall.PairwiseAlltoall;
import org.brigade.algorithm.bcast.DirectBcast;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.bcast.ScatterAllgatherBcast;
import org.brigade.algorithm.gather.DirectGather;
import org.brigade.algorithm.reduce.DirectReduce;
import org.brigade.algorithm.reducescatter.PairwiseReduceScatter;
import org.brigade.algorithm.reducescatter.RingReduceScatter;
import org.brigade.algorithm.scan.PipelinedChainScan;
import org.brigade.algorithm.scatter.DirectScatter;
import mpi.spi.Collective;

/**
 * The algorithms of device memory, by collective and name:
 *
 * <pre>
 *   packets            every datum travels with a flag through the peers' scratch memory: one way, no barrier, twice the bytes
 *   push               each rank stores its blocks straight into the peers' receive buffers
 *   pull               each rank loads from the peers' send buffers, and reduces as it loads
 *   two-shot           allreduce: each rank pulls and reduces its slice, then pushes it to all
 *   push-two-phase     allreduce, reduce-scatter: slices are pushed to their owners by windows, reduced there, and pushed to all
 *   ring               each rank pushes to its right neighbour only
 *   scatter-allgather  bcast: the root pushes a slice to each, who pushes it on to the others
 *   chain              bcast: windows go from rank to rank; a share may go by way of the host
 *   copy-engine        bcast between two ranks by the copy engine; a share may go by way of the host
 *   staged             the schedules of host memory
 * </pre>
 *
 * Those that go by windows need buffers and blocks at multiples of {@link Placement#ALIGNMENT} bytes. Where the output of one rank would come to lie on input that another has still to read, only
 * {@code packets} serves calls in place.
 *
 * <p>All kernels reduce with MPI's own operations only, which commute; what the user defines is staged. A barrier touches no memory, so it is the host's.
 */
public final class DeviceCatalogue {
    /** Not run on the device: the host's schedules, over links that copy from and to it. Serves every call. */
    public static final String STAGED = "staged";
    /** Sends everything away before it writes any result, so that it serves all calls in place. */
    public static final String PACKETS = "packets";
    /** Most ranks that a kernel can address: MAX_RANKS of call.cuh. */
    public static final int RANKS = 8;
    /** Bytes that one rank may send another in packets: what a slot of the scratch memory holds. */
    public static final long PACKET_BYTES = 256 << 10;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final List<DeviceAlgorithm>[] LISTS = new List[Collective.values().length];

    private DeviceCatalogue() {
    }

    /** The algorithms of a collective, {@code staged} last; those that are best for short messages tend to come first. Immutable. */
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
            case BARRIER -> { }
            case BCAST -> {
                list.add(packets(new DirectBcast()));
                list.add(plain("push", new DirectBcast()));
                list.add(windows("scatter-allgather", new ScatterAllgatherBcast()));
                list.add(striped("chain", new PipelinedChainBcast(), RANKS, true));
                list.add(striped("copy-engine", new DirectBcast(), 2, false));
            }
            case REDUCE -> {
                list.add(packets(new DirectReduce()));
                list.add(plain("pull", new DirectReduce()));
            }
            case ALLREDUCE -> {
                list.add(packets(new DirectExchangeAllreduce()));
                list.add(plain("two-shot", new RabenseifnerAllreduce()));
                list.add(windows("push-two-phase", new RabenseifnerAllreduce()));
                list.add(windows("ring", new SegmentedRingAllreduce()));
            }
            case SCAN, EXSCAN -> {
                list.add(packets(new PipelinedChainScan(collective)));
                list.add(plain("pull", new PipelinedChainScan(collective)));
            }
            case REDUCE_SCATTER -> {
                list.add(packets(new PairwiseReduceScatter()));
                list.add(plain("pull", new PairwiseReduceScatter()));
                list.add(windows("push-two-phase", new PairwiseReduceScatter()));
                list.add(windows("ring", new RingReduceScatter()));
            }
            case ALLGATHER, ALLGATHERV -> {
                list.add(packets(new RingAllgather(collective)));
                list.add(plain("push", new RingAllgather(collective)));
                list.add(windows("ring", new RingAllgather(collective)));
            }
            case ALLTOALL -> {
                list.add(packets(new PairwiseAlltoall(collective)));
                list.add(plain("push", new PairwiseAlltoall(collective)));
            }
            case GATHER -> {
                list.add(packets(new DirectGather(collective)));
                list.add(plain("push", new DirectGather(collective)));
            }
            case SCATTER -> {
                list.add(packets(new DirectScatter(collective)));
                list.add(plain("push", new DirectScatter(collective)));
            }
            // Only some ranks know these counts, so that no size can choose: what serves them all.
            case ALLTOALLV -> list.add(plain("push", new PairwiseAlltoall(collective)));
            case GATHERV -> list.add(plain("push", new DirectGather(collective)));
            case SCATTERV -> list.add(plain("push", new DirectScatter(collective)));
        }
        list.add(new DeviceAlgorithm(STAGED, collective, null, Restrictions.NONE, false, false));
        return List.copyOf(list);
    }

    private static DeviceAlgorithm packets(ScheduledAlgorithm meaning) {
        return new DeviceAlgorithm(PACKETS, meaning.collective(), meaning, kernel(meaning, RANKS, PACKET_BYTES, false, false), false, false);
    }

    private static DeviceAlgorithm plain(String name, ScheduledAlgorithm meaning) {
        return new DeviceAlgorithm(name, meaning.collective(), meaning, kernel(meaning, RANKS, Long.MAX_VALUE, false, overwrites(meaning.collective())), false, false);
    }

    private static DeviceAlgorithm windows(String name, ScheduledAlgorithm meaning) {
        return new DeviceAlgorithm(name, meaning.collective(), meaning, kernel(meaning, RANKS, Long.MAX_VALUE, true, overwrites(meaning.collective())), true, false);
    }

    private static DeviceAlgorithm striped(String name, ScheduledAlgorithm meaning, int ranks, boolean aligned) {
        return new DeviceAlgorithm(name, meaning.collective(), meaning, kernel(meaning, ranks, Long.MAX_VALUE, aligned, false), true, true);
    }

    private static Restrictions kernel(ScheduledAlgorithm meaning, int ranks, long bytes, boolean aligned, boolean apart) {
        return new Restrictions(meaning.collective().reduces, false, ranks, bytes, aligned, apart);
    }

    /** Whether in place results come to lie where peers still have to read. */
    private static boolean overwrites(Collective collective) {
        return switch (collective) {
            case SCAN, EXSCAN, REDUCE_SCATTER, ALLTOALL, ALLTOALLV -> true;
            default -> false;
        };
    }
}
