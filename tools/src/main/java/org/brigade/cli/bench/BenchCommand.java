package org.brigade.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.shared.SizeList;
import org.brigade.launch.LaunchException;
import org.brigade.launch.LaunchOptions;
import org.brigade.launch.RankCommand;
import org.brigade.launch.RankProcesses;
import org.brigade.select.Space;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
        "", "Compare with a C MPI (mpi_bench.c is in jmh/src/main/native):",
        "  mpicc -O3 -o mpi_bench jmh/src/main/native/mpi_bench.c",
        "  brigade bench --np 2 --vs \"mpirun --bind-to core -np 2 ./mpi_bench {sizes} {ops}\"",
        "",
        "With --metrics nccl (the default with --fabric), calls run back to back. A time is the slowest",
        "rank's, the median of three. Bandwidths are those of nccl-tests. CPU is the part of a processor that",
        "a rank uses. Operations are allreduce, bcast, reduce, allgather, reduce-scatter (all five by default),",
        "resnet50 (the gradients of ResNet-50, an allreduce for each of 161 tensors) and resnet50-buckets (in",
        "buckets of 25 MiB). docs/sisci.md says more.",
        "  brigade bench --np 2 --nodes 2 --fabric sisci --sockets 1gbit --csv > here.csv",
        "  brigade bench --from here.csv --picture here.svg"})
public final class BenchCommand implements Callable<Integer> {
    enum Buffers { DIRECT, ARRAY }

    enum Metrics { OSU, NCCL }

    @Spec
    private CommandSpec spec;

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

    @Option(names = "--space", paramLabel = "SPACE",
        description = "Where the buffers are: host or device (default: host).")
    private Space space = Space.HOST;

    @Option(names = "--gpus", paramLabel = "N", description = "With --space device: most GPUs to use (default: all).")
    private int gpus;

    @Option(names = "--unchecked", description = "With --space device: does not check results.")
    private boolean unchecked;

    @Option(names = "--buffers", paramLabel = "KIND",
        description = "Message buffers: direct or array (default: direct).")
    private Buffers buffers = Buffers.DIRECT;

    @Option(names = "--csv", description = "Prints operation,ranks,bytes,algorithm,microseconds.")
    private boolean csv;

    @Option(names = "--vs", paramLabel = "COMMAND",
        description = "Runs this command line in turn with our ranks. It must print CSV: "
            + "operation,ranks,bytes,microseconds, or lines like the NCCL baseline's. Our values replace {sizes},"
            + " {max}, {ops} and {np} in it; without {sizes} and {max}, our sizes are "
            + "appended. Of several variants at a size, the fastest counts.")
    private String peer;

    @Option(names = "--runs", paramLabel = "N",
        description = "With --vs and --sockets: how often each runs (default: ${DEFAULT-VALUE}).", defaultValue = "3")
    private int runs;

