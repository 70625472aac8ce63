package org.brigade.simulate.paper;

import java.util.List;
import org.brigade.algorithm.allreduce.SegmentedRingAllreduce;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;

/**
 * NCCL's allreduce of floats over a DMA-only SISCI plugin against gigabit Ethernet's sockets, two hosts with two GPUs
 * each: Cubedo (2021), figures 5.2 to 5.4. A ring with slices of 512 KiB, as NCCL's simple protocol has by default (4
 * MiB in 8 steps).
 *
 * <p>
 * The text gives three facts instead of figures: similar below 8000 elements, SISCI faster above, its bandwidth at its
 * peak above 1,100,000 elements. NCCL reaches both by the same proxy thread and plugin interface, so both have one
 * floor: what a message costs beside its bytes, whatever moves it. One number is fitted, what a DMA costs beyond the
 * floor, so that the two cross at 8000 elements. The floor is an estimate; the verdicts are the same for floors from a
 * half to twice of it, which {@link #results} checks.
 */
final class SisciBesideSockets implements Experiment {
    static final int RANKS = 4;
    static final long SLICE = 512 << 10;
    static final long ELEMENT = 4;
    private static final long CROSSING = 8000;
    private static final int LEAST_POWER = 3;
    private static final int MOST_POWER = 28;
    /** Seconds. An estimate: the thesis gives no times of small messages. */
    static final double FLOOR = 200e-6;

    private final List<Reproduction> results;
    private final Curves curves = new Curves(FLOOR);

    SisciBesideSockets() {
        List<Reproduction> found = curves.results("");
        StringBuilder others = new StringBuilder();
        for (double floor : new double[] {FLOOR / 2, 2 * FLOOR}) {
            List<Reproduction> same = new Curves(floor).results("");
            for (int i = 0; i < same.size(); i++) {
                if (same.get(i).hit() != found.get(i).hit()) {
                    others.append("; not with ").append(Math.round(floor * 1e6)).append(" us: ")
                        .append(same.get(i).name());
                }
            }
        }
        results = curves.results(others.isEmpty() ? "; the same verdicts with 100 and 400 us" : others.toString());
    }

    /** The hosts with gigabit Ethernet, and a floor. */
    static Machine sockets(double floor) {
        Machine plain = Machines.find("thesis-sockets");
        return plain.with("tcp", plain.figures().get("tcp").value() + floor);
    }

    /** The hosts with adapters whose DMA costs so many seconds. */
    static Machine sisci(double dma) {
        return Machines.find("thesis-sisci").with("dma", dma);
    }

    /** The seconds beyond a floor that a DMA must cost for the two to cross where they do. */
    static double fitted(double floor) {
        double wanted = seconds(MachineWiring.of(sockets(floor)), CROSSING);
        double low = 0;
        double high = wanted;
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            if (seconds(MachineWiring.of(sisci(floor + middle)), CROSSING) < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Times by size, with a floor. */
    private static final class Curves {
        final double floor;
        final double fitted;
        final double[] elements = new double[MOST_POWER - LEAST_POWER + 1];
        final double[] socketSeconds = new double[elements.length];
        final double[] sisciSeconds = new double[elements.length];

        Curves(double floor) {
            this.floor = floor;
            RoutingModel sockets = MachineWiring.of(sockets(floor));
            fitted = fitted(floor);
            RoutingModel sisci = MachineWiring.of(sisci(floor + fitted));
            for (int i = 0; i < elements.length; i++) {
                elements[i] = 1L << LEAST_POWER + i;
                socketSeconds[i] = seconds(sockets, (long) elements[i]);
                sisciSeconds[i] = seconds(sisci, (long) elements[i]);
            }
        }

        /** The greatest ratio between the two below the crossing. */
        double mostApartBelow() {
            double most = 1;
            for (int i = 0; i < elements.length && elements[i] <= CROSSING; i++) {
                double ratio = sisciSeconds[i] / socketSeconds[i];
                most = Math.max(most, Math.max(ratio, 1 / ratio));
            }
            return most;
        }

        /** The fewest elements at which the bandwidth is 0.9 of its maximum. */
        double peak(double[] seconds) {
            double most = 0;
            for (int i = 0; i < elements.length; i++) {
                most = Math.max(most, elements[i] / seconds[i]);
            }
            int i = 0;
            while (elements[i] / seconds[i] < 0.9 * most) {
                i++;
            }
            return elements[i];
        }

        List<Reproduction> results(String others) {
            double ratio = socketSeconds[elements.length - 2] / sisciSeconds[elements.length - 2];
            double peak = peak(sisciSeconds);
            return List.of(
                new Reproduction("SISCI and sockets alike below 8000 elements", "Cubedo 2021 5.6", "similar",
                    mostApartBelow(), 1, 2, "times apart",
                    "the most there; a floor of " + Math.round(floor * 1e6) + " us for both; fitted: a DMA costs "
                        + Math.round(fitted * 1e6) + " us more" + others),
                new Reproduction("SISCI at its peak from", "Cubedo 2021 5.6", "1100000 elements", peak, 1.1e6 / 4,
                    1.1e6 * 4, "elements", "0.9 of the most bandwidth; predicted"),
                new Reproduction("sockets at their peak from", "Cubedo 2021 5.6", "around SISCI's size",
                    peak(socketSeconds), 1.1e6 / 4, 1.1e6 * 4, "elements",
                    "0.9 of the most bandwidth; beside the thesis' 1100000 of SISCI; "
                        + Math.round(1.1e6 / peak(socketSeconds) * 10) / 10.0 + " times too early; predicted"),
                new Reproduction("SISCI over sockets at 0.5 GiB", "Cubedo 2021 5.6", "much lower for sockets", ratio, 4,
                    63, "times",
                    "predicted; 63 is the ratio of the links and the GPUs' four Gen2 lanes allow 12.8").expectedByUs());
        }
    }

    private static double seconds(RoutingModel wiring, long elements) {
        return new Simulator(wiring)
            .run(new SimulatedCall(new SegmentedRingAllreduce(), RANKS, ELEMENT * elements, SLICE, 2)).seconds();
    }

    @Override
    public List<Reproduction> results() {
        return results;
    }

    @Override
    public Picture picture() {
        double[] elements = curves.elements;
        double[] sisciRate = new double[elements.length];
        double[] socketRate = new double[elements.length];
        for (int i = 0; i < elements.length; i++) {
            sisciRate[i] = ELEMENT * elements[i] / curves.sisciSeconds[i] / 1e9;
            socketRate[i] = ELEMENT * elements[i] / curves.socketSeconds[i] / 1e9;
        }
        return new LineChart("Allreduce, 2 hosts with 2 GPUs (Cubedo 2021, figure 5.2)", "elements of 4 bytes", true,
            "algorithm bandwidth, GB/s", true)
            .curve("SISCI by DMA", elements, sisciRate).curve("sockets, 1 Gbit/s", elements, socketRate);
    }
}
