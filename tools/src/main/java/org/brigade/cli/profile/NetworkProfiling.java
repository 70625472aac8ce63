package org.brigade.cli.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.shared.AllRanks;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.nativ.UserFolders;
import org.brigade.profile.NetworkWorker;
import org.brigade.profile.TransferPool;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.NetworkProfile;
import org.brigade.topology.profile.NetworkProfile.Visit;
import org.brigade.topology.profile.NetworkProfileXml;
import org.brigade.topology.search.NodeSearch;
import org.brigade.topology.search.Recording;
import org.brigade.topology.search.TransferSet;

/**
 * {@code brigade profile --nodes}, on each node one process, started by the MPI that joins the nodes: rank 0 searches
 * and says what to measure, all ranks send and receive.
 */
final class NetworkProfiling {
    private static final int WARM = 1;
    /** Paths whose bandwidths differ by less count as equal: networks are seldom still. */
    private static final double TOLERANCE = 0.1;
    private static final int LONGEST_NAME = 256;
    private static final String HOW =
        "start it by the MPI of your cluster, one process on each node: mpirun --host node1,node2,node3 --map-by node"
            + " bin/brigade profile --nodes";

    /**
     * The task.
     *
     * @param bytes of each transfer
     * @param timed iterations of each measurement
     * @param seconds after which no measurement begins
     * @param out the profile's file; null: where ranks look for it
     * @param recording null: beside the profile, and removed at the end
     */
    record Plan(int bytes, int timed, double seconds, Path out, Path recording) {
    }

    private final Plan plan;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank;
    private final List<String> hosts = new ArrayList<>();
    private final String fabric = Diagnostics.fabric();
    private final Consumer<String> lines;

    private NetworkProfiling(Plan plan, Consumer<String> lines) throws MPIException {
        this.plan = plan;
        this.lines = lines;
        this.rank = world.getRank();
    }

    /**
     * Measures and writes; collective.
     *
     * @param lines takes what rank 0 says: lines for people, and {@code progress MEASURED EXPECTED}
     * @return whether all went well; else another rank throws and says why
     * @throws org.brigade.cli.shared.BenchException if the processes are not one a node of several; the message has the
     * cure
     */
    static boolean run(Plan plan, Consumer<String> lines) throws MPIException, IOException {
        return AllRanks.run(() -> {
            MPI.Init(new String[0]);
            new NetworkProfiling(plan, lines).run();
            MPI.Finalize();
        });
    }

    private void run() throws MPIException, IOException {
        requireOneOnEachNode();
        tellHosts();
        Path file = plan.out() != null ? plan.out().toAbsolutePath() : null;
        if (file == null && UserFolders.home() != null) {
            file = NetworkProfileXml.defaultFile(UserFolders.home(), fabric, hosts);
        }
        AllRanks.require(file != null, "rank %d has no home folder; name a file with --out, or set HOME");
        // Ranks whose home is not that of rank 0 keep a copy.
        String wrong =
            rank == 0 || plan.out() == null ? UserFolders.complaint(file.getParent(), plan.out() == null) : null;
        AllRanks.require(wrong == null, "rank %d: " + wrong
            + (plan.out() != null ? "; name another file with --out"
                : "; name a file with --out, or set HOME to a folder of yours"));
        double[][] distances = NetworkWorker.distances(world);
        NetworkProfile profile = null;
        String failed = null;
        try (NetworkWorker worker = new NetworkWorker(world, plan.bytes())) {
            TransferPool pool = new TransferPool(world, worker, plan.bytes(), WARM, plan.timed(), true);
            if (rank == 0) {
                try {
                    profile = search(pool, distances, file);
                } catch (IOException | UncheckedIOException | TopologyException e) {
                    failed = e.getMessage(); // the others are told below, or they would wait for the next measurement
                }
                pool.end();
            } else {
                pool.serve();
            }
        }
        AllRanks.require(failed == null, failed == null ? "" : failed);
        share(profile, file);
    }

    private void requireOneOnEachNode() throws MPIException {
        Intracomm node = world.splitType(Comm.TYPE_SHARED, rank, MPI.INFO_NULL);
        int here = node.getSize();
        node.free();
        AllRanks.require(here == 1, "rank %d is one of " + here + " processes on its node; " + HOW);
        AllRanks.require(world.getSize() > 1 && !fabric.isEmpty(), "there is one process; " + HOW);
        AllRanks.require(world.getSize() <= NetworkProfile.MOST_NODES, "at most " + NetworkProfile.MOST_NODES
            + " nodes can be profiled, and there are " + world.getSize() + "; start fewer processes");
    }

