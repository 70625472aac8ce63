package org.brigade.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.cli.bench.BenchBuffers;
import org.brigade.cli.bench.BenchCalls;
import org.brigade.cli.bench.BenchOperation;
import org.brigade.cli.bench.DeviceBenchRank;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.device.CudaMemory;
import org.brigade.cli.device.TrialMemory;
import org.brigade.cli.shared.SizeList;
import org.brigade.cli.verify.VerifyRank;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.select.ByteSize;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;

/**
 * What every rank of {@code brigade tune} runs: times one collective after another at each size, with every algorithm;
 * then, for those near the fastest, improves one parameter after another. All ranks use the slowest rank's times, so
 * all try the same. Rank 0 prints the measurements as comments, and then the rules.
 */
public final class TuneRank {
    private static final int[] BLOCKS = {8, 16, 32, 64, 96, 128};
    private static final long[] CHUNKS = {8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10};
    /** For copy engines: the pieces of the host's share, or the chunks of pairs. */
    private static final long[] PIECES = {1 << 20, 2 << 20, 4 << 20};
    private static final int[] SHARES = {4, 6, 8, 10, 12};
    /** Between two GPUs of a pair the host may carry nearly as much as the direct link. */
    private static final int[] SHARES_OF_PAIRS = {6, 12, 20, 30, 40};
    private static final long LEAST_SHARED = 16 << 20;
    /** Algorithms within this factor of the fastest get their parameters tried. */
    private static final double NEAR = 1.4;
    private static final long WARM_NANOS = 300_000_000;
    /** Time spent on the timed calls of one candidate, approximately and within bounds. */
    private static final long TIMED_NANOS = 30_000_000;
    private static final int LEAST_TIMED = 5;
    private static final int MOST_TIMED = 101;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final BenchOperation operation;
    private final Collective collective;
    private final BenchBuffers buffers;
    private long warm = WARM_NANOS;

    /** An algorithm with its parameters, and its time. */
    private record Way(DeviceAlgorithm algorithm, int blocks, long chunk, int share, double micros) {
        String words() {
            return algorithm.name() + (chunk > 0 ? " chunk " + ByteSize.compact(chunk) : "")
                + (blocks > 0 ? " blocks " + blocks : "") + (share > 0 ? " share " + share : "");
        }
    }

    private TuneRank(BenchOperation operation, BenchBuffers buffers) throws MPIException {
        this.operation = operation;
        this.collective = collective(operation.key());
        this.buffers = buffers;
    }

