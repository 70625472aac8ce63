package org.brigade.cli.tune;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.bootstrap.Nodes;
import org.brigade.cli.shared.AllRanks;
import org.brigade.cli.shared.SizeList;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.nativ.UserFolders;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.profile.NetworkWorker;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.tuned.ClusterShape;
import org.brigade.tuned.ClusterTable;
import org.brigade.tuned.TunedTable;

/**
 * {@code brigade tune --nodes}, on each node as many processes as later jobs have ranks there, started by the MPI that
 * joins the nodes: measures the network, and the algorithms on it, and writes the table that such jobs follow.
 */
final class NodesTuning {
    /** One call of a slow network can take a second. */
    private static final double LONGEST_CELL = 20e9;
    private static final int LONGEST_NAME = 256;
    private static final int PROBED = 1 << 20;
    private static final int PROBES = 5;
    private static final String HOW =
        "start it by the MPI of your cluster as the jobs that are to profit, with as many processes on each node: mpirun"
            + " --host node1:2,node2:2 bin/brigade tune --nodes";

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank;
    private final Consumer<String> lines;
    private final String fabric = Diagnostics.fabric();
    private int[] nodeOf;

    private NodesTuning(Consumer<String> lines) throws MPIException {
        this.lines = lines;
        rank = world.getRank();
    }

    /**
     * Measures and writes; collective.
     *
     * @param operations names of collectives
     * @param seconds in all
     * @param lines takes what rank 0 says: lines for people, and {@code progress MEASURED EXPECTED}
     * @return whether all went well; else another rank throws and says why
     */
    static boolean run(String[] operations, String sizes, double seconds, Consumer<String> lines)
        throws MPIException, IOException {
        System.setProperty("brigade.tuning", "none"); // the default is the jar's
        return AllRanks.run(() -> {
            MPI.Init(new String[0]);
            new NodesTuning(lines).tune(operations,
                SizeList.parse(sizes).stream().mapToLong(Long::longValue).sorted().toArray(), seconds);
            MPI.Finalize();
        });
    }

    private void tune(String[] operations, long[] sizes, double seconds) throws MPIException, IOException {
        AllRanks.require(!fabric.isEmpty(), "there is one node; " + HOW);
        Path folder = TunedTable.folder();
        String wrong = folder == null ? "this user has no home folder for tables"
            : UserFolders.complaint(folder, true);
        AllRanks.require(wrong == null,
            "rank %d: " + wrong + "; set HOME or XDG_CONFIG_HOME to a folder of yours");
        ClusterShape shape = shape();
        say(shape.toString());
        double[] network = network();
        say(String.format(Locale.ROOT, "between nodes: %.1f us for a short message, %.3f GB/s for a long one",
            network[0] / 1e3, network[1] / 1e9));
        CommunicatorTopology wires = CommunicatorTopology.ofNodes(null, nodeOf).joinedBy(fabric);
        List<String> rules = new TuneSchedule(operations, sizes, seconds, LONGEST_CELL,
            (collective, ranks, bytes) -> TunedWay.between(collective, ranks, bytes, wires)).run(
                "ranks " + shape.ranks() + " nodes " + shape.nodes() + " fabric " + fabric, true, lines);
        // Nodes whose home is not that of rank 0 keep a copy, as a later job's rank 0 may be there.
        Path file = ClusterTable.write(shape, String.format(Locale.ROOT,
            "latency %.0f\nbandwidth %.4f\nmeasured %s by brigade tune --nodes", network[0], network[1] / 1e9,
            LocalDate.now(ZoneOffset.UTC)), String.join("\n", rules) + (rules.isEmpty() ? "" : "\n"));
        world.barrier();
        say("Jobs on " + shape + " now follow " + file + ": "
            + (rules.isEmpty() ? "no rule, as nothing was clearly faster than the default"
                : rules.size() + (rules.size() == 1 ? " rule" : " rules")));
        rules.forEach(rule -> say("  " + rule));
    }

    private void say(String line) {
        if (rank == 0) {
            lines.accept(line);
        }
    }

    /** Also finds who is on which node. */
    private ClusterShape shape() throws MPIException {
        Intracomm node = world.splitType(Comm.TYPE_SHARED, rank, MPI.INFO_NULL);
        int[] least = {rank};
        node.allReduce(least, 1, MPI.INT, MPI.MIN);
        node.free();
        String host = MachineFingerprint.hostName();
        long[] mine = {least[0], ClusterShape.word(host)};
        long[] all = new long[2 * world.getSize()];
        world.allGather(mine, 2, MPI.LONG, all, 2, MPI.LONG);
        int[] lowest = new int[world.getSize()];
        long[] stems = new long[lowest.length];
        for (int each = 0; each < lowest.length; each++) {
            lowest[each] = (int) all[2 * each];
            stems[each] = all[2 * each + 1];
        }
        Nodes nodes = Nodes.of(rank, lowest);
        nodeOf = nodes.of(IntStream.range(0, lowest.length).toArray());
        byte[] first = Arrays.copyOf(host.getBytes(StandardCharsets.UTF_8), LONGEST_NAME);
        world.bcast(first, first.length, MPI.BYTE, 0);
        String hostOfFirst = new String(first, StandardCharsets.UTF_8);
        return ClusterShape.of(fabric, nodes, hostOfFirst.substring(0, hostOfFirst.indexOf('\0')), stems);
    }

    /** Nanoseconds of a short message and bytes a second of a long one, from the first node to each other: medians. */
    private double[] network() throws MPIException {
        List<Integer> firsts = new ArrayList<>();
        for (int each = 0; each < nodeOf.length; each++) {
            if (nodeOf[each] == firsts.size()) {
                firsts.add(each);
            }
        }
        Intracomm leaders = world.split(firsts.contains(rank) ? 0 : MPI.UNDEFINED, rank);
        double[] found = new double[2];
        if (firsts.contains(rank)) {
            found = NetworkWorker.probe(leaders, PROBED, PROBES);
            leaders.free();
        }
        world.bcast(found, 2, MPI.DOUBLE, 0);
        return found;
    }
}
