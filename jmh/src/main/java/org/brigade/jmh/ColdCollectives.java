package org.brigade.jmh;

import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.MPIException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * The calls of {@link CollectiveLatency}, cold: each fork is a job whose ranks are fresh JVMs ({@link FreshRanks}), and
 * each iteration is one call, the first one the first of the program. Nothing is warmed up.
 *
 * <pre>
 *   java -cp jmh/target/benchmarks.jar org.brigade.jmh.ColdCollectives [JMH options]
 *   java -Dranks=4 -cp jmh/target/benchmarks.jar org.brigade.jmh.ColdCollectives -f 10 -i 1      only first calls
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 0)
@Measurement(iterations = 30)
public class ColdCollectives {
    @Param({"8", "1024", "65536", "1048576"})
    public int bytes;

    @Param({"array", "direct"})
    public String buffers;

    private Payload payload;

    /** Outside the clock. */
    @Setup(Level.Trial)
    public void begin(BenchmarkParams benchmark) throws MPIException {
        MPI.Init(new String[0]);
        payload = payload(benchmark);
    }

    /** Ends the job's rank 0. */
    @TearDown(Level.Trial)
    public void end() throws MPIException {
        MPI.Finalize();
    }

    /** What a rank needs for a benchmark of this class. */
    private static Payload payload(BenchmarkParams benchmark) throws MPIException {
        return new Payload(operation(benchmark), Integer.parseInt(benchmark.getParam("bytes")),
            benchmark.getParam("buffers").equals("direct"));
    }

    /** Of {@link Followers}. */
    static int operation(BenchmarkParams benchmark) {
        return benchmark.getBenchmark().endsWith(".bcast") ? Followers.BCAST : Followers.ALLREDUCE;
    }

    /** As in {@link CollectiveLatency}: half of two. */
    @Benchmark
    @OperationsPerInvocation(2)
    public void bcast() throws MPIException {
        payload.bcast();
    }

    @Benchmark
    public void allreduce() throws MPIException {
        payload.allReduce();
    }

    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException {
        CommandLineOptions chosen = new CommandLineOptions(arguments);
        ChainedOptionsBuilder here =
            new OptionsBuilder().parent(chosen).threads(1).shouldFailOnError(true).addProfiler(FreshRanks.class)
                .exclude("^(?!" + ColdCollectives.class.getName() + "\\.).*");
        new Runner(here.build()).run();
    }
}
