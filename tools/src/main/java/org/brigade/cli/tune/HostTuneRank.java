package org.brigade.cli.tune;

import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.shared.SizeList;
import org.brigade.topology.system.HostShape;

/** What every rank of {@code brigade tune --space host} runs: a {@link Contest} for each collective. */
public final class HostTuneRank {
    private static final double LONGEST_CELL = 2e9;

    private HostTuneRank() {
    }

    /** Arguments: collectives, sizes, seconds. */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        long[] all = SizeList.parse(arguments[1]).stream().mapToLong(Long::longValue).sorted().toArray();
        Timing timing = new Timing(world);
        // These calls choose their algorithms now, before others are forced.
        world.barrier();
        boolean bound = timing.slowest(
            Runtime.getRuntime().availableProcessors() < HostShape.here().processors() ? 1 : 0) > 0;
        List<String> rules = new TuneSchedule(arguments[0].split(","), all, Double.parseDouble(arguments[2]),
            LONGEST_CELL, (collective, ranks, bytes) -> TunedWay.all(collective, ranks, bytes, bound))
            .run("ranks " + world.getSize() + " nodes 1", false, System.out::println);
        if (world.getRank() == 0) {
            rules.forEach(rule -> System.out.println(HostTuning.RULE + rule));
        }
        MPI.Finalize();
    }

    /** @throws IllegalArgumentException if the collective has no choice of algorithms here */
    static void check(String name) {
        if (!name.equals(Collective.BARRIER.key())) {
            TuneRank.collective(name);
        }
    }
}
