package org.brigade.jmh;

import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.MPIException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Latency of bcast and allreduce between real processes. Rank 0 runs JMH inside its own process (no forks: it must stay
 * the rank that it is) and the other ranks follow: before every iteration they are told what to run, and a stop word in
 * the payload ends it. Nothing but the public API is used, so that the same class measures any implementation of it.
 *
 * <pre>
 *   bin/mpjrun -np 2 -cp jmh/target/benchmarks.jar org.brigade.jmh.CollectiveLatency [JMH options]
 *   mpirun -np 2 java -cp jmh/target/benchmarks.jar org.brigade.jmh.CollectiveLatency [JMH options]
 * </pre>
 *
 * A bcast is measured as half of two, from the first rank and back from the last: a root that only sends would run
 * ahead.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CollectiveLatency {
    @Param({"8", "1024", "65536", "1048576"})
    public int bytes;

    @Param({"array", "direct"})
    public String buffers;

    private Payload payload;

    /** Tells the followers what the coming iteration is. */
    @Setup(Level.Iteration)
    public void begin(BenchmarkParams benchmark) throws MPIException {
        if (payload == null) {
            String name = benchmark.getBenchmark();
            int operation = name.endsWith(".bcast") ? Followers.BCAST
                : name.endsWith(".allreduce") ? Followers.ALLREDUCE : Followers.START_ALLREDUCE;
            payload = new Payload(operation, bytes, buffers.equals("direct"));
        }
        Followers.begin(payload);
    }

    /** Ends the iteration on the followers too. */
    @TearDown(Level.Iteration)
    public void end() throws MPIException {
        payload.stop();
    }

    @Benchmark
    @OperationsPerInvocation(2)
    public void bcast() throws MPIException {
        payload.bcast();
    }

    @Benchmark
    public void allreduce() throws MPIException {
        payload.allReduce();
    }

    /** What {@link #allreduce} does, as a persistent request: in Brigade only. */
    @Benchmark
    public void startAllreduce() throws MPIException {
        payload.startAllReduce();
    }

    /** Runs on every rank; the options count on rank 0. */
    public static void main(String[] arguments) throws MPIException, CommandLineOptionException, RunnerException {
        String[] options = MPI.Init(arguments);
        if (MPI.COMM_WORLD.getRank() == 0) {
            CommandLineOptions chosen = new CommandLineOptions(options);
            ChainedOptionsBuilder here =
                new OptionsBuilder().parent(chosen).forks(0).threads(1).shouldFailOnError(true);
            if (chosen.getIncludes().isEmpty()) {
                here.include(CollectiveLatency.class.getName() + "\\.");
            }
            new Runner(here.build()).run();
            Followers.end();
        } else {
            Followers.follow();
        }
        MPI.Finalize();
    }
}
