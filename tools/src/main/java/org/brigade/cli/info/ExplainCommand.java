package org.brigade.cli.info;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.assembly.Parts;
import org.brigade.cli.shared.CollectiveName;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.SizeConverter;
import org.brigade.cli.shared.SpaceName;
import org.brigade.cli.shared.SubCommand;
import org.brigade.communicator.RunnerClasses;
import org.brigade.engine.Operands;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.code.CodeOperations;
import org.brigade.select.Choice;
import org.brigade.select.Explanation;
import org.brigade.select.FabricNames;
import org.brigade.select.MemorySpace;
import org.brigade.select.ResidentMode;
import org.brigade.select.RingOrder;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.NetworkProfile;
import org.brigade.topology.profile.NetworkProfileXml;
import org.brigade.topology.profile.NodeByNode;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.ProfiledOrder;
import org.brigade.transport.Fabric;
import org.brigade.tuned.ClusterShape;
import org.brigade.tuned.ClusterTable;
import org.brigade.tuned.TunedTable;
import org.brigade.verify.SchedulePrinter;
import org.brigade.verify.straight.CodeRecorder;
import org.brigade.verify.straight.Proof;
import org.brigade.verify.straight.StraightSuite;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code brigade explain}: which algorithm a call would use, and why. */
@Command(name = "explain", mixinStandardHelpOptions = true,
    description = "Says which algorithm a call would use, by which rule, and the alternatives.",
    footer = {"",
        "Bytes are the vector of bcast, reduce, allreduce and the scans; one rank's block of gather, scatter,"
            + " allgather",
        "and alltoall; the whole of allgatherv's result and of reduce-scatter's input. Settings apply as for a program",
        "(brigade.bcast.algorithm, in the environment BRIGADE_BCAST_ALGORITHM, and BRIGADE_TUNING; for device memory",
        "BRIGADE_BCAST_DEVICE_ALGORITHM and BRIGADE_DEVICE_TUNING)."})
public final class ExplainCommand extends SubCommand implements Runnable {
    @Parameters(paramLabel = "COLLECTIVE", converter = CollectiveName.class,
        completionCandidates = CollectiveName.class,
        description = "One of: ${COMPLETION-CANDIDATES}.")
    private Collective collective;

    @Option(names = "--ranks", paramLabel = "N", description = "Size of the communicator (default: ${DEFAULT-VALUE}).",
        defaultValue = "2")
    private int ranks;

    @Option(names = "--nodes", paramLabel = "N",
        description = "Number of nodes, with ranks in blocks (default: the outermost of --levels; 1).")
    private Integer nodes;

    @Option(names = "--fabric", paramLabel = "NAME",
        description = "With --nodes: the fabric that joins them, sisci, mpi or ucx (default: unknown).",
        defaultValue = "")
    private String fabric;

    @Option(names = "--rate", paramLabel = "RATE",
        description = "With --nodes: bits a second of a node's link, as 200M or 10G (default: what the table assumes).")
    private String rate;

    @Option(names = "--latency", paramLabel = "TIME",
        description = "With --nodes: of a message between nodes, as 2us (default: what the table assumes).")
    private String latency;

    @Option(names = "--ports", paramLabel = "N",
        description = "With --nodes: links of that rate that each node has (default: ${DEFAULT-VALUE}).",
        defaultValue = "1")
    private int ports;

    @Option(names = "--bytes", paramLabel = "SIZE", converter = SizeConverter.class,
        description = "Message size, as 8, 64K or 1M (default: ${DEFAULT-VALUE}).", defaultValue = "8")
    private long bytes;

    @Option(names = "--space", paramLabel = "SPACE", completionCandidates = SpaceName.class,
        description = "Where the buffers are: host or device (default: host). Needs no GPU.")
    private MemorySpace space = MemorySpace.HOST;

    @Option(names = "--streams",
        description = "With --space device: for a call on a stream with registered buffers.")
    private boolean streams;

    @Option(names = "--op-noncommutative", description = "The operation does not commute.")
    private boolean ordered;

    @Option(names = "--levels", paramLabel = "N", split = ",",
        description = "Ranks of a group at each level of a hierarchy, from the inside out: 8 for nodes of 8 ranks; 4,8"
            + " for sockets of 4 in nodes of 8 (default: no levels).")
    private int[] levels = {};

