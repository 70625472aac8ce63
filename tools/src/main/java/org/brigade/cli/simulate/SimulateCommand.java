package org.brigade.cli.simulate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.cli.bench.MeasuredComparison;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.CollectiveName;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.cli.shared.SizeConverter;
import org.brigade.cli.shared.SubCommand;
import org.brigade.cli.shared.TimedAlgorithm;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.ByteSize;
import org.brigade.simulate.FoundPaths;
import org.brigade.simulate.Simulation;
import org.brigade.simulate.Timeline;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.NamedWirings;
import org.brigade.simulate.wiring.NodePlacement;
import org.brigade.simulate.wiring.PlacedWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.profile.ProfileXml;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code brigade simulate}: how long a collective takes on a machine that is not here. */
@Command(name = "simulate", mixinStandardHelpOptions = true,
    description = "Runs a collective's schedules on a simulated machine, and says how long they take.",
    footer = {"",
        "Topologies: ideal:RANKS (each rank sends and receives at 6.8 GB/s, 2 us a message, no shared links);",
        "fat-tree:HOSTS[:RATIO[:PORTS]] (three levels of EDR InfiniBand, RATIO:1 oversubscribed at the leaves,"
            + " switches",
        "with PORTS ports); reducing-fat-tree: the same with switches that reduce; rails:N:fat-tree:HOSTS: N of them side"
            + " by side; NAME:host: a machine with data in host memory instead of its GPUs' (brigade info --from"
            + " NAME",
        "describes a machine, docs/machines.md says how to describe another).",
        "Bytes are counted as in explain. Without --algorithm: one row for each algorithm that serves the call and"
            + " sends",
        "fewer than 15 million messages.",
        "Algorithms that follow wires are told the topology's: a fat tree's leaves and pods, a machine's CPUs, nodes"
            + " and",
        "best chains. Bus bandwidth is the least that a link must carry, divided by the time: the vector of bcast,"
            + " reduce",
        "and the scans, twice (n-1)/n of allreduce's, (n-1)/n of all blocks of the others."})
public final class SimulateCommand extends SubCommand implements Callable<Integer> {
    private static final int TIMELINE_ROWS = 40;
    /** What a minute suffices for. */
    private static final double MOST_MESSAGES = 1.5e7;

