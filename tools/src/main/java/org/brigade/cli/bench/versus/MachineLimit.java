package org.brigade.cli.bench.versus;

import java.util.List;
import org.brigade.cli.shared.BenchException;
import org.brigade.launch.RankProcesses;
import org.brigade.launch.options.LaunchOptions;

/**
 * The least time that any library could need on this machine, measured in turn with the benchmarks: half a round trip
 * of a cache line, or the fewest passes over memory at the bandwidth of plain copies, whichever is longer.
 */
public final class MachineLimit {
    /** How the limit is computed, for readers of reports. */
    public static final String METHOD = "The limit is the longer of two times, both measured in the same run: half the"
        + " round trip of a cache line between two threads (not for bw and bibw), and the message's copies divided by"
        + " the bandwidth of memcpy. All threads, one for each rank but not more than processors, copy as many bytes"
        + " at once, each in its own memory. The fewest copies of p ranks and n bytes (n read and n written are one"
        + " copy of n): a message n, bcast (p - 1) n, reduce and reduce-scatter (p + 1) n / 2, allreduce and scan p n,"
        + " gather and scatter p n, allgather and alltoall p\u00b2 n. Messages below 4 KiB are not counted as copies.";

    private final List<String> program;
    private final int threads;
    private final MedianRows rows = new MedianRows();

    public MachineLimit(BenchJob job) {
        threads = Math.max(1, Math.min(job.ranks(), Runtime.getRuntime().availableProcessors()));
        // Of cold calls no limit is known.
        program = List.of("-np", "1", "--bind-to", "none", LimitProgram.class.getName(),
            job.isCold() ? "0" : job.sizes(), Integer.toString(threads),
            Long.toString(job.freshBytes()));
    }

    /** Measures once. */
    public void run() {
        LaunchOptions options = LaunchOptions.parse(program.toArray(new String[0]));
        int code = RankProcesses.run(options, (rank, error, line) -> add(line), false);
        if (code != 0) {
            throw new BenchException("the limit of the machine cannot be measured: the program ended with code " + code
                + " (above is why); smaller --sizes need less memory");
        }
    }

    /** Takes a line of {@link LimitProgram}. */
    void add(String line) {
        BenchRow row = BenchRow.parse(line);
        if (row != null) {
            rows.add(row);
        }
    }

    /** Microseconds in which a cache line goes to another thread and back; NaN if not measured. */
    public double roundTrip() {
        return rows.samples(LimitProgram.ROUND_TRIP + ",64").median();
    }

    /** Bytes a microsecond that all threads together copy, in pieces of this size; NaN if not measured. */
    public double bandwidth(long bytes) {
        return threads * bytes / rows.samples(LimitProgram.COPY + "," + bytes).median();
    }

    /** Microseconds; NaN where nothing is known. */
    public double microseconds(String operation, int ranks, long bytes) {
        double copies = copies(operation, ranks);
        boolean pipelined = operation.equals("bw") || operation.equals("bibw");
        double line = pipelined ? 0 : roundTrip() / 2;
        if (bytes < LimitProgram.LEAST_COPY || copies == 0) {
            return pipelined || Double.isNaN(copies) ? Double.NaN : line;
        }
        return Math.max(line, copies * bytes / bandwidth(bytes));
    }

    /** The fewest copies of a message that an operation needs; NaN if unknown. */
    static double copies(String operation, int ranks) {
        return switch (operation) {
            case "latency", "polling", "bw", "bibw" -> 1;
            case "barrier" -> 0;
            case "bcast" -> ranks - 1;
            case "reduce", "reduce-scatter" -> (ranks + 1) / 2.0;
            case "allreduce", "scan", "exscan", "gather", "gatherv", "scatter", "scatterv" -> ranks;
            case "allgather", "allgatherv", "alltoall", "alltoallv" -> (double) ranks * ranks;
            default -> Double.NaN;
        };
    }
}