    @Option(names = "--profile", paramLabel = "FILE",
        description = "Takes the wires from this profile (brigade profile), with rank 0 on its first device, rank 1 on"
            + " the second, and so on; or, with --nodes, from one of a network (brigade profile --nodes), with the"
            + " first ranks on its first node.")
    private Path profile;

    @Option(names = "--multicast",
        description = "With --nodes: the fabric has reflective memory, as SISCI adapters do: one store reaches all"
            + " nodes.")
    private boolean multicast;

    @Option(names = "--schedule", description = "Prints the schedule, too: that of --rank, for a call with --root.")
    private boolean schedule;

    @Option(names = "--rank", paramLabel = "R", description = "The rank whose schedule is printed (default: all).")
    private Integer rank;

    @Option(names = "--root", paramLabel = "R", description = "Root of the call (default: 0).", defaultValue = "0")
    private int root;

    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Override
    public void run() {
        if (ranks < 1 || root < 0 || root >= ranks || rank != null && (rank < 0 || rank >= ranks)) {
            throw wrong("--ranks must be 1 or more, --rank and --root below it");
        }
        if (nodes != null && (nodes < 1 || nodes > ranks)) {
            throw wrong("--nodes must be 1 to --ranks");
        }
        String unknown = fabric.isEmpty() ? null : FabricNames.complaint(fabric);
        if (unknown != null) {
            throw wrong("--fabric: " + unknown);
        }
        if (nodes != null && nodes > 1 && streams) {
            throw wrong("--streams is for one node: kernels on streams reach the GPUs of one; leave out --nodes");
        }
        if (streams && (space != MemorySpace.DEVICE || !StreamCatalogue.serves(collective))) {
            throw wrong(space != MemorySpace.DEVICE ? "--streams is for --space device"
                : "there is no " + collective.key() + " on streams");
        }
        Settings settings = Settings.ofThisProcess();
        settings.validate();
        String unknownVariables = settings.unknownVariables();
        if (unknownVariables != null) {
            err().println("brigade explain: " + unknownVariables);
        }
        if (json && schedule) {
            throw wrong("--schedule prints text; --json has the operations of straight-line code for a --rank; leave"
                + " one of the two out");
        }
        CommunicatorTopology wires = wires();
        boolean commutative = !(collective.reduces && ordered);
        PrintWriter out = out();
        if (json) {
            Map<String, Object> named = named(space, bytes, commutative, wires);
            boolean staged = !streams && Boolean.TRUE.equals(named.get("staged"));
            named.put("host", staged ? named(MemorySpace.HOST, bytes, commutative, wires) : null);
            out.print(Json.write(named));
            out.flush();
            return;
        }
        Choice choice = explain(space, bytes, commutative, wires, out);
        ResidentMode resident = ResidentMode.of(Settings.ofThisProcess());
        if (space == MemorySpace.DEVICE && !streams && resident.on() && choice.algorithm().resident()) {
            out.println("resident mode is " + resident
                + (bytes > resident.mostBytes() ? "; this call is launched" : ""));
        }
        if (!streams && choice.staged()) {
            StringWriter host = new StringWriter();
            choice = explain(MemorySpace.HOST, bytes, commutative, wires, new PrintWriter(host));
            out.println("  " + staging(bytes, wires, choice.chunkBytes()));
            out.println();
            out.print(host);
        }
        if (schedule && !choice.staged()) {
            print(choice, bytes, wires, commutative, out);
        }
        out.flush();
    }

    /** How data get between GPUs and the host's schedules. */
    private String staging(long bytes, CommunicatorTopology wires, long chunk) {
        if (collective == Collective.BARRIER) {
            return "staging: nothing to copy";
        }
        boolean blocks = collective.counts == Counts.EQUAL;
        boolean whole =
            (blocks ? Math.multiplyExact(bytes, (long) ranks) : bytes) <= Operands.mostStaged(collective, wires, chunk);
        return whole ? "staging: one copy of the input to host memory at the beginning, one of the result at the end"
            : "staging: each message in pieces, whose copies run while other pieces cross";
    }

