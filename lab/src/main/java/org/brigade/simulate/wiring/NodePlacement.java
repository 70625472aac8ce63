package org.brigade.simulate.wiring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which place of a machine each rank has: a GPU or a core. In a node, ranks take the places in order. */
public final class NodePlacement {
    private NodePlacement() {
    }

    /** Node after node is filled, as by {@code mpirun --map-by slot}. */
    public static int[] blocks(MachineWiring machine, int ranks) {
        int[] places = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            places[rank] = rank;
        }
        return places;
    }

    /** Ranks are dealt out to the nodes in turn, as by {@code mpirun --map-by node}. */
    public static int[] cyclic(MachineWiring machine, int ranks) {
        int nodes = machine.ranks() / machine.perNode();
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            nodeOf[rank] = rank % nodes;
        }
        return onNodes(machine, nodeOf);
    }

    /**
     * By a file that has the number of each rank's node, from rank 0 on; {@code #} begins a remark.
     *
     * @throws IllegalArgumentException if it cannot be read, has another number of ranks, or names a node too often
     */
    public static int[] read(Path file, MachineWiring machine, int ranks) {
        List<Integer> nodeOf = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.replaceFirst("#.*", "").strip().split("[\\s,]+");
                for (String word : words) {
                    if (!word.isEmpty()) {
                        nodeOf.add(Integer.parseInt(word));
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            throw new IllegalArgumentException(
                file + ": " + e + "; write the number of each rank's node, as in 0 0 1 1",
                e);
        }
        if (nodeOf.size() != ranks) {
            throw new IllegalArgumentException(file + " places " + nodeOf.size() + " ranks, and the call has " + ranks
                + "; write as many numbers, or pass --ranks " + nodeOf.size());
        }
        return onNodes(machine, nodeOf.stream().mapToInt(Integer::intValue).toArray());
    }

    private static int[] onNodes(MachineWiring machine, int[] nodeOf) {
        int perNode = machine.perNode();
        int[] taken = new int[machine.ranks() / perNode];
        int[] places = new int[nodeOf.length];
        for (int rank = 0; rank < places.length; rank++) {
            int node = nodeOf[rank];
            if (node < 0 || node >= taken.length || taken[node] == perNode) {
                throw new IllegalArgumentException("rank " + rank + " on node " + node + ": machine "
                    + machine.machine().name() + " has " + taken.length + " nodes, from 0, with " + perNode
                    + " places each");
            }
            places[rank] = node * perNode + taken[node]++;
        }
        return places;
    }
}
