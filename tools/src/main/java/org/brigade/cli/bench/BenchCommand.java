package org.brigade.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.brigade.cli.bench.compare.BenchTable;
import org.brigade.cli.bench.compare.RegressBench;
import org.brigade.cli.bench.compare.VersusBench;
import org.brigade.cli.bench.compare.VersusOptions;
import org.brigade.cli.bench.families.FamilyOperation;
import org.brigade.cli.bench.regress.Expectations;
import org.brigade.cli.bench.regress.MachineShape;
import org.brigade.cli.bench.report.BenchReport;
import org.brigade.cli.bench.report.MachineFacts;
import org.brigade.cli.bench.report.MeasuredPage;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.CallSpan;
import org.brigade.cli.bench.versus.ColdCalls;
import org.brigade.cli.bench.versus.NamedPeers;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.device.OtherPrograms;
import org.brigade.cli.shared.MachineLoad;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.cli.shared.RankOptions;
import org.brigade.cli.shared.SizeList;
import org.brigade.cli.shared.SpaceName;
import org.brigade.cli.shared.SubCommand;
import org.brigade.launch.options.LaunchException;
import org.brigade.select.MemorySpace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code brigade bench}: starts ranks on this machine and prints how long operations take. */
@Command(name = "bench", mixinStandardHelpOptions = true,
    description = "Times point-to-point and collective operations on this machine.",
    footer = {"",
        "Times are microseconds of one message or call, taken as the OSU benchmarks do: after a warm-up,",
        "the mean over ranks of the mean over iterations. A barrier outside the clock stands before each",
        "iteration. The median of five such times is printed.",
        "",
        "With --space device the buffers are on GPUs, which ranks take in turn. Ranks start each call",
        "together. A time is the median over calls of the slowest rank's time. Bytes are those of the vector,",
        "or of everything that is gathered, scattered or exchanged. Each size's result is checked once.",
        "", "Compare with other MPIs, and write a page about it:",
        "  brigade bench --np 2 --vs openmpi,mpich --report here.html",
        "The first calls of fresh JVMs, beside those of other libraries:",
        "  brigade bench --np 2 --cold --vs openmpi,mpj-express --report here.html",
        "",
        "With --metrics nccl (the default with --fabric), calls run back to back. A time is the slowest",
        "rank's, the median of three. Bandwidths are those of nccl-tests. CPU is the part of a processor that",
        "a rank uses. Operations are allreduce, bcast, reduce, allgather, reduce-scatter (all five by default),",
        "resnet50 (the gradients of ResNet-50, an allreduce for each of 161 tensors) and resnet50-buckets (in",
        "buckets of 25 MiB). docs/sisci.md says more.",
        "  brigade bench --np 2 --nodes 2 --fabric sisci --sockets 1gbit --csv > here.csv",
        "  brigade bench --from here.csv --picture here.svg"})
public final class BenchCommand extends SubCommand implements Callable<Integer> {
    enum Buffers { DIRECT, ARRAY }

    enum Metrics { OSU, NCCL }

    private static final String BIND = "-bind-to";
    /**
     * A young generation so small that the warm-up has used all of it. Each receive makes a Status. In a program that
     * has run for a while it lies where earlier objects lay; in one that has never collected, in memory that the kernel
     * must still provide. On a virtual machine whose page faults take 13 us, that was 0.2 us a receive.
     */
    private static final String USED_BEFORE = "-Xmn8m";
    /** mpjrun has ranks that fill the machine compile later, and the warm-up would end before all is compiled. */
    private static final String COMPILED_SOON = "-XX:CompileThresholdScaling=1";

    /** Bytes of the message for which the limit of memcpy is measured. */
    private static final int COPIED = 16 << 20;

    @Option(names = {"--np", "-np"}, paramLabel = "N",
        description = "Ranks to start (default: processors, at most 4, at least 2; on devices one for each GPU, at"
            + " least 2).")
    private Integer ranks;

    @Option(names = "--ops", paramLabel = "LIST", completionCandidates = BenchOperation.Names.class,
        description = "Operations, of: ${COMPLETION-CANDIDATES} (default: latency,bcast,allreduce).")
    private String operations;

    @Option(names = "--sizes", paramLabel = "SIZES",
        description = "Bytes: A:B doubles from A to B, A,B is a list; K, M and G are powers of 1024 "
            + "(default: 8 to 16M, on devices 16 to 1G).")
    private String sizes;

    @Option(names = "--space", paramLabel = "SPACE", completionCandidates = SpaceName.class,
        description = "Where the buffers are: host or device (default: host).")
    private MemorySpace space = MemorySpace.HOST;

    @Option(names = "--unchecked", description = "With --space device: does not check results.")
    private boolean unchecked;

