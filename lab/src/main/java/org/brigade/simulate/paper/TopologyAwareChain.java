package org.brigade.simulate.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.bcast.TopologyAwareChainBcast;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.picture.HeatMap;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.WiringBandwidth;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.model.LinkKind;

/**
 * The topology-aware pipelined chain against the plain one in rank order: in figure 11 of Xin et al. (2020) it is 50 %
 * faster on RX1 with 64 GPUs, 27 % on RX3. Both use the best of the windows from 128 KiB to 8 MiB.
 *
 * <p>
 * Then a sweep over what the paper does not say: how fast adapters read GPU memory through the root complex of their
 * own socket and of the other one, the number of adapters, whether PCIe carries both directions at once. The sweep
 * compares steady-state rates of the chains on three nodes: a chain's slowest transfer is within a node or between two.
 */
final class TopologyAwareChain implements Experiment {
    private static final long BYTES = 64L << 20;
    private static final long LEAST_WINDOW = 128 << 10;
    private static final long MOST_WINDOW = 8 << 20;
    private static final double[] READ_RATES = {1e9, 2e9, 3.5e9, 5e9, 7e9, 12e9};
    private static final double[] FAR_SHARES = {0.1, 0.25, 0.5, 0.67, 0.75, 1};
    private static final int[] ADAPTERS = {1, 2};
    private static final double SWEPT_NODES = 3;

    private final double gain1 = gain(Machines.find("rx1"));
    private final double gain3 = gain(Machines.find("rx3"));
    /** By adapters and duplex, then by read rate, then by the share of it that remains across sockets. */
    private final List<Sweep> sweeps = new ArrayList<>();

    /** One map of the sweep. */
    private record Sweep(String what, double[][] gains) {
        long within(double low, double high) {
            long count = 0;
            for (double[] row : gains) {
                for (double gain : row) {
                    count += gain >= low && gain <= high ? 1 : 0;
                }
            }
            return count;
        }
    }

    TopologyAwareChain() {
        for (int adapters : ADAPTERS) {
            for (boolean half : new boolean[] {false, true}) {
                double[][] gains = new double[READ_RATES.length][FAR_SHARES.length];
                for (int i = 0; i < READ_RATES.length; i++) {
                    for (int j = 0; j < FAR_SHARES.length; j++) {
                        gains[i][j] = steadyGain(swept(adapters, half, READ_RATES[i], FAR_SHARES[j]));
                    }
                }
                sweeps.add(new Sweep((adapters == 1 ? "one adapter" : adapters + " adapters") + ", PCIe "
                    + (half ? "half" : "full") + " duplex", gains));
            }
        }
    }

    private static Machine swept(int adapters, boolean half, double read, double farShare) {
        Machine machine = Machines.find("rx1").with("nodes", SWEPT_NODES).with("hcas", adapters).with("gdr-read", read)
            .with("gdr-read-far", read * farShare);
        return half ? machine.halfDuplex(LinkKind.PCI) : machine;
    }

    private static double gain(Machine machine) {
        MachineWiring wiring = MachineWiring.of(machine);
        return best(wiring, new PipelinedChainBcast(), CommunicatorTopology.NONE)
            / best(wiring, new TopologyAwareChainBcast(), wiring.wires(wiring.ranks(), MOST_WINDOW));
    }

    private static double best(MachineWiring wiring, ScheduledAlgorithm algorithm, CommunicatorTopology wires) {
        double best = Double.POSITIVE_INFINITY;
        for (long window = LEAST_WINDOW; window <= MOST_WINDOW; window *= 2) {
            best = Math.min(best, new Simulator(wiring)
                .run(new SimulatedCall(algorithm, wiring.ranks(), 0, BYTES, window, 2, wires)).seconds());
        }
        return best;
    }

    private static double steadyGain(Machine machine) {
        MachineWiring wiring = MachineWiring.of(machine);
        WiringBandwidth bandwidth = new WiringBandwidth(wiring, MOST_WINDOW);
        Order found = wiring.wires(wiring.ranks(), MOST_WINDOW).chain(0, wiring.ranks());
        int[] plain = new int[wiring.ranks()];
        int[] aware = new int[wiring.ranks()];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = i;
            aware[i] = found.rank(i);
        }
        return bandwidth.of(aware, 0, aware.length) / bandwidth.of(plain, 0, plain.length);
    }

    @Override
    public List<Reproduction> results() {
        return List.of(
            new Reproduction("TA-PC against PC: RX1 with 64 GPUs", "Xin et al. 2020 fig. 11", "1.5", gain1, 1.4, 1.6,
                "times", "t(PC)/t(TA-PC) for 64 MiB; swept: " + region(1.4, 1.6)),
            new Reproduction("TA-PC against PC: RX3", "Xin et al. 2020 fig. 11", "1.27", gain3, 1.2, 1.35, "times",
                "t(PC)/t(TA-PC) for 64 MiB; swept on RX1: " + region(1.2, 1.35)));
    }

    /** Where the sweep's gain lies between two values. */
    private String region(double low, double high) {
        StringBuilder words = new StringBuilder();
        for (Sweep sweep : sweeps) {
            words.append(words.isEmpty() ? "" : "; ").append(String.format(Locale.ROOT, "%s %d of %d", sweep.what,
                sweep.within(low, high), READ_RATES.length * FAR_SHARES.length));
        }
        return words.toString();
    }

    /** The sweep with one adapter and full duplex, where the search has most choices. */
    @Override
    public Picture picture() {
        String[] columns = new String[FAR_SHARES.length];
        for (int j = 0; j < columns.length; j++) {
            columns[j] = String.format(Locale.ROOT, "%.2f", FAR_SHARES[j]);
        }
        String[] rows = new String[READ_RATES.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = String.format(Locale.ROOT, "%.1f GB/s", READ_RATES[i] / 1e9);
        }
        return new HeatMap("TA-PC against PC on RX1, " + sweeps.get(0).what + " (framed: 1.4 to 1.6)",
            "read across sockets, share of the own socket's", columns, "GPUDirect read, own socket",
            rows, sweeps.get(0).gains, 1.4, 1.6);
    }

    /** All maps of the sweep as text, a line each row. */
    String sweeps() {
        StringBuilder text = new StringBuilder();
        for (Sweep sweep : sweeps) {
            text.append(sweep.what).append('\n');
            for (int i = 0; i < READ_RATES.length; i++) {
                text.append(String.format(Locale.ROOT, "%5.1f", READ_RATES[i] / 1e9));
                for (double gain : sweep.gains[i]) {
                    text.append(String.format(Locale.ROOT, " %6.2f", gain));
                }
                text.append('\n');
            }
        }
        return text.toString();
    }
}
