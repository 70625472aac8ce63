package org.brigade.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
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
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Times point-to-point and collective operations on this machine.",
    footer = {"", "Times are microseconds of one message or call by the OSU method: after a warm-up, the mean over ranks of the mean over iterations,",
        "with a barrier between iterations outside the clock, and the median of five such times.",
        "", "With --space device the buffers are on GPUs, which ranks take in turn. Ranks start each call together; times are the median over calls of the",
        "slowest rank, as NCCL's are best compared; bytes are the vector, or the whole of what is gathered, scattered or exchanged. Each size's result is checked once.",
        "", "Compare with a C MPI (mpi_bench.c is in jmh/src/main/native):",
        "  mpicc -O3 -o mpi_bench jmh/src/main/native/mpi_bench.c",
        "  brigade bench --np 2 --vs \"mpirun --bind-to core -np 2 ./mpi_bench {sizes} {ops}\""})
final class BenchCommand implements Callable<Integer> {
    enum Buffers { DIRECT, ARRAY }

    @Spec
    private CommandSpec spec;

    @Option(names = {"--np", "-np"}, paramLabel = "N", description = "Ranks to start (default: processors, at most 4, at least 2; on devices one for each GPU, at least 2).")
    private Integer ranks;

    @Option(names = "--ops", paramLabel = "LIST", description = "Operations, of: latency, bw, bibw, barrier, bcast, reduce, allreduce, scan, exscan, gather, "
        + "gatherv, scatter, scatterv, allgather, allgatherv, reduce-scatter, alltoall, alltoallv (default: latency,bcast,allreduce).")
    private String operations;

    @Option(names = "--sizes", paramLabel = "SIZES", description = "Bytes: A:B doubles from A to B, A,B is a list; K, M and G are powers of 1024 "
        + "(default: 8 to 16M, on devices 16 to 1G).")
    private String sizes;

    @Option(names = "--space", paramLabel = "SPACE", description = "Where the buffers are: host or device (default: host).")
    private Space space = Space.HOST;

    @Option(names = "--gpus", paramLabel = "N", description = "With --space device: most GPUs to use (default: all).")
    private int gpus;

    @Option(names = "--unchecked", description = "With --space device: does not look at results.")
    private boolean unchecked;

    @Option(names = "--buffers", paramLabel = "KIND", description = "Message buffers: direct or array (default: direct).")
    private Buffers buffers = Buffers.DIRECT;

    @Option(names = "--csv", description = "Prints operation,ranks,bytes,algorithm,microseconds.")
    private boolean csv;

    @Option(names = "--vs", paramLabel = "COMMAND", description = "A command line to be run in turn with ours; it prints CSV: "
        + "operation,ranks,bytes,microseconds, or as the NCCL baseline does. {sizes}, {max}, {ops} and {np} in it are replaced by ours; without {sizes} and {max}, the sizes are "
        + "appended. Of several variants at a size, the fastest counts.")
    private String peer;

    @Option(names = "--runs", paramLabel = "N", description = "With --vs: how often each runs (default: ${DEFAULT-VALUE}).", defaultValue = "3")
    private int runs;

    @Option(names = "--nodes", paramLabel = "N", description = "Runs the ranks on so many nodes that this machine emulates; host memory only (default: ${DEFAULT-VALUE}).", defaultValue = "1")
    private int nodes;

    @Option(names = "--map", paramLabel = "HOW", description = "With --nodes: block, node or the node of each rank, as mpjrun has it (default: ${DEFAULT-VALUE}).", defaultValue = "block")
    private String map;

    @Option(names = "--fabric", paramLabel = "FABRIC", description = "With --nodes: what joins them, as mpjrun has it.")
    private String fabric;

    @Option(names = "-J", paramLabel = "OPTION", description = "An option for the ranks' java: -J-Dbrigade.bcast.algorithm=chain.")
    private List<String> javaOptions = new ArrayList<>();

    @Override
    public Integer call() {
        boolean device = space == Space.DEVICE;
        List<Long> bytes;
        operations = operations == null ? "latency,bcast,allreduce" : operations;
        sizes = sizes != null ? sizes : device ? "16,64,256,1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G" : "8,64,512,4K,32K,256K,1M,4M,16M";
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
        int most = device ? DeviceJob.gpus() : Math.min(4, Runtime.getRuntime().availableProcessors());
        ranks = ranks != null ? ranks : Math.max(2, gpus > 0 ? Math.min(gpus, most) : most);
        BenchTable table = new BenchTable(spec.commandLine().getOut(), csv, device);
        if (peer == null) {
            return ours(SizeList.plain(bytes), row -> table.row(row));
        }
        return versus(SizeList.plain(bytes), table);
    }

    private interface RowSink {
        void take(BenchRow row);
    }

    /** Runs our ranks once. */
    private int ours(String bytes, RowSink sink) {
        if (space == Space.DEVICE) {
            return DeviceJob.run(ranks, javaOptions, List.of(DeviceBenchRank.class.getName(), operations, bytes, Integer.toString(gpus), unchecked ? "unchecked" : "checked"),
                text -> {
                    BenchRow row = BenchRow.parse(text);
                    if (row != null) {
                        sink.take(row);
                    }
                });
        }
        List<String> line = new ArrayList<>(List.of("-np", Integer.toString(ranks), "--nodes", Integer.toString(nodes), "--map", map));
        if (fabric != null) {
            line.addAll(List.of("--fabric", fabric));
        }
        line.addAll(javaOptions);
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
