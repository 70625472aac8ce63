package org.brigade.cli.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.launch.RankProcesses;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;

/** {@code bench --metrics nccl}: runs our ranks, if asked in turn with the same job over sockets, and takes medians. */
final class BusBench {
    private final LaunchOptions options;
    private final List<BusOperation> operations;
    private final String sizes;

    /**
     * @param line mpjrun's options for our ranks, without a program
     * @throws LaunchException if the options contradict each other
     */
    BusBench(List<String> line, List<BusOperation> operations, String sizes) {
        this.operations = operations;
        this.sizes = sizes;
        List<String> whole = new ArrayList<>(line);
        whole.add(BusBenchRank.class.getName());
        whole.add(String.join(",", operations.stream().map(BusOperation::key).toList()));
        whole.add(sizes);
        options = LaunchOptions.parse(whole.toArray(new String[0]));
    }

    /** How many rows a run of one side gives; an exchange has no sizes. */
    int rows() {
        int rows = 0;
        for (BusOperation operation : operations) {
            rows += operation.tensors() == null ? sizes.split(",").length : 1;
        }
        return rows;
    }

    /**
     * Runs both sides in turn.
     *
     * @param rate rate of the links of the job over sockets; null if it is not measured
     * @param measured is told after each row of any side
     * @param lines takes the medians
     * @return 0, or the code of the first rank that failed
     */
    int run(int runs, String rate, Runnable measured, List<BusTable.Line> lines) {
        Map<String, List<BusRow>> ours = new LinkedHashMap<>();
        Map<String, List<BusRow>> theirs = new LinkedHashMap<>();
        try (SocketsPeer peer = rate == null ? null : new SocketsPeer(options.nodes(), options.ranks(), rate)) {
            for (int run = 0; run < runs; run++) {
                int code = RankProcesses.run(options,
                    (rank, error, text) -> add(ours, BusRow.parse(text), measured), false);
                if (code != 0) {
                    return code;
                }
                if (peer != null) {
                    peer.run(operations, sizes, row -> add(theirs, row, measured));
                }
            }
        }
        for (String key : ours.keySet()) {
            lines.add(new BusTable.Line(options.nodes(), median(ours.get(key)),
                theirs.containsKey(key) ? median(theirs.get(key)) : null));
        }
        return 0;
    }

    private static void add(Map<String, List<BusRow>> rows, BusRow row, Runnable measured) {
        if (row != null) {
            synchronized (rows) {
                rows.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row);
                measured.run();
            }
        }
    }

    /** The run with the median time, with its own CPU use. */
    static BusRow median(List<BusRow> rows) {
        List<BusRow> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingDouble(BusRow::microseconds));
        return sorted.get(sorted.size() / 2);
    }
}