    private void tellHosts() throws MPIException {
        byte[] name = Arrays.copyOf(MachineFingerprint.hostName().getBytes(StandardCharsets.UTF_8), LONGEST_NAME);
        byte[] all = new byte[LONGEST_NAME * world.getSize()];
        world.allGather(name, LONGEST_NAME, MPI.BYTE, all, LONGEST_NAME, MPI.BYTE);
        for (int node = 0; node < world.getSize(); node++) {
            String host = new String(all, node * LONGEST_NAME, LONGEST_NAME, StandardCharsets.UTF_8);
            hosts.add(host.substring(0, host.indexOf('\0') < 0 ? host.length() : host.indexOf('\0')));
        }
        AllRanks.require(new HashSet<>(hosts).size() == hosts.size() && !hosts.contains(""),
            "the nodes' host names are " + hosts + "; give all nodes different names, as ranks know nodes by them");
    }

    private NetworkProfile search(TransferPool pool, double[][] distances, Path file) throws IOException {
        int nodes = hosts.size();
        Path recording = plan.recording() != null ? plan.recording().toAbsolutePath()
            : file.resolveSibling(file.getFileName() + ".recording");
        if (plan.recording() == null && Recording.isOfOthers(recording, conditions())) {
            lines.accept(recording + " was measured under other conditions: all is measured again");
            Files.delete(recording);
        }
        try (Measurements measurements = new Measurements(recording, conditions(), pool, plan.seconds(),
            NodeSearch.expected(nodes), lines)) {
            measurements.estimate(TransferSet.of(NodeSearch.message(0, 1), NodeSearch.message(1, 0)));
            NodeSearch search = new NodeSearch(distances, measurements::cache, TOLERANCE, measurements::warn);
            Visit ring = null;
            try {
                ring = search.ring();
                for (int start = 0; start < nodes; start++) {
                    search.chain(start);
                }
            } catch (Measurements.OutOfTime e) {
                // what has been found is kept
            }
            measurements.finish();
            if (ring == null) {
                measurements.nothing();
                return null;
            }
            NetworkProfile profile = new NetworkProfile(fabric, LocalDate.now().toString(), plan.bytes(), hosts, ring,
                search.chains());
            NetworkProfileXml.write(profile, file);
            say(profile, measurements.count(), file, nodes);
            if (profile.chains().size() == nodes && plan.recording() == null) {
                measurements.remove();
            }
            return profile;
        }
    }

    /** Everything that makes measurements comparable. */
    private String conditions() {
        return "nodes " + String.join(" ", hosts) + ", by " + fabric + ", " + plan.bytes() + " bytes, " + plan.timed()
            + " times";
    }

    private void say(NetworkProfile profile, int measured, Path file, int nodes) {
        lines.accept("fastest ring: " + words(profile.ring()));
        profile.chains()
            .forEach((start, chain) -> lines.accept("fastest chain from " + hosts.get(start) + ": " + words(chain)));
        lines.accept(file + ": " + measured + " sets of transfers measured" + (profile.chains().size() == nodes ? ""
            : "; chains from some nodes follow the ring, as the time was up; run again to continue"));
    }

    /** {@code 0.118 GB/s by node1 node3 node2}. */
    private String words(Visit visit) {
        return String.format(Locale.ROOT, "%.3f GB/s by ", visit.bandwidth() / 1e9)
            + visit.nodes().stream().map(hosts::get).collect(Collectors.joining(" "));
    }

    /** Ranks whose home is not that of rank 0 keep a copy where they will look for it. */
    private void share(NetworkProfile profile, Path file) throws MPIException, IOException {
        byte[] text = profile == null ? new byte[0] : NetworkProfileXml.text(profile).getBytes(StandardCharsets.UTF_8);
        int[] length = {text.length};
        world.bcast(length, 1, MPI.INT, 0);
        text = Arrays.copyOf(text, length[0]);
        world.bcast(text, length[0], MPI.BYTE, 0);
        if (rank > 0 && length[0] > 0 && plan.out() == null
            && !(Files.exists(file) && Arrays.equals(Files.readAllBytes(file), text))) {
            NetworkProfileXml.write(
                NetworkProfileXml.parse("rank 0", new String(text, StandardCharsets.UTF_8)), file);
        }
    }
}
