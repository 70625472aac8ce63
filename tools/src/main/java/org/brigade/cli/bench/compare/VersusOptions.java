package org.brigade.cli.bench.compare;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of {@code bench} that compare our ranks with something else. */
public final class VersusOptions {
    @Option(names = "--vs", paramLabel = "PEERS",
        description = "Runs other libraries in turn with our ranks: openmpi, openmpi-ucx, mpich, mpj-express, openmpi-java"
            + " (with --cold), or several, separated by commas; the fastest counts. C MPIs are compiled here and run with"
            + " their defaults; where these bind each rank to a core, ours are bound, too (-J--bind-to=none: they are not)."
            + " With --space device: nccl, which nvcc compiles; NCCL_HOME and CUDA_HOME say where they are, if need be. Or"
            + " a command line. It must print CSV: operation,ranks,bytes,microseconds, or lines like those of"
            + " nccl_bench.cu. Our values replace {sizes}, {max}, {ops}, {np}, {fresh} and {cold} in it; without {sizes} and"
            + " {max}, our sizes are appended. Of several variants at a size, the fastest counts.")
    public String peers;

    @Option(names = "--runs", paramLabel = "N",
        description = "With --vs, --sockets, --report and --regress: how often each runs (default: 3, with --regress"
            + " 5).")
    public Integer runs;

    @Option(names = "--fresh",
        description = "Rewrites the buffers to send before each call, outside the clock, and rotates buffers beyond the"
            + " caches, on both sides.")
    public boolean fresh;

    @Option(names = "--cold", paramLabel = "CALLS", arity = "0..1", fallbackValue = "3000",
        description = "Times the first calls of fresh processes, one start for each operation and size, back to back and"
            + " without a warm-up: Init, the mean of each span of calls on the slowest rank, and their sum. Buffers are"
            + " Java arrays (default: ${FALLBACK-VALUE} calls).")
    public Integer cold;

    @Option(names = "--report", paramLabel = "FILE",
        description = "Writes a page with curves, tables and the limit of this machine (.html), the curves (.svg), or"
            + " all samples (.json).")
    public Path report;

    @Option(names = "--regress",
        description = "Compares ratios with those expected of such a machine, for each number of ranks that there is a"
            + " file for; exit code 1 if one has fallen.")
    public boolean regress;

    @Option(names = "--save", description = "With --regress: writes what it measures as the expected ratios.")
    public boolean save;

    @Option(names = "--expected", paramLabel = "FOLDER",
        description = "With --regress: where the files host-*.json are (default: docs/measured of Brigade's source"
            + " tree).")
    public Path expected;

    /** How many first calls are timed; 0: warm ones. */
    public int coldCalls() {
        return cold == null ? 0 : cold;
    }

    /** Whether any of these options is given, --runs aside. */
    public boolean compares() {
        return cold != null || peers != null || fresh || report != null || regress || save || expected != null;
    }

    public int runs() {
        return runs != null ? runs : regress ? 5 : 3;
    }
}
