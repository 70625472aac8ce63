package org.brigade.simulate.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.brigade.picture.HeatMap;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedMeter;
import org.brigade.topology.Distance;
import org.brigade.topology.Machine;
import org.brigade.topology.Machines;
import org.brigade.topology.profile.IsomorphismCache;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathSearch;
import org.brigade.topology.profile.StaticRing;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferSet;

/**
 * Rings found by measuring sets of transfers against rings chosen by links' rates on paper, over every set of a node's GPUs: 004 has up to 2.07 times the bandwidth.
 *
 * <p>The machines are like its two, with congestion whose kind it tells and whose measure is ours: their files say which figures. The static choice is NCCL's of that time: on Intel
 * direct transfers below a PCIe switch only, bounce buffers at the receiver; a user may lift that (NCCL_P2P_LEVEL), which is the third row.
 */
final class PathSearchGain implements Experiment {
    private static final double WANTED = 1.8;

    private final List<Row> rows = new ArrayList<>();

    /** A machine, NCCL's reach on it, and the search's gain for each set of GPUs. */
    private record Row(String name, List<String> sets, double[] gains, String best) {
        double most() {
            double most = 0;
            for (double gain : gains) {
                most = Math.max(most, gain);
            }
            return most;
        }
    }

    PathSearchGain() {
        rows.add(row("AMD-V100", "amd-v100", Distance.NODE));
        rows.add(row("Intel-V100", "intel-v100", Distance.SWITCH));
        rows.add(row("Intel-V100, peers allowed", "intel-v100", Distance.NODE));
    }

    private static Row row(String name, String machineName, Distance farthest) {
        Machine machine = Machines.find(machineName);
        SimulatedMeter meter = new SimulatedMeter(machine);
        NodeLayout layout = meter.layout();
        PathSearch search = new PathSearch(layout, new IsomorphismCache(layout, meter));
        StaticRing chosen = new StaticRing(machine.topology(), layout, farthest, false);
        List<String> sets = new ArrayList<>();
        List<Double> gains = new ArrayList<>();
        String best = "";
        double most = 0;
        for (int mask = 3; mask < 1 << layout.gpus(); mask++) {
            if (Integer.bitCount(mask) > 1) {
                MeasuredPath found = search.ring(mask);
                List<Transfer> ring = chosen.over(mask);
                double known = meter.bandwidth(TransferSet.of(ring));
                sets.add(gpus(mask));
                gains.add(found.bandwidth() / known);
                if (found.bandwidth() / known > most) {
                    most = found.bandwidth() / known;
                    best = "GPUs " + gpus(mask) + ": " + words(ring) + " at " + gigabytes(known) + " against " + words(found.body()) + " at " + gigabytes(found.bandwidth()) + " GB/s";
                }
            }
        }
        return new Row(name, sets, gains.stream().mapToDouble(Double::doubleValue).toArray(), best);
    }

    private static String gpus(int mask) {
        StringBuilder text = new StringBuilder();
        for (int gpu = 0; mask >> gpu != 0; gpu++) {
            if ((mask >> gpu & 1) != 0) {
                text.append(gpu);
            }
        }
        return text.toString();
    }

    /** {@code 0>3 3>m1 m1>2 2>0}: m is a bounce buffer at a NUMA node. */
    private static String words(List<Transfer> transfers) {
        StringJoiner words = new StringJoiner(" ");
        for (Transfer transfer : transfers) {
            words.add((transfer.type().fromGpu() ? "" : "m") + transfer.from() + '>' + (transfer.type().toGpu() ? "" : "m") + transfer.to());
        }
        return words.toString();
    }

    private static double gigabytes(double rate) {
        return Math.round(rate / 1e8) / 10.0;
    }

    @Override
    public List<Reproduction> results() {
        List<Reproduction> results = new ArrayList<>();
        for (Row row : rows) {
            // What the papers' machines lose is in a picture only; so is what makes the case of 2.07.
            boolean illustrated = row == rows.get(rows.size() - 1);
            results.add(new Reproduction("path search against the static ring: " + row.name, "004", "up to 2.07", row.most(), illustrated ? WANTED : 1,
                illustrated ? Double.POSITIVE_INFINITY : 2.3, "times", row.best + "; the penalties are ours"));
        }
        return results;
    }

    @Override
    public Picture picture() {
        double[][] values = new double[rows.size()][];
        String[] names = new String[rows.size()];
        for (int i = 0; i < names.length; i++) {
            values[i] = rows.get(i).gains;
            names[i] = rows.get(i).name;
        }
        return new HeatMap("Path search against the static ring (004; framed: 1.8 or more)", "GPUs of the ring", rows.get(0).sets.toArray(new String[0]), "", names, values, WANTED,
            Double.POSITIVE_INFINITY);
    }
}