    @Option(names = "--buffers", paramLabel = "KIND",
        description = "Message buffers: direct or array (default: direct).")
    private Buffers buffers = Buffers.DIRECT;

    @Option(names = "--csv", description = "Prints operation,ranks,bytes,algorithm,microseconds.")
    private boolean csv;

    @Mixin
    private RankOptions.OnDevices started;

    @Mixin
    private VersusOptions versus;

    @Option(names = "--nodes", paramLabel = "N",
        description = "Runs the ranks on this number of emulated nodes; on devices each rank has the GPU of its"
            + " number on this machine (default: ${DEFAULT-VALUE}).",
        defaultValue = "1")
    private int nodes;

    @Option(names = "--map", paramLabel = "HOW",
        description = "With --nodes: block, node or the node of each rank, as for mpjrun (default: ${DEFAULT-VALUE}).",
        defaultValue = "block")
    private String map;

    @Option(names = "--fabric", paramLabel = "FABRIC", description = "The fabric between the --nodes, as for mpjrun.")
    private String fabric;

    @Option(names = "--metrics", paramLabel = "WHOSE",
        description = "osu or nccl: how to time and what to print (default: nccl with --fabric, else osu).")
    private Metrics metrics;

    @Option(names = "--sockets", paramLabel = "RATE",
        description = "With --metrics nccl: runs Open MPI in C over TCP in turn with our ranks, between network"
            + " namespaces with links of this rate, as in 1gbit. "
            + "Needs root, mpicc, mpirun and iproute2.")
    private String sockets;

    @Option(names = "--picture", paramLabel = "FILE",
        description = "With --metrics nccl: draws bandwidths and times into a page (.svg).")
    private Path picture;

    @Option(names = "--from", paramLabel = "FILE", split = ",",
        description = "With --picture: measures nothing, but draws what --metrics nccl --csv wrote; separate several"
            + " files by commas.")
    private List<Path> from = new ArrayList<>();

    @Option(names = "--page", paramLabel = "FILE", hidden = true,
        description = "Measures nothing, but makes the tables of a page in Markdown anew, from the files of measurements"
            + " that it names.")
    private Path page;

    @Override
    public Integer call() {
        if (page != null) {
            MeasuredPage.write(page);
            return 0;
        }
        metrics = metrics != null ? metrics
            : fabric != null && space == MemorySpace.HOST || sockets != null || picture != null ? Metrics.NCCL
                : Metrics.OSU;
        if (metrics == Metrics.NCCL) {
            return bus();
        }
        if (versus.regress) {
            return regress();
        }
        boolean device = space == MemorySpace.DEVICE;
        checkCombinations(device);
        operations = operations != null ? operations
            : versus.cold != null ? "allreduce,bcast,barrier" : "latency,bcast,allreduce";
        sizes = sizes != null ? sizes
            : versus.cold != null ? "8,64K"
                : device ? "16,64,256,1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G" : "8,64,512,4K,32K,256K,1M,4M,16M";
        int asked = ranks == null ? 0 : ranks;
        int count = device ? DeviceJob.ranks(asked, started.gpus) : hostRanks();
        BenchJob job = job(operations, sizes, count, freshBytes(count), versus.coldCalls());
        BenchTable table = new BenchTable(out(), csv, device);
        double others = device ? 0 : MachineLoad.others();
        if (!MachineLoad.isQuiet(others)) {
            err().println("brigade bench: " + MachineLoad.words(others) + ", and times may be longer because of them");
            err().flush();
        }
        if (versus.peers == null && versus.report == null && !job.isCold()) {
            int[] done = new int[1];
            try (MeasuringBar bar = new MeasuringBar("measured", " rows", out())) {
                return ours(job, false, row -> {
                    bar.between(() -> table.row(row));
                    bar.at(++done[0], job.rows());
                });
            }
        }
        return versusBench().compare(job, table, MachineLoad.words(others));
    }

    private int hostRanks() {
        return ranks != null ? ranks : Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
    }

    private long freshBytes(int count) {
        return versus.fresh ? MachineFacts.here().freshBytes(count) : 0;
    }

    private void checkCold() {
        if (versus.cold != null && (versus.cold < 1 || versus.cold > CallSpan.MOST_CALLS)) {
            throw wrong("--cold must be 1 to " + CallSpan.MOST_CALLS + " calls");
        }
        if (versus.cold != null && (versus.fresh || space == MemorySpace.DEVICE)) {
            throw wrong("--cold times Java arrays in host memory that stay the same: leave out --fresh and --space");
        }
    }