    @Option(names = "--nodes", paramLabel = "N",
        description = "Runs the ranks on this number of emulated nodes; host memory only (default: ${DEFAULT-VALUE}).",
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

    @Option(names = "-J", paramLabel = "OPTION",
        description = "An option for the ranks' java: -J-Dbrigade.bcast.algorithm=chain.")
    private List<String> javaOptions = new ArrayList<>();

    @Override
    public Integer call() {
        metrics = metrics != null ? metrics
            : fabric != null || sockets != null || picture != null ? Metrics.NCCL : Metrics.OSU;
        if (metrics == Metrics.NCCL) {
            return bus();
        }
        boolean device = space == Space.DEVICE;
        List<Long> bytes;
        operations = operations == null ? "latency,bcast,allreduce" : operations;
        sizes = sizes != null ? sizes
            : device ? "16,64,256,1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G" : "8,64,512,4K,32K,256K,1M,4M,16M";
        try {
            bytes = SizeList.parse(sizes);
            Arrays.stream(operations.split(",", -1)).forEach(BenchOperation::of);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        if (device && (nodes != 1 || fabric != null)) {
            throw new ParameterException(spec.commandLine(), "--nodes and --fabric are for host memory");
        }
        if (ranks != null && ranks < 1 || runs < 1 || gpus < 0) {
            throw new ParameterException(spec.commandLine(), "--np, --gpus and --runs must be 1 or more");
        }
        int asked = ranks == null ? 0 : ranks;
        ranks = device ? DeviceJob.ranks(asked, gpus)
            : asked > 0 ? asked : Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
        BenchTable table = new BenchTable(spec.commandLine().getOut(), csv, device);
        if (peer == null) {
            return ours(SizeList.plain(bytes), row -> table.row(row));
        }
        return versus(SizeList.plain(bytes), table);
    }

    /** Measures or draws with the metrics of nccl-tests. */
    private int bus() {
        if (space == Space.DEVICE || peer != null || buffers != Buffers.DIRECT) {
            throw new ParameterException(spec.commandLine(),
                "--metrics nccl measures direct buffers in host memory, and compares with --sockets: leave out"
                    + " --space, --vs and --buffers");
        }
        if (!from.isEmpty() && picture == null) {
            throw new ParameterException(spec.commandLine(), "--from only draws: name a file for it with --picture");
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
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        if (sockets != null && (nodes < 2 || !map.equals("block"))) {
            throw new ParameterException(spec.commandLine(),
                "--sockets runs between nodes, with ranks in blocks: give --nodes 2 or more, and no --map");
        }
        if (runs < 1) {
            throw new ParameterException(spec.commandLine(), "--runs must be 1 or more");
        }
        int code = bench.run(sockets == null ? 1 : runs, sockets,
            new BusTable(spec.commandLine().getOut(), csv, sockets != null), lines);
        if (code == 0 && "sisci".equals(fabric)) {
            spec.commandLine().getOut().printf(Locale.ROOT,
                "# limit of this machine's memcpy: one flow of %d MiB through a ring, one core in and one out: %.2f"
                    + " GB/s%n",
                COPIED >> 20,
                CopyLimit.measure(COPIED));
            spec.commandLine().getOut().flush();
        }
        return code;
    }

    /** The options for mpjrun that start our ranks. */
    private List<String> line(int count) {
        List<String> line =
            new ArrayList<>(List.of("-np", Integer.toString(count), "--nodes", Integer.toString(nodes), "--map", map));
        if (fabric != null) {
            line.addAll(List.of("--fabric", fabric));
        }
        line.addAll(javaOptions);
        return line;
    }

    private interface RowSink {
        void take(BenchRow row);
    }

    /** Runs our ranks once. */
    private int ours(String bytes, RowSink sink) {
        if (space == Space.DEVICE) {
            return DeviceJob.run(ranks, javaOptions,
                List.of(DeviceBenchRank.class.getName(), operations, bytes, Integer.toString(gpus),
                    unchecked ? "unchecked" : "checked"),
                text -> {
                    BenchRow row = BenchRow.parse(text);
                    if (row != null) {
                        sink.take(row);
                    }
                });
        }
        List<String> line = line(ranks);
        line.addAll(List.of(BenchRank.class.getName(), operations, bytes, buffers.name().toLowerCase(Locale.ROOT)));
        LaunchOptions options;
        try {
            options = LaunchOptions.parse(line.toArray(new String[0]));
        } catch (LaunchException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        return RankProcesses.run(RankCommand.of(options), options, (rank, error, text) -> {
            BenchRow row = BenchRow.parse(text);
            if (row != null) {
                sink.take(row);
            }
        }, false);
    }

    private int versus(String bytes, BenchTable table) {
        PeerProgram program = new PeerProgram(peer, bytes, operations, ranks);
        MedianRows ours = new MedianRows();
        MedianRows theirs = new MedianRows();
        for (int run = 0; run < runs; run++) {
            int code = ours(bytes, ours::add);
            if (code != 0) {
                return code;
            }
            for (BenchRow row : program.run()) {
                theirs.add(row);
            }
        }
        for (BenchRow row : ours.rows()) {
            table.row(row, theirs.best(row.key()));
        }
        return 0;
    }
}
