package org.brigade.cli.bench.versus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs our ranks in turn with the peers, so that what the machine does meanwhile meets all of them. */
public final class Comparison {
    /** Our ranks, run once. */
    public interface OurSide {
        /** @return 0, or the code of the first rank that failed */
        int run(Consumer<BenchRow> sink);
    }

    private final List<PeerBenchmark> peers;
    private final MachineLimit limit;
    private final MedianRows ours = new MedianRows();
    private final Map<String, MedianRows> theirs = new LinkedHashMap<>();

    /** @param limit measured in turn, too; null if it is not */
    public Comparison(List<PeerBenchmark> peers, MachineLimit limit) {
        this.peers = peers;
        this.limit = limit;
        for (PeerBenchmark peer : peers) {
            theirs.put(peer.name(), new MedianRows());
        }
    }

    /** Names of the peers, in the order of the command line. */
    public List<String> names() {
        return List.copyOf(theirs.keySet());
    }

    /**
     * Runs each side so often, in turn.
     *
     * @param measured is told after each row of any side
     * @return 0, or the code of the first of our ranks that failed
     */
    public int run(OurSide side, int runs, Runnable measured) {
        for (int run = 0; run < runs; run++) {
            if (limit != null) {
                limit.run();
            }
            int code = side.run(row -> {
                ours.add(row);
                measured.run();
            });
            if (code != 0) {
                return code;
            }
            for (PeerBenchmark peer : peers) {
                MedianRows times = theirs.get(peer.name());
                peer.run(row -> {
                    times.add(row);
                    measured.run();
                });
            }
        }
        return 0;
    }

    /** What was measured, in our order. */
    public List<MeasuredRow> rows() {
        List<MeasuredRow> rows = new ArrayList<>();
        for (BenchRow row : ours.rows()) {
            List<MeasuredRow.PeerTime> times = new ArrayList<>();
            theirs.forEach((name, measured) -> {
                BenchRow best = measured.best(row.key());
                if (best != null) {
                    times.add(new MeasuredRow.PeerTime(name, best, measured.samples(row.key())));
                }
            });
            rows.add(new MeasuredRow(row, ours.samples(row.key()), times));
        }
        return rows;
    }
}
