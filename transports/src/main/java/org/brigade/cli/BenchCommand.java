package org.brigade.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.brigade.launch.LaunchOptions;
import org.brigade.launch.RankCommand;
import org.brigade.launch.RankProcesses;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code brigade bench}: starts ranks on this machine and prints how long operations take. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Times point-to-point and collective operations on this machine.",
    footer = {"", "Times are microseconds of one message or call by the OSU method: after a warm-up, the mean over ranks of the mean over iterations,",
        "with a barrier between iterations outside the clock, and the median of five such times.",
        "", "Compare with a C MPI (mpi_bench.c is in jmh/src/main/native):",
        "  mpicc -O3 -o mpi_bench jmh/src/main/native/mpi_bench.c",
        "  brigade bench --np 2 --vs \"mpirun --bind-to core -np 2 ./mpi_bench {sizes} {ops}\""})
final class BenchCommand implements Callable<Integer> {
    enum Buffers { DIRECT, ARRAY }

    @Spec
    private CommandSpec spec;

    @Option(names = {"--np", "-np"}, paramLabel = "N", description = "Ranks to start (default: processors, at most 4, at least 2).")
    private int ranks = Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

    @Option(names = "--ops", paramLabel = "LIST", description = "Operations, of: latency, bw, bibw, barrier, bcast, reduce, allreduce, scan, exscan, gather, "
        + "gatherv, scatter, scatterv, allgather, allgatherv, reduce-scatter, alltoall, alltoallv (default: ${DEFAULT-VALUE}).",
        defaultValue = "latency,bcast,allreduce")
    private String operations;

    @Option(names = "--sizes", paramLabel = "SIZES", description = "Bytes: A:B doubles from A to B, A,B is a list; K, M and G are powers of 1024 "
        + "(default: ${DEFAULT-VALUE}).", defaultValue = "8,64,512,4K,32K,256K,1M,4M,16M")
    private String sizes;

    @Option(names = "--buffers", paramLabel = "KIND", description = "Message buffers: direct or array (default: direct).")
    private Buffers buffers = Buffers.DIRECT;

    @Option(names = "--csv", description = "Prints operation,ranks,bytes,algorithm,microseconds.")
    private boolean csv;

    @Option(names = "--vs", paramLabel = "COMMAND", description = "A command line to be run in turn with ours; it prints CSV: "
        + "operation,ranks,bytes,microseconds. {sizes}, {ops} and {np} in it are replaced by ours; without {sizes}, the sizes are appended.")
    private String peer;

    @Option(names = "--runs", paramLabel = "N", description = "With --vs: how often each runs (default: ${DEFAULT-VALUE}).", defaultValue = "3")
    private int runs;

    @Option(names = "-J", paramLabel = "OPTION", description = "An option for the ranks' java: -J-Dbrigade.bcast.algorithm=chain.")
    private List<String> javaOptions = new ArrayList<>();

    @Override
    public Integer call() {
        List<Long> bytes;
        try {
            bytes = SizeList.parse(sizes);
            Arrays.stream(operations.split(",", -1)).forEach(BenchOperation::of);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        if (ranks < 1 || runs < 1) {
            throw new ParameterException(spec.commandLine(), "--np and --runs must be 1 or more");
        }
        BenchTable table = new BenchTable(spec.commandLine().getOut(), csv);
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
        List<String> line = new ArrayList<>(List.of("-np", Integer.toString(ranks)));
        line.addAll(javaOptions);
        line.addAll(List.of(BenchRank.class.getName(), operations, bytes, buffers.name().toLowerCase(Locale.ROOT)));
        List<String> command = RankCommand.of(LaunchOptions.parse(line.toArray(new String[0])));
        return RankProcesses.run(command, ranks, null, (rank, error, text) -> {
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
            table.row(row, theirs.microseconds(row.key()));
        }
        return 0;
    }
}
