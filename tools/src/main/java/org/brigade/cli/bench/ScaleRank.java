package org.brigade.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.bench.timing.Timing;

/**
 * A rank of bin/scale's jobs: measures how costs grow with the number of ranks. Rank 0 prints a line of a table: ranks;
 * the slowest rank's Init in milliseconds; the mean and the largest memory of a rank in MiB; then the median times in
 * microseconds of the {@link #CALLS}.
 */
final class ScaleRank {
    static final String CALLS = "barrier, allreduce 8 B, bcast 64 KiB, allreduce 1 MiB";
    private static final int LARGE = 1 << 20;
    private static final long NANOS_A_CALL = 1_000_000_000L;
    private static final int MOST_CALLS = 10_000;

    private ScaleRank() {
    }

    public static void main(String[] arguments) throws MPIException, IOException {
        long begin = System.nanoTime();
        MPI.Init(arguments);
        double init = (System.nanoTime() - begin) / 1e6;
        Intracomm world = MPI.COMM_WORLD;
        float[] from = new float[LARGE / 4];
        float[] to = new float[LARGE / 4];
        byte[] bytes = new byte[64 << 10];
        Timing timing = new Timing(world);
        double[] times = {
            time(timing, () -> world.barrier()),
            time(timing, () -> world.allReduce(from, to, 2, MPI.FLOAT, MPI.SUM)),
            time(timing, () -> world.bcast(bytes, bytes.length, MPI.BYTE, 0)),
            time(timing, () -> world.allReduce(from, to, from.length, MPI.FLOAT, MPI.SUM))};
        double memory = memory();
        double[] greatest = new double[2];
        world.allReduce(new double[] {init, memory}, greatest, 2, MPI.DOUBLE, MPI.MAX);
        double[] sum = new double[1];
        world.allReduce(new double[] {memory}, sum, 1, MPI.DOUBLE, MPI.SUM);
        if (world.getRank() == 0) {
            StringBuilder line = new StringBuilder();
            line.append(String.format("| %d | %.0f | %.1f | %.1f |", world.getSize(), greatest[0],
                sum[0] / world.getSize(), greatest[1]));
            for (double time : times) {
                line.append(String.format(time < 100 ? " %.1f |" : " %.0f |", time));
            }
            System.out.println(line);
        }
        MPI.Finalize();
    }

    /** Median time of a call on this rank, in microseconds. A barrier precedes each call. */
    private static double time(Timing timing, Timing.Call call) throws MPIException {
        double once = timing.warmUp(call, 20, 0);
        return Timing.median(timing.each(call, Timing.calls(NANOS_A_CALL, once, 1, MOST_CALLS))) / 1e3;
    }

    /** This process's memory in MiB; shared pages count by its share of them. */
    private static double memory() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps_rollup"))) {
            if (line.startsWith("Pss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
            }
        }
        return Double.NaN;
    }
}