    private Selector selector(MemorySpace where, CommunicatorTopology wires) {
        Settings settings = Settings.ofThisProcess();
        Selector selector = Selector.of(where, settings);
        if (where == MemorySpace.HOST && wires.nodes() == 1) {
            TunedTable tuned = TunedTable.find(settings, ranks);
            if (tuned.complaint() != null) {
                err().println("brigade explain: " + tuned.complaint());
            }
            selector = Selector.of(selector.table(), tuned.table(), settings);
        } else if (where == MemorySpace.HOST) {
            ClusterTable tuned = ClusterTable.find(settings,
                ClusterShape.here(wires.fabric(), wires.nodes(), ranks, MachineFingerprint.hostName()));
            if (tuned.complaint() != null) {
                err().println("brigade explain: " + tuned.complaint());
            }
            selector = Selector.of(selector.table(), tuned.table(), settings);
        }
        if (streams) {
            selector = selector.onStreams(Registration.BOTH);
        }
        return selector;
    }

    private Choice explain(MemorySpace where, long bytes, boolean commutative, CommunicatorTopology wires,
        PrintWriter out) {
        Selector selector = selector(where, wires);
        out.print(Explanation.of(selector, collective, ranks, bytes, commutative, wires));
        Choice choice = choice(selector, bytes, commutative, wires);
        String runner = runner(choice);
        if (runner != null) {
            out.println("  runs in: " + runner);
        }
        Fabric joins = where == MemorySpace.HOST && wires.nodes() > 1 ? namedFabric() : null;
        if (joins != null && joins.protocol() != null) {
            out.println("  messages between nodes: " + joins.protocol());
        }
        if (where == MemorySpace.DEVICE && !streams && !choice.staged() && collective.counts != Counts.LOCAL) {
            List<String> complaints = new ArrayList<>();
            new MeasuredHere(collective, ranks, bytes, choice).lines(complaints).forEach(out::println);
            complaints.forEach(each -> err().println("brigade explain: " + each));
        }
        return choice;
    }

    private Map<String, Object> named(MemorySpace where, long bytes, boolean commutative, CommunicatorTopology wires) {
        Selector selector = selector(where, wires);
        Map<String, Object> named = Explanation.named(selector, collective, ranks, bytes, commutative, wires);
        Choice choice = choice(selector, bytes, commutative, wires);
        named.put("runner", runner(choice));
        boolean tried =
            where == MemorySpace.DEVICE && !streams && !choice.staged() && collective.counts != Counts.LOCAL;
        named.put("measured",
            tried ? new MeasuredHere(collective, ranks, bytes, choice).named(new ArrayList<>()) : null);
        boolean code = StraightSuite.isVerified(choice.algorithm());
        named.put("schedule", code ? null : named.get("schedule"));
        named.put("nonblockingSchedule", code ? choice.algorithm().schedule().name() : null);
        named.put("operations", code && rank != null
            ? CodeRecorder.of(choice.algorithm(), ranks, collective.rooted ? root : 0, bytes).lines(rank) : null);
        return named;
    }

    /** The class that runs blocking calls; null for calls on streams, and for those that the host's algorithms run. */
    private String runner(Choice choice) {
        return streams || choice.staged() ? null : RunnerClasses.of(choice.algorithm()).getSimpleName();
    }

    private Choice choice(Selector selector, long bytes, boolean commutative, CommunicatorTopology wires) {
        SizeThresholds ladder = streams ? selector.ladder(collective, ranks, commutative)
            : selector.ladder(collective, ranks, commutative, Placement.ALIGNED, wires);
        return ladder.choice(ladder.step(bytes));
    }

