package org.brigade.simulate.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.spi.Collective;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.allgather.RingAllgather;
import org.brigade.algorithm.allreduce.SegmentedRingAllreduce;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.reduce.PipelinedChainReduce;
import org.brigade.algorithm.reducescatter.RingReduceScatter;
import org.brigade.picture.BarChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machine;

/**
 * All collectives of the thesis over SISCI and over sockets (Cubedo 2021, figures 5.5 and 5.6), the gradients of
 * EfficientNet-B0 (figure 6.2), and SISCI beside faster Ethernets, which the thesis wishes for (chapter 8). The model
 * is that of {@link SisciBesideSockets}, with its floor and its fitted cost of a DMA; NCCL's rings and chains with its
 * slices.
 *
 * <p>
 * Figure 5.5 has the mean bandwidth of sizes from 8 elements to 1 GB in powers of two, as a picture; the text says that
 * every collective gains. Sockets stopped at half a gigabyte there, so both means end with it here.
 */
final class SisciCollectives implements Experiment {
    private static final int LEAST_POWER = 3;
    private static final int MOST_POWER = 27;
    private static final double ETHERNET = 0.1177e9;
    private static final double GIGABIT_LANE = 0.5e9;
    private static final int[] GIGABITS = {10, 25, 100};
    private static final long LARGE = 64L << 20;
    /** What the thesis says of the floats of EfficientNet-B0, in section 1.1; the net's own paper has 5.3 million. */
    private static final long SAID = 11_000_000;

    private record Operation(String name, ScheduledAlgorithm algorithm, boolean perRank) {
    }

    private static final List<Operation> OPERATIONS =
        List.of(new Operation("allreduce", new SegmentedRingAllreduce(), false),
            new Operation("bcast", new PipelinedChainBcast(), false),
            new Operation("reduce", new PipelinedChainReduce(), false),
            new Operation("allgather", new RingAllgather(Collective.ALLGATHER), true),
            new Operation("reduce-scatter", new RingReduceScatter(), false));

    private final Machine sockets = SisciBesideSockets.sockets(SisciBesideSockets.FLOOR);
    private final Machine sisci = SisciBesideSockets
        .sisci(SisciBesideSockets.FLOOR + SisciBesideSockets.fitted(SisciBesideSockets.FLOOR));
    private final double[] sisciMeans = new double[OPERATIONS.size()];
    private final double[] socketMeans = new double[OPERATIONS.size()];
    private final List<Reproduction> results = new ArrayList<>();

    SisciCollectives() {
        RoutingModel fast = MachineWiring.of(sisci);
        RoutingModel slow = MachineWiring.of(sockets);
        double least = Double.POSITIVE_INFINITY;
        StringBuilder all = new StringBuilder("mean bandwidth of SISCI over that of sockets:");
        for (int i = 0; i < OPERATIONS.size(); i++) {
            sisciMeans[i] = mean(fast, OPERATIONS.get(i));
            socketMeans[i] = mean(slow, OPERATIONS.get(i));
            double gain = sisciMeans[i] / socketMeans[i];
            least = Math.min(least, gain);
            all.append(String.format(Locale.ROOT, " %s %.1f", OPERATIONS.get(i).name, gain));
        }
        results.add(new Reproduction("SISCI over sockets: the collective that gains least", "Cubedo 2021 fig. 5.5 5.6",
            "every collective gains", least, 1.05, 63, "times", all.toString()));
        int[] tensors = EfficientNetB0.tensors();
        long floats = 0;
        double each = 0;
        double eachBySockets = 0;
        for (int tensor : tensors) {
            floats += tensor;
            each += allreduce(fast, 4L * tensor);
            eachBySockets += allreduce(slow, 4L * tensor);
        }
        double fused = allreduce(slow, 4 * floats)
            / allreduce(fast, 4 * floats);
        results.add(new Reproduction("gradients of EfficientNet-B0: SISCI over sockets", "Cubedo 2021 fig. 6.2",
            "12 times", fused, 9, 15, "times",
            String.format(Locale.ROOT, "one allreduce of all %d floats; %.1f with one"
                + " for each of %d tensors; the thesis says about 11 M floats: %.1f with those; predicted", floats,
                eachBySockets / each, tensors.length, allreduce(slow, 4 * SAID) / allreduce(fast, 4 * SAID))));
        for (int gigabit : GIGABITS) {
            results.add(new Reproduction("SISCI over sockets of " + gigabit + " Gbit/s", "Cubedo 2021 ch. 8",
                "not measured", gain(gigabit), 0.95, 12.8, "times",
                "allreduce of 64 MiB; two nodes; without the cost of the kernel's copies; the GPUs' four Gen2 lanes"
                    + " limit both")
                .expectedByUs());
        }
    }

    /** How many times an allreduce is shorter over SISCI than over faster Ethernet. */
    private double gain(int gigabit) {
        Machine ethernet = sockets.with("ethernet", ETHERNET * gigabit).with("nic-pcie", GIGABIT_LANE * gigabit);
        return allreduce(MachineWiring.of(ethernet), LARGE) / allreduce(MachineWiring.of(sisci), LARGE);
    }

    private static double allreduce(RoutingModel wiring, long bytes) {
        return new Simulator(wiring)
            .run(new SimulatedCall(new SegmentedRingAllreduce(), SisciBesideSockets.RANKS, bytes,
                SisciBesideSockets.SLICE, 2))
            .seconds();
    }

    /** The mean algorithm bandwidth over all sizes, in GB/s. */
    private static double mean(RoutingModel wiring, Operation operation) {
        double sum = 0;
        int ranks = SisciBesideSockets.RANKS;
        for (int power = LEAST_POWER; power <= MOST_POWER; power++) {
            long bytes = SisciBesideSockets.ELEMENT << power;
            long own = operation.perRank ? bytes / ranks : bytes;
            double seconds = new Simulator(wiring)
                .run(new SimulatedCall(operation.algorithm, ranks, own, SisciBesideSockets.SLICE, 2)).seconds();
            sum += bytes / seconds / 1e9;
        }
        return sum / (MOST_POWER - LEAST_POWER + 1);
    }

    @Override
    public List<Reproduction> results() {
        return results;
    }

    @Override
    public Picture picture() {
        return new BarChart("Mean algorithm bandwidth, 2 hosts with 2 GPUs (Cubedo 2021, figure 5.5)", "GB/s",
            OPERATIONS.stream().map(operation -> operation.name).toArray(String[]::new))
            .series("SISCI by DMA", sisciMeans).series("sockets, 1 Gbit/s", socketMeans);
    }
}
