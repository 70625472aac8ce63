package org.brigade.jmh;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.launch.Launcher;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;

/**
 * Makes each fork of JMH a job of {@code -Dranks} ranks (2). In front of the fork's command line it puts mpjrun and its
 * own main; the fork's line becomes arguments. Rank 0 runs JMH's fork in its own process, and the others make as many
 * calls. So JVM options of the fork do not count.
 */
public final class FreshRanks implements ExternalProfiler {
    private static final String FORK = "org.openjdk.jmh.runner.ForkedMain";

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams benchmark) {
        String java = System.getProperty("java.home") + "/bin/java";
        String path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(each -> new File(each).getAbsolutePath()).reduce((a, b) -> a + File.pathSeparator + b).orElse("");
        int calls = benchmark.getWarmup().getCount() + benchmark.getMeasurement().getCount();
        return List.of(java, "-Dbrigade.launch.path=" + path, "-cp", path, Launcher.class.getName(), "-np",
            System.getProperty("ranks", "2"), "-cp", path,
            FreshRanks.class.getName(), Integer.toString(ColdCollectives.operation(benchmark)),
            benchmark.getParam("bytes"), benchmark.getParam("buffers"), Integer.toString(calls));
    }

    /** A rank: the operation of {@link Followers}, bytes, buffers, calls, and the line of JMH's fork. */
    public static void main(String[] arguments) throws MPIException, ReflectiveOperationException {
        int fork = Arrays.asList(arguments).indexOf(FORK);
        if (isFirst()) {
            fork(Arrays.copyOfRange(arguments, fork + 1, arguments.length));
            return;
        }
        MPI.Init(new String[0]);
        Payload payload =
            new Payload(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), arguments[2].equals("direct"));
        for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
            payload.run();
        }
        MPI.Finalize();
    }

    /** Whether this will be rank 0; Init is the benchmark's, and has not been called. */
    private static boolean isFirst() {
        return "0".equals(System.getenv("BRIGADE_RANK"));
    }

    private static void fork(String[] arguments) throws ReflectiveOperationException {
        Method main = Class.forName(FORK).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("JMH's fork has failed", e.getCause());
        }
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams benchmark) {
        return List.of();
    }

    @Override
    public void beforeTrial(BenchmarkParams benchmark) {
        // Nothing to prepare.
    }

    @Override
    public Collection<? extends Result<?>> afterTrial(BenchmarkResult result, long pid, File out, File err) {
        return List.of();
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public String getDescription() {
        return "each fork is a job of fresh ranks";
    }
}