    /** Levels as given, nodes as blocks, and the order that a setting forces. */
    private CommunicatorTopology wires() {
        int[][] groupOf = new int[levels.length + 1][ranks];
        for (int level = 0; level < levels.length; level++) {
            if (levels[level] < 1 || level > 0 && levels[level] % levels[level - 1] != 0) {
                throw wrong("--levels: " + levels[level] + " must be a multiple of the level before, and 1 or more");
            }
            for (int each = 0; each < ranks; each++) {
                groupOf[level][each] = each / levels[level];
            }
        }
        int outermost = levels.length == 0 ? ranks : levels[levels.length - 1];
        int blocks = nodes != null ? nodes : space == MemorySpace.DEVICE ? 1 : (ranks + outermost - 1) / outermost;
        for (int each = 0; each < ranks; each++) {
            groupOf[levels.length][each] =
                nodes == null && blocks > 1 ? each / outermost : (int) ((long) each * blocks / ranks);
        }
        Order order = RingOrder.of(Settings.ofThisProcess());
        boolean forced = order != null && order.ranks() == ranks;
        NetworkSpeed speed;
        try {
            speed = Selector.of(MemorySpace.HOST, Settings.ofThisProcess()).speed(rate, latency, ports);
            speed = speed == null && blocks > 1 ? ofFabric() : speed;
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        try {
            CommunicatorTopology wires =
                new CommunicatorTopology(forced ? order : null, Levels.dividing(groupOf), null, blocks).joinedBy(fabric)
                    .multicast(multicast && blocks > 1).at(speed);
            if (profile == null || forced) {
                return wires;
            }
            if (!NetworkProfileXml.isOne(profile)) {
                return profiled().following(wires);
            }
            NetworkProfile network = NetworkProfileXml.read(profile);
            return between(network, groupOf[levels.length], blocks)
                .following(rate == null ? wires.at(network.speed(speed)) : wires);
        } catch (IllegalArgumentException e) {
            throw wrong("--levels: their groups must lie within the --nodes: " + e.getMessage());
        }
    }

    /** The speed of the named fabric, as jobs assume it; null if that is one of the hosts' adapters. */
    private NetworkSpeed ofFabric() {
        Fabric named = namedFabric();
        return named == null ? null : named.speed();
    }

    private Fabric namedFabric() {
        return Parts.load().fabrics().stream().filter(each -> each.name().equals(fabric)).findFirst().orElse(null);
    }

    /** The nodes as a profile of a network has them: the first ranks are on its first node, and so on. */
    private NodeByNode between(NetworkProfile network, int[] nodeOf, int blocks) {
        if (blocks > network.hosts().size()) {
            throw wrong("--profile: " + profile + " has "
                + network.hosts().size() + " nodes, and the ranks are on " + blocks + "; give fewer --nodes");
        }
        int[] members = IntStream.range(0, blocks).toArray();
        return new NodeByNode(nodeOf, Order.identity(ranks), network.over(members));
    }

    private ProfiledOrder profiled() {
        PathProfile paths = ProfileXml.read(profile);
        int[] devices = new int[ranks];
        for (int each = 0; each < ranks; each++) {
            devices[each] = each;
        }
        try {
            return new ProfiledOrder(paths, new int[ranks], devices);
        } catch (IllegalArgumentException e) {
            throw wrong("--profile " + profile + ": " + e.getMessage() + "; give fewer --ranks");
        }
    }

    private void print(Choice choice, long bytes, CommunicatorTopology wires, boolean commutative, PrintWriter out) {
        Algorithm algorithm = choice.algorithm();
        int first = rank == null ? 0 : rank;
        int last = rank == null ? ranks - 1 : rank;
        int from = collective.rooted ? root : 0;
        if (StraightSuite.isVerified(algorithm)) {
            CodeOperations operations = CodeRecorder.of(algorithm, ranks, from, bytes);
            for (int each = first; each <= last; each++) {
                out.println();
                out.print(operations.text(each));
            }
            return;
        }
        ScheduledAlgorithm scheduled = algorithm.schedule();
        if (algorithm != scheduled) {
            out.println();
            out.println(algorithm.name() + " has " + Proof.of(algorithm).words() + ". That schedule:");
        }
        for (int each = first; each <= last; each++) {
            Geometry commuting = new Geometry(collective, ranks, each, from, false, choice.radix(), wires);
            Geometry geometry = commutative ? commuting : commuting.ordered();
            ScheduleBuilder builder = new ScheduleBuilder(scheduled.name(), geometry);
            scheduled.build(geometry, builder);
            Schedule built = builder.finish();
            out.println();
            out.print(SchedulePrinter.print(built));
        }
    }
}
