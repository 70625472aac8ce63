package org.brigade.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.ColdCalls;
import org.brigade.launch.RankProcesses;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;

/** Runs our ranks once and reads what they print. */
final class OurRanks {
    private OurRanks() {
    }

    /**
     * Ranks with buffers in host memory.
     *
     * @param line mpjrun's options, without a program
     * @param buffers {@code direct} or {@code array}
     * @return 0, or the code of the first rank that failed
     * @throws org.brigade.launch.options.LaunchException if the options contradict each other
     */
    static int onHost(List<String> line, BenchJob job, String buffers, Consumer<BenchRow> sink) {
        List<String> whole = new ArrayList<>(line);
        whole.addAll(List.of(BenchRank.class.getName(), job.operations(), job.sizes(), buffers));
        if (job.freshBytes() > 0) {
            whole.add(job.word());
        }
        return run(whole, sink);
    }

    /** Fresh ranks for each operation and size of a job of cold calls. */
    static int cold(List<String> line, BenchJob job, Consumer<BenchRow> sink) {
        for (BenchJob start : job.starts()) {
            List<String> whole = new ArrayList<>(line);
            whole.add(ColdCalls.class.getName());
            whole.addAll(start.arguments());
            whole.add(ColdCalls.OPEN_MPI);
            int code = run(whole, sink);
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    private static int run(List<String> line, Consumer<BenchRow> sink) {
        LaunchOptions options = LaunchOptions.parse(line.toArray(new String[0]));
        return RankProcesses.run(options, (rank, error, text) -> pass(text, sink), false);
    }

    /**
     * Ranks with buffers on GPUs.
     *
     * @param line mpjrun's options, without a program
     * @param emulated whether several nodes of the job are this machine
     * @throws org.brigade.launch.options.LaunchException if the options contradict each other
     */
    static int onDevice(List<String> line, BenchJob job, int gpus, boolean checked, boolean emulated,
        Consumer<BenchRow> sink) {
        List<String> whole = new ArrayList<>(line);
        whole.addAll(List.of(DeviceBenchRank.class.getName(), job.operations(), job.sizes(), Integer.toString(gpus),
            checked ? "checked" : "unchecked", emulated ? DeviceBenchRank.EMULATED : "nodes"));
        return run(whole, sink);
    }

    private static void pass(String text, Consumer<BenchRow> sink) {
        BenchRow row = BenchRow.parse(text);
        if (row != null) {
            sink.accept(row);
        }
    }
}