    /** For the help. */
    static final class MachineNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Machines.names().iterator();
        }
    }

    @Parameters(paramLabel = "COLLECTIVE", arity = "0..1", converter = CollectiveName.class,
        completionCandidates = CollectiveName.class,
        description = "One of: ${COMPLETION-CANDIDATES}.")
    private Collective collective;

    @Option(names = "--topology", paramLabel = "NAME", completionCandidates = MachineNames.class,
        description = "One of ${COMPLETION-CANDIDATES}, a network as fat-tree:10000:4 (see below), or the path of a"
            + " machine file.")
    private String topology;

    @Option(names = "--algorithm", paramLabel = "NAME",
        description = "Only this algorithm (default: all that can do the call).")
    private String algorithm;

    @Option(names = "--bytes", paramLabel = "SIZE", converter = SizeConverter.class,
        description = "Message size, as 8, 64K or 1M (default: ${DEFAULT-VALUE}).", defaultValue = "1M")
    private long bytes;

    @Option(names = "--ranks", paramLabel = "N",
        description = "Size of the communicator (default: as many ranks as the topology has places).")
    private Integer ranks;

    @Option(names = "--root", paramLabel = "R", description = "Root of the call (default: ${DEFAULT-VALUE}).",
        defaultValue = "0")
    private int root;

    @Option(names = "--chunk", paramLabel = "SIZE", converter = SizeConverter.class,
        description = "Bytes of a chunk of pipelined algorithms; 0: one chunk (default: ${DEFAULT-VALUE}).",
        defaultValue = "64K")
    private long chunk;

    @Option(names = "--radix", paramLabel = "K", description = "Branching of trees (default: ${DEFAULT-VALUE}).",
        defaultValue = "4")
    private int radix;

    @Option(names = "--eager", paramLabel = "SIZE", converter = SizeConverter.class,
        description = "Bytes that a rank may send to another before the other receives them (default:"
            + " ${DEFAULT-VALUE}).",
        defaultValue = "0")
    private long eager;

    @Option(names = "--csv", description = "Writes comma-separated values.")
    private boolean csv;

    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Option(names = "--timeline", paramLabel = "FILE",
        description = "With --algorithm: draws when each link is busy, as SVG.")
    private Path timeline;

    @Option(names = "--figure", paramLabel = "NAME=VALUE",
        description = "Changes a figure of the machine's file: --figure 'fdr=20 GB/s'.")
    private List<String> figures = new ArrayList<>();

    @Option(names = "--profile", paramLabel = "FILE",
        description = "Rings and chains of GPUs follow this profile's orders and paths (brigade profile --machine NAME"
            + " --out FILE); none: the machine's usual paths (default: for up to 8 GPUs of one node, what brigade"
            + " profile --machine finds).")
    private Path profile;

    @Option(names = "--placement", paramLabel = "PLACEMENT", defaultValue = "block",
        description = "Where the ranks of a machine are: block fills node after node, cyclic deals ranks out to the"
            + " nodes, and a file has the number of each rank's node (default: ${DEFAULT-VALUE}).")
    private String placement;

    @Option(names = "--in-rank-order",
        description = "Rings and chains go in rank order, as if nothing were known of the wires.")
    private boolean inRankOrder;

    @Option(names = "--measured", paramLabel = "FILE",
        description = "Instead of a call: prints each row of brigade bench --csv beside the simulated time.")
    private Path measured;

    @Option(names = "--paper",
        description = "Instead of a call: prints the papers' results beside our schedules' on the papers' machines.")
    private boolean paper;

    @Option(names = "--picture", paramLabel = "FILE",
        description = "With --paper: draws the data behind the results, as SVG.")
    private Path picture;

    @Override
    public Integer call() {
        if (paper && (collective != null || topology != null || measured != null) || !paper && picture != null) {
            throw wrong(paper ? "--paper replaces a collective, --topology and --measured; leave these out"
                : "--picture is for --paper; with a collective there is --timeline");
        }
        if (json && (csv || measured != null)) {
            throw wrong("--json replaces --csv, and is for a call or --paper; --measured prints --csv");
        }
        SimulationFormat format =
            json ? SimulationFormat.JSON : csv ? SimulationFormat.CSV : SimulationFormat.TABLE;
        writable("--picture", picture);
        writable("--timeline", timeline);
        if (paper) {
            PaperReport.print(out(), format, picture);
            return 0;
        }
        if (measured != null) {
            try {
                new MeasuredComparison(measured, this::wiring, topology, chunk, radix,
                    eager).print(out(), csv);
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
            return 0;
        }
        if (collective == null || topology == null) {
            throw wrong(
                "name a collective and a --topology, as in: brigade simulate bcast --topology fat-tree:1000 --bytes"
                    + " 64M; or pass --paper or --measured");
        }
        if (timeline != null && algorithm == null) {
            throw wrong("--timeline shows one algorithm: name it with --algorithm");
        }
        if (radix < 2) {
            throw wrong("--radix must be 2 or more");
        }
        try {
            RoutingModel wiring = wiring(topology);
            int members = ranks == null ? wiring.ranks() : ranks;
            if (members < 1 || members > wiring.ranks()) {
                throw wrong("--ranks must be 1 to " + wiring.ranks() + ", the places that " + topology + " has");
            }
            RoutingModel placed = placed(wiring, members);
            if (root < 0 || root >= members) {
                throw wrong("--root must be 0 to " + (members - 1));
            }
            CommunicatorTopology wires = inRankOrder ? CommunicatorTopology.NONE
                : following(placed, placed.wires(members, chunk == 0 ? bytes : Math.min(chunk, bytes)));
            List<Algorithm> algorithms = algorithms(members, bytes, wires, placed);
            SimulationTable table = new SimulationTable(out(), format, topology, placed);
            try (MeasuringBar bar = new MeasuringBar("simulated", " algorithms", out())) {
                for (int i = 0; i < algorithms.size(); i++) {
                    TimedAlgorithm call =
                        new TimedAlgorithm(algorithms.get(i), members, root, bytes, chunk, radix, wires);
                    if (algorithm == null && call.roughMessages() > MOST_MESSAGES) {
                        bar.between(() -> leaveOut(call));
                    } else {
                        Simulation simulation = call.run(placed, eager, null);
                        bar.between(() -> table.row(call, simulation));
                        if (timeline != null) {
                            draw(placed, eager, call, simulation);
                        }
                    }
                    bar.at(i + 1, algorithms.size());
                }
            }
            table.end();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        return 0;
    }

    private void leaveOut(TimedAlgorithm call) {
        err().printf(Locale.ROOT,
            "%s is left out: its %.0e messages would take long; name it with --algorithm to include it%n",
            call.algorithm().name(), call.roughMessages());
    }

    private CommunicatorTopology following(RoutingModel wiring, CommunicatorTopology wires) {
        if (profile == null) {
            return wiring instanceof PlacedWiring placed ? FoundPaths.followed(placed, wires) : wires;
        }
        if (profile.toString().equals("none")) {
            return wires;
        }
        if (!(wiring instanceof PlacedWiring placed)) {
            throw wrong("--profile: " + topology + " has no GPUs to follow it; name a machine");
        }
        return placed.following(ProfileXml.read(profile), wires);
    }

    /** The machine with as many ranks, each in its place. */
    private RoutingModel placed(RoutingModel wiring, int members) {
        if (!(wiring instanceof MachineWiring machine)) {
            if (placement.equals("block")) {
                return wiring;
            }
            throw wrong("--placement: " + topology + " has one rank a node; name a machine");
        }
        return new PlacedWiring(machine, switch (placement) {
            case "block" -> NodePlacement.blocks(machine, members);
            case "cyclic" -> NodePlacement.cyclic(machine, members);
            default -> NodePlacement.read(Path.of(placement), machine, members);
        });
    }

    private RoutingModel wiring(String name) {
        RoutingModel wiring = NamedWirings.find(name);
        for (String figure : figures) {
            if (!(wiring instanceof MachineWiring machine)) {
                throw new IllegalArgumentException("--figure: no file describes " + name + "; name a machine");
            }
            wiring = machine.on(machine.machine().with(figure));
        }
        return wiring;
    }

    /** The busiest links are known only after a run, so the call runs again, and only those links are traced. */
    private void draw(RoutingModel wiring, long credit, TimedAlgorithm call, Simulation simulation) {
        Timeline listener = new Timeline(wiring, simulation.busiest(TIMELINE_ROWS));
        call.run(wiring, credit, listener);
        String title = call.algorithm().collective().key() + ", " + call.algorithm().name() + ", " + call.ranks()
            + (call.ranks() == 1 ? " rank" : " ranks") + " on "
            + topology + ", " + ByteSize.words(call.bytes());
        try {
            Files.writeString(timeline, TimelinePicture.draw(title, wiring, listener, simulation.seconds()),
                StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new BenchException("--timeline: " + timeline + " cannot be written (" + e
                + "); name a file in a directory that you may write to");
        }
    }

    private List<Algorithm> algorithms(int members, long bytes, CommunicatorTopology wires, RoutingModel placed) {
        List<Algorithm> serving = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (Algorithm entry : Catalogue.of(collective)) {
            known.add(entry.name());
            String complaint = complaint(entry, members, bytes, wires, placed);
            if (algorithm == null ? complaint == null && isListed(entry, wires, placed, members)
                : entry.name().equals(algorithm)) {
                if (complaint != null) {
                    throw wrong(complaint);
                }
                serving.add(entry);
            }
        }
        if (serving.isEmpty()) {
            throw wrong("no algorithm of " + collective.key() + " is called '" + algorithm + "'; there are: "
                + String.join(", ", known));
        }
        if (algorithm != null && new TimedAlgorithm(serving.get(0), members, root, bytes, 0, radix, wires)
            .byMessages(placed)) {
            err().println(algorithm
                + " is straight-line code that sends the messages of a schedule, which is simulated: "
                + serving.get(0).schedule().name());
        }
        return serving;
    }

    /** Whether an algorithm has a row of its own where none is named. */
    private static boolean isListed(Algorithm entry, CommunicatorTopology wires, RoutingModel placed, int members) {
        return entry == entry.schedule() ? entry.wireUse().pointless(wires) == null : placed.memory(members) != null;
    }

    /** Why an algorithm cannot be simulated in this call; null if it can. */
    private String complaint(Algorithm entry, int members, long bytes, CommunicatorTopology wires,
        RoutingModel placed) {
        String key = collective.key() + "/" + entry.name() + " ";
        String violation = entry.restrictions().violatedBy(members, bytes, true);
        if (violation != null) {
            return key + violation + ", and this call has " + members + " ranks and " + ByteSize.words(bytes)
                + "; leave out --algorithm to see those that serve it";
        }
        if (entry.wireUse() == WireUse.NETWORK && entry.wireUse().pointless(wires) != null) {
            return key + "needs a reducing network, which this topology lacks; name one such as reducing-fat-tree:64";
        }
        String untimed = TimedAlgorithm.untimed(entry, members, placed);
        return untimed == null ? null : key + untimed + "; leave out --algorithm to see those that can be simulated";
    }

    /** Checks before anything is simulated, which may take minutes. */
    private static void writable(String option, Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)
            || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new BenchException(option + ": " + file
                + " cannot be written; name a file in an existing directory that you may write to");
        }
    }
}
