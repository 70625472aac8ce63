package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * A made-up node: GPUs and memories with ports, NUMA nodes with wires between them, equal shares, and pairs of
 * transfers that hurt each other. More transfers are never faster.
 */
final class SharedWires implements TransferMeter {
    private final NodeLayout layout;
    private final Map<String, Double> capacity = new HashMap<>();
    private final double[][] penalty;
    int calls;

    /** @param alike all ports of a kind are the same, so that isomorphic sets are as fast as each other */
    SharedWires(NodeLayout layout, long seed, boolean alike) {
        this.layout = layout;
        Random random = new Random(seed);
        for (String kind : List.of("gpu out ", "gpu in ", "memory ", "wire ", "direct ", "nic out ", "nic in ")) {
            double common = 2 + random.nextInt(20);
            for (int i = 0; i < 64; i++) {
                for (int j = 0; j < (kind.equals("wire ") || kind.equals("direct ") ? 8 : 1); j++) {
                    capacity.put(kind + i + (j > 0 ? "," + j : ""), 1e9 * (alike ? common : 2 + random.nextInt(20)));
                }
            }
        }
        penalty = new double[12][12];
        for (int a = 0; a < 12; a++) {
            for (int b = 0; b < 12; b++) {
                penalty[a][b] = random.nextInt(4) == 0 ? 0.5 + random.nextDouble() / 2 : 1;
            }
        }
    }

    @Override
    public double bandwidth(TransferSet set) {
        calls++;
        Map<String, Integer> load = new HashMap<>();
        List<List<String>> uses = new ArrayList<>();
        for (Transfer transfer : set.transfers()) {
            List<String> used = new ArrayList<>();
            boolean inter = transfer.type().inter();
            used.add(
                (transfer.type().fromGpu() ? "gpu out " : "memory ") + (transfer.from() + 20 * transfer.fromNode()));
            used.add((transfer.type().toGpu() ? "gpu in " : "memory ") + (transfer.to() + 20 * transfer.toNode()));
            int fromNuma = transfer.type().fromGpu() ? layout.numaOfGpu()[transfer.from()] : transfer.from();
            int toNuma = transfer.type().toGpu() ? layout.numaOfGpu()[transfer.to()] : transfer.to();
            if (inter) {
                used.add("nic out " + transfer.fromNode());
                used.add("nic in " + transfer.toNode());
                wire(used, transfer.fromNode(), fromNuma, layout.nicNuma()[0]);
                wire(used, transfer.toNode(), layout.nicNuma()[0], toNuma);
            } else {
                wire(used, transfer.fromNode(), fromNuma, toNuma);
                if (transfer.type().peer() && fromNuma != toNuma) {
                    used.add("direct " + fromNuma + (toNuma > 0 ? "," + toNuma : ""));
                }
            }
            used.replaceAll(name -> capacity.containsKey(name) ? name : "memory 0");
            for (String name : used) {
                load.merge(name, 1, Integer::sum);
            }
            uses.add(used);
        }
        double slowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < uses.size(); i++) {
            Transfer transfer = set.transfers().get(i);
            double rate = Double.POSITIVE_INFINITY;
            for (String name : uses.get(i)) {
                rate = Math.min(rate, capacity.get(name) / load.get(name));
            }
            for (Transfer other : set.transfers()) {
                boolean meet = other.type().fromGpu() && transfer.type().toGpu() && other.from() == transfer.to()
                    && other.fromNode() == transfer.toNode();
                rate *= meet ? penalty[transfer.type().ordinal()][other.type().ordinal()] : 1;
            }
            slowest = Math.min(slowest, rate);
        }
        return slowest;
    }

    private static void wire(List<String> used, int node, int from, int to) {
        if (from != to) {
            used.add("wire " + (from + 10 * node) + (to > 0 ? "," + to : ""));
        }
    }
}