    private void checkCombinations(boolean device) {
        checkCold();
        if (device && nodes == 1 && fabric != null) {
            throw wrong("--fabric joins nodes: give --nodes 2 or more, or leave it out");
        }
        if (ranks != null && ranks < 1 || versus.runs() < 1 || started.gpus < 0) {
            throw wrong("--np, --gpus and --runs must be 1 or more");
        }
        if (versus.save || versus.expected != null) {
            throw wrong("--save and --expected belong to --regress");
        }
        try {
            if (versus.report != null) {
                BenchReport.check(versus.report);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        if (device && (versus.report != null || versus.fresh)) {
            throw wrong("--report and --fresh are for host memory");
        }
        for (String name : versus.peers == null ? List.<String>of() : peerNames()) {
            if (device != name.equals(NamedPeers.NCCL)) {
                throw wrong("--vs " + name + " is for " + (device ? "host memory; on GPUs there is --vs nccl"
                    : "GPUs: add --space device") + ", or give --vs a command line");
            }
        }
    }

    /** The peers of --vs that are named; none if it is a command line. */
    private List<String> peerNames() {
        try {
            return NamedPeers.names(versus.peers);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /** @throws ParameterException if a name or size is wrong */
    private BenchJob job(String names, String bytes, int count, long fresh, int cold) {
        try {
            String plain = SizeList.plain(SizeList.parse(bytes));
            for (String name : names.split(",", -1)) {
                boolean family = FamilyOperation.of(name) != null;
                if (!family) {
                    BenchOperation.of(name);
                } else if (fresh > 0 || space == MemorySpace.DEVICE) {
                    throw new IllegalArgumentException(name
                        + " is timed in host memory that stays the same: leave out --fresh and --space");
                }
                if (cold > 0 && !ColdCalls.OPERATIONS.contains(name)) {
                    throw new IllegalArgumentException("--cold does not time " + name + "; it times "
                        + String.join(", ", ColdCalls.OPERATIONS));
                }
            }
            return new BenchJob(names, plain, count, fresh, cold);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private String commandLine() {
        StringBuilder command = new StringBuilder("brigade");
        for (String word : spec.commandLine().getParseResult().originalArgs()) {
            command.append(' ').append(word.matches("[\\w./:,={}+-]+") ? word : "'" + word + "'");
        }
        return command.toString();
    }

    private VersusBench versusBench() {
        return new VersusBench(new VersusBench.Ours() {
            @Override
            public int run(BenchJob job, boolean bound, Consumer<BenchRow> sink) {
                return ours(job, bound, sink);
            }

            @Override
            public String binding(boolean bound) {
                return givesBinding() ? String.join(" ", started.java) : VersusBench.Ours.super.binding(bound);
            }
        }, versus, commandLine(), err());
    }

    /** Whether the user says how our ranks are bound: -J--bind-to=core. */
    private boolean givesBinding() {
        return started.java.stream().anyMatch(option -> option.contains(BIND));
    }

    /** Compares ratios with those of the file for this machine's shape. */
    private int regress() {
        checkCold();
        if (ranks != null && ranks < 1 || versus.runs() < 1) {
            throw wrong("--np and --runs must be 1 or more");
        }
        if (space == MemorySpace.DEVICE || buffers != Buffers.DIRECT || versus.report != null || nodes != 1
            || versus.peers != null && peerNames().isEmpty()) {
            throw wrong("--regress compares direct buffers in host memory of one node with peers by name: leave out"
                + " --space, --buffers, --report and --nodes, and give --vs names");
        }
        String home = System.getProperty("brigade.launch.home");
        Path folder = versus.expected != null ? versus.expected : Path.of(home == null ? "" : home, "docs/measured");
        MachineShape shape = RegressBench.shape();
        List<Expectations> all = Expectations.find(folder, shape);
        if (versus.save) {
            int count = hostRanks();
            BenchJob plain = versus.cold == null
                ? new BenchJob("latency,bcast,allreduce", "8,4K,64K,1M,4M", count, freshBytes(count))
                : new BenchJob("allreduce,bcast,barrier", "8,64K", count, 0, versus.cold);
            BenchJob before = all.stream().filter(each -> each.areFor(plain)).findFirst()
                .map(Expectations::job).orElse(plain);
            return regress(before, null, shape, folder);
        }
        List<Expectations> wanted = all.stream().filter(each -> (ranks == null || each.job().ranks() == ranks)
            && (!versus.fresh || each.job().freshBytes() > 0) && (versus.cold == null || each.job().isCold()))
            .toList();
        if (wanted.isEmpty()) {
            throw wrong("no file host-*.json in " + folder + " is for this machine (" + shape + ")"
                + (all.isEmpty() ? "" : " with these options, only for: "
                    + String.join("; ", all.stream().map(Expectations::words).toList()))
                + "; make one while nothing else runs here: brigade bench --regress --save"
                + (ranks == null ? "" : " --np " + ranks) + (versus.fresh ? " --fresh" : "")
                + (versus.cold == null ? "" : " --cold"));
        }
        int code = 0;
        for (Expectations each : wanted) {
            code = Math.max(code, regress(each.job(), each, shape, folder));
        }
        return code;
    }

    /** @param like what to measure, unless the user says something else */
    private int regress(BenchJob like, Expectations expected, MachineShape shape, Path folder) {
        BenchJob job = job(operations != null ? operations : like.operations(), sizes != null ? sizes : like.sizes(),
            like.ranks(), like.freshBytes(), like.coldCalls());
        return new RegressBench(versusBench(), versus, commandLine(), out()).run(job, expected,
            shape, RegressBench::shape, folder);
    }

    /** Measures or draws with the metrics of nccl-tests. */
    private int bus() {
        if (space == MemorySpace.DEVICE || versus.compares() || buffers != Buffers.DIRECT) {
            throw wrong("--metrics nccl measures direct buffers in host memory, and compares with --sockets: leave out"
                + " --space, --vs, --fresh, --report, --regress and --buffers");
        }
        if (!from.isEmpty() && picture == null) {
            throw wrong("--from only draws: name a file for it with --picture");
        }
        List<BusTable.Line> lines = new ArrayList<>();
        for (Path file : from) {
            lines.addAll(BusTable.read(file));
        }
        int code = from.isEmpty() ? measureBus(lines) : 0;
        if (code == 0 && picture != null) {
            BusFigures.write(lines, picture);
        }
        return code;
    }

    private int measureBus(List<BusTable.Line> lines) {
        BusBench bench;
        try {
            List<BusOperation> wanted = operations == null ? List.of(BusOperation.COLLECTIVES)
                : Arrays.stream(operations.split(",", -1)).map(BusOperation::of).toList();
            String bytes = SizeList.plain(SizeList.parse(sizes == null ? "8:16M" : sizes));
            bench = new BusBench(line(ranks == null ? Math.max(2, nodes) : ranks), wanted, bytes);
        } catch (IllegalArgumentException | LaunchException e) {
            throw wrong(e.getMessage());
        }
        if (sockets != null && (nodes < 2 || !map.equals("block"))) {
            throw wrong("--sockets runs between nodes, with ranks in blocks: give --nodes 2 or more, and no --map");
        }
        if (versus.runs() < 1) {
            throw wrong("--runs must be 1 or more");
        }
        int runs = sockets == null ? 1 : versus.runs();
        int[] done = new int[1];
        int code;
        try (MeasuringBar bar = new MeasuringBar("measured", " rows", err())) {
            long all = (long) runs * bench.rows() * (sockets == null ? 1 : 2);
            code = bench.run(runs, sockets, () -> bar.at(++done[0], all), lines);
        }
        lines.forEach(new BusTable(out(), csv, sockets != null)::line);
        if (code == 0 && "sisci".equals(fabric)) {
            out().printf(Locale.ROOT,
                "# limit of this machine's memcpy: one flow of %d MiB through a ring, one core in and one out: %.2f"
                    + " GB/s%n",
                COPIED >> 20,
                CopyLimit.measure(COPIED));
            out().flush();
        }
        return code;
    }

    /** The options for mpjrun that start our ranks, warm from early on. */
    private List<String> line(int count) {
        List<String> line = userLine(count);
        line.addAll(0, List.of(USED_BEFORE, COMPILED_SOON));
        return line;
    }

    /** The options for mpjrun as a user gives them. */
    private List<String> userLine(int count) {
        List<String> line =
            new ArrayList<>(List.of("-np", Integer.toString(count), "--nodes", Integer.toString(nodes), "--map", map));
        if (fabric != null) {
            line.addAll(List.of("--fabric", fabric));
        }
        line.addAll(started.java);
        return line;
    }

    /** Runs our ranks once. */
    private int ours(BenchJob job, boolean bound, Consumer<BenchRow> sink) {
        if (space == MemorySpace.DEVICE) {
            OtherPrograms.note("brigade bench", err());
            try {
                return OurRanks.onDevice(userLine(job.ranks()), job, started.gpus, !unchecked, nodes > 1, sink);
            } catch (LaunchException e) {
                throw wrong(e.getMessage());
            }
        }
        try {
            List<String> line = job.isCold() ? userLine(job.ranks()) : line(job.ranks());
            if (bound && !givesBinding()) {
                line.addAll(List.of("--bind-to", "core"));
            }
            if (versus.regress) {
                line.add("-Dbrigade.tuning=none"); // expectations are everybody's, a table of brigade tune is this
                                                   // user's
            }
            return job.isCold() ? OurRanks.cold(line, job, sink)
                : OurRanks.onHost(line, job, buffers.name().toLowerCase(Locale.ROOT), sink);
        } catch (LaunchException e) {
            throw wrong(e.getMessage());
        }
    }
}