    /** Arguments: collectives, sizes, GPUs to use (0: all). */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        VerifyRank.selectGpu(arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0);
        long[] sizes = SizeList.parse(arguments[1]).stream().mapToLong(Long::longValue).sorted().toArray();
        int ranks = MPI.COMM_WORLD.getSize();
        String[] names = arguments[0].split(",");
        for (int i = 0; i < names.length; i++) {
            String name = names[i];
            BenchOperation operation = BenchOperation.of(name);
            long most = 4L * ranks * (DeviceBenchRank.block(operation, sizes[sizes.length - 1], ranks) / 4 + 1);
            try (TrialMemory send = CudaMemory.allocate(most); TrialMemory recv = CudaMemory.allocate(most)) {
                send.fill((byte) 0);
                recv.fill((byte) 0);
                new TuneRank(operation, new BenchBuffers(send.at(0), recv.at(0), null, null)).tune(sizes,
                    i * sizes.length,
                    names.length * sizes.length);
            }
        }
        MPI.Finalize();
    }

    /** @throws IllegalArgumentException if the collective has no choice of algorithms by size */
    static Collective collective(String name) {
        Collective collective = BenchOperation.of(name).collective();
        if (collective == null || collective == Collective.BARRIER || collective.counts == Counts.LOCAL) {
            throw new IllegalArgumentException(
                name + " has no algorithms to choose by size; name bcast, allreduce, ...");
        }
        return collective;
    }

    /**
     * @param before and all: sizes measured before these, and in the end
     */
    private void tune(long[] sizes, int before, int all) throws MPIException {
        List<String> rules = new ArrayList<>();
        String last = null;
        for (int i = 0; i < sizes.length; i++) {
            int bytes = (int) DeviceBenchRank.block(operation, sizes[i], ranks);
            Way best = best(bytes, sizes[i]);
            if (rank == 0) {
                System.out.println("progress " + (before + i + 1) + " " + all); // moves the command's bar
            }
            if (best == null) {
                continue;
            }
            // Half-way, on the scale of the sizes, to the next; in the ladder's bytes, which are a block's if blocks
            // have one
            // size.
            boolean end = i == sizes.length - 1;
            long bound =
                end ? 0 : (long) Math.sqrt((double) bytes * DeviceBenchRank.block(operation, sizes[i + 1], ranks));
            String rule =
                operation.key() + " ranks " + ranks + (end ? " " : " bytes .." + ByteSize.compact(bound) + " ");
            if (best.words().equals(last)) {
                rules.remove(rules.size() - 1);
            }
            last = best.words();
            rules.add(rule + last);
        }
        if (rank == 0) {
            rules.forEach(System.out::println);
            System.out.println();
        }
    }

    /** The fastest candidate for one size; null if no kernel serves it. */
    private Way best(int bytes, long size) throws MPIException {
        List<Way> ways = new ArrayList<>();
        long measured = collective == Collective.ALLGATHERV ? (long) bytes * ranks : bytes;
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            if (!algorithm.staged() && algorithm.restrictions().violatedBy(ranks, measured, true) == null) {
                Way way = time(algorithm, 0, 0, 0, bytes);
                if (way != null) {
                    ways.add(way);
                }
            }
        }
        if (ways.isEmpty()) {
            return null;
        }
        ways.sort(Comparator.comparingDouble(Way::micros));
        double near = NEAR * ways.get(0).micros();
        for (int i = 0; i < ways.size(); i++) {
            if (ways.get(i).micros() <= near) {
                ways.set(i, improved(ways.get(i), bytes));
            }
        }
        ways.sort(Comparator.comparingDouble(Way::micros));
        if (rank == 0) {
            StringBuilder line = new StringBuilder("# ").append(operation.key()).append(", ").append(ranks)
                .append(" ranks, ").append(ByteSize.compact(size)).append(':');
            for (Way way : ways) {
                line.append(way == ways.get(0) ? " " : ", ").append(way.words())
                    .append(String.format(Locale.ROOT, " %.1f us", way.micros()));
            }
            System.out.println(line);
        }
        return ways.get(0);
    }

    /** One parameter after another, each at its best before the next. */
    private Way improved(Way way, int bytes) throws MPIException {
        Way best = way;
        boolean pairs = way.algorithm().kernel().paired();
        boolean copies = way.algorithm().kernel().copies() || pairs;
        if (way.algorithm().striped() && bytes >= LEAST_SHARED) {
            for (int share : pairs ? SHARES_OF_PAIRS : SHARES) {
                best = faster(best, time(way.algorithm(), best.blocks(), best.chunk(), share, bytes));
            }
        }
        for (int blocks : copies ? new int[0] : BLOCKS) {
            best = faster(best, time(way.algorithm(), blocks, best.chunk(), best.share(), bytes));
        }
        for (long chunk : !way.algorithm().pipelined() || copies && !pairs && best.share() == 0 ? new long[0]
            : copies ? PIECES : CHUNKS) {
            best = faster(best, time(way.algorithm(), best.blocks(), chunk, best.share(), bytes));
        }
        return best;
    }

    /** A change must gain more than the noise. */
    private static Way faster(Way best, Way other) {
        return other != null && other.micros() < 0.99 * best.micros() ? other : best;
    }

    /**
     * The slowest rank's median over calls, on a communicator of its own; null if the algorithm does not serve such
     * blocks.
     */
    private Way time(DeviceAlgorithm algorithm, int blocks, long chunk, int share, int bytes) throws MPIException {
        set("algorithm", algorithm.name());
        set("blocks", blocks > 0 ? Integer.toString(blocks) : null);
        set("chunk", chunk > 0 ? Long.toString(chunk) : null);
        set("share", Integer.toString(share));
        Intracomm comm = world.dup();
        try {
            BenchCalls calls = new BenchCalls(comm, operation, buffers, bytes);
            calls.call();
            boolean ran = Diagnostics.lastAlgorithm().equals(algorithm.name());
            Timing timing = new Timing(comm);
            double once = timing.warmUp(calls::call, 1, warm);
            warm = 0;
            double[] times = timing.each(calls::call, Timing.calls(TIMED_NANOS, once, LEAST_TIMED, MOST_TIMED));
            double slowest = timing.slowest(Timing.median(times) / 1000);
            return ran ? new Way(algorithm, blocks, chunk, share, slowest) : null;
        } finally {
            comm.free();
        }
    }

    private void set(String what, String value) {
        String setting = Settings.property(MemorySpace.DEVICE.key(collective, what));
        if (value == null) {
            System.clearProperty(setting);
        } else {
            System.setProperty(setting, value);
        }
    }
}
