package org.brigade.cli.bench.timing;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Times calls that all ranks of a communicator make: warms up, starts ranks together, takes medians and the slowest
 * rank's time. All methods that are not static are collective.
 */
public final class Timing {
    /** A call that is timed. */
    public interface Call {
        void run() throws MPIException;
    }

    /** One measurement on this rank. */
    public interface Measurement {
        double take() throws MPIException;
    }

    /** The JVM is warm when it has compiled hardly anything for this many nanoseconds: */
    private static final long QUIET = 150_000_000;
    /** less than these nanoseconds. Among many ranks some compiler always has a method or two left. */
    private static final long HARDLY = 10_000_000;
    /** How often to ask for that: it takes a fraction of a millisecond. */
    private static final long ASKED_EVERY = 15_000_000;
    private static final long WARM_TIME = 700_000_000;

    private final Intracomm comm;
    private final double[] mine = new double[1];
    private final double[] all = new double[1];

    public Timing(Intracomm comm) {
        this.comm = comm;
    }

    /** The greatest of all ranks' values. */
    public double slowest(double value) throws MPIException {
        mine[0] = value;
        comm.allReduce(mine, all, 1, MPI.DOUBLE, MPI.MAX);
        return all[0];
    }

    /** The mean of all ranks' values. */
    public double mean(double value) throws MPIException {
        mine[0] = value;
        comm.allReduce(mine, all, 1, MPI.DOUBLE, MPI.SUM);
        return all[0] / comm.getSize();
    }

    /**
     * Makes calls in batches until the time is over on all ranks; all ranks make equally many.
     *
     * @return nanoseconds of one call in the last batch on the slowest rank
     */
    public double warmUp(Call call, int batch, long nanos) throws MPIException {
        long end = System.nanoTime() + nanos;
        double last;
        do {
            comm.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < batch; i++) {
                call.run();
            }
            last = slowest((double) (System.nanoTime() - start) / batch);
        } while (slowest(end - System.nanoTime()) > 0);
        return last;
    }

    /**
     * Lets the JVMs compile the code that is about to be timed, until each of them has compiled hardly anything for a
     * while. It sleeps between calls to give the compiler a core.
     *
     * @param least how often to call at least, unless that takes too long
     * @param longest nanoseconds after which to stop in any case
     */
    public void compile(Call call, int least, long longest) throws MPIException {
        long start = System.nanoTime();
        long lastCompiled = start;
        long compiled = CompilerTime.nanos();
        long asked = start;
        int made = 0;
        boolean warm = false; // and stays so: not all ranks need be so at once
        boolean more;
        do {
            call.run();
            made++;
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            long now = System.nanoTime();
            if (now - asked >= ASKED_EVERY) {
                asked = now;
                long until = CompilerTime.nanos();
                if (Math.abs(until - compiled) >= HARDLY) {
                    compiled = until;
                    lastCompiled = now;
                }
                warm |= now - lastCompiled >= QUIET;
            }
            more = (made < least && now - start < WARM_TIME || !warm) && now - start < longest;
        } while (slowest(more ? 1 : 0) > 0);
    }

    /** Nanoseconds of each call on this rank. A barrier outside the clock starts ranks together. */
    public double[] each(Call call, int calls) throws MPIException {
        return each(() -> {}, call, calls);
    }

    /** As above. @param before runs before each call and the barrier, outside the clock */
    public double[] each(Call before, Call call, int calls) throws MPIException {
        double[] times = new double[calls];
        for (int i = 0; i < calls; i++) {
            before.run();
            comm.barrier();
            long start = System.nanoTime();
            call.run();
            times[i] = System.nanoTime() - start;
        }
        return times;
    }

    /** The median of several measurements on this rank, after one that is not counted. Ranks start each together. */
    public double median(int times, Measurement measurement) throws MPIException {
        double[] taken = new double[times];
        for (int i = -1; i < times; i++) {
            comm.barrier();
            taken[Math.max(i, 0)] = measurement.take();
        }
        return median(taken);
    }

    /** The median; the upper one if there are two. Sorts the values. */
    public static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** How many calls of {@code each} nanoseconds fill the span, within bounds. */
    public static int calls(double span, double each, int least, int most) {
        return (int) Math.max(least, Math.min(most, span / each));
    }
}
