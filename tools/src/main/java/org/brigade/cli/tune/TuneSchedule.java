package org.brigade.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.bench.BenchOperation;
import org.brigade.cli.bench.DeviceBenchRank;
import org.brigade.cli.bench.FreshBuffers;
import org.brigade.cli.bench.report.MachineFacts;
import org.brigade.cli.bench.timing.Timing;

/** One {@link Contest} after another, all within a time. Collective. */
final class TuneSchedule {
    private final String[] names;
    private final long[] sizes;
    private final double seconds;
    private final double longest;
    private final Contest.Ways ways;
    private final Intracomm world = MPI.COMM_WORLD;
    private final Timing timing = new Timing(world);

    /**
     * @param names of collectives
     * @param sizes ascending
     * @param seconds in all
     * @param longest nanoseconds of one size
     */
    TuneSchedule(String[] names, long[] sizes, double seconds, double longest, Contest.Ways ways) {
        this.names = names;
        this.sizes = sizes;
        this.seconds = seconds;
        this.longest = longest;
        this.ways = ways;
    }

    /**
     * Measures.
     *
     * @param where the conditions of all rules: {@code ranks 4 nodes 1}
     * @param open whether what wins at the largest size holds beyond it
     * @param lines takes what rank 0 says: lines for people, and {@code progress MEASURED EXPECTED}
     * @return the rules, on all ranks
     */
    List<String> run(String where, boolean open, Consumer<String> lines) throws MPIException {
        int ranks = world.getSize();
        Consumer<String> said = world.getRank() == 0 ? lines : line -> {};
        int cells = 0;
        for (String name : names) {
            cells += sizes(name).length;
        }
        long end = System.nanoTime() + (long) (1e9 * seconds);
        int done = 0;
        List<String> rules = new ArrayList<>();
        for (String name : names) {
            BenchOperation operation = BenchOperation.of(name);
            long[] asked = sizes(name);
            long most = DeviceBenchRank.block(operation, asked[asked.length - 1], ranks);
            Contest contest = new Contest(operation, FreshBuffers.direct(operation.sendBytes(most, ranks),
                operation.recvBytes(most, ranks), MachineFacts.here().freshBytes(ranks)), ways, said);
            List<TunedRules.Winner> winners = new ArrayList<>();
            for (long size : asked) {
                double left = (double) (end - System.nanoTime()) / (cells - done);
                double nanos = timing.slowest(world.getRank() == 0 ? Math.max(0, Math.min(longest, left)) : 0);
                winners.add(contest.at(size, nanos, size == asked[0]));
                said.accept("progress " + ++done + " " + cells);
            }
            rules.addAll(TunedRules.of(operation.collective(), where, open, winners));
        }
        return rules;
    }

    private long[] sizes(String name) {
        return BenchOperation.of(name).collective() == Collective.BARRIER ? new long[1] : sizes;
    }
}
