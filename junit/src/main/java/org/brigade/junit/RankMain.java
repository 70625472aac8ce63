package org.brigade.junit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import mpi.MPIException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What a rank runs: Init, one test by JUnit, and Finalize if the test has passed. */
final class RankMain implements TestExecutionListener {
    /** How long a rank that has failed waits at most for what the others come to, before its exit ends them. */
    private static final long OTHERS_MILLIS = 3000;

    private static final long TICK_NANOS = 50_000_000;

    private static volatile boolean running;

    private final Path folder;
    private final int rank;
    private final int size;
    private final int seconds;
    /** When the test must have ended; before it begins, when it must have begun. */
    private volatile long deadline;
    private Throwable failure;
    private boolean aborted;
    private boolean ran;
    private boolean told;

    private RankMain(Path folder, int seconds) {
        this.folder = folder;
        this.seconds = seconds;
        deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RankJob.START_SECONDS);
        rank = Integer.parseInt(System.getenv("BRIGADE_RANK"));
        size = Integer.parseInt(System.getenv("BRIGADE_SIZE"));
    }

    /** Whether this JVM is a rank of a test. */
    static boolean isRank() {
        return running;
    }

    /** @param arguments the folder for outcomes, the test's unique id, and the seconds that it may take */
    public static void main(String[] arguments) throws Exception {
        running = true;
        new RankMain(Path.of(arguments[0]), Integer.parseInt(arguments[2])).run(arguments[1]);
    }

    private void run(String id) throws Exception {
        watch(Thread.currentThread());
        MPI.Init(new String[0]);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN); // errors fail the test where they are, and end no job
        LauncherDiscoveryRequest request =
            LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectUniqueId(id))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false").build();
        LauncherFactory.create().execute(request, this);
        if (!ran && failure == null) {
            failure = new IllegalStateException("JUnit has not found the test " + id + " on this rank");
        }
        if (failure == null) {
            tell(Outcome.passed());
        } else {
            tell(Outcome.of(aborted ? Outcome.Kind.ABORTED : Outcome.Kind.FAILED, failure));
            if (!aborted) {
                MPI.COMM_WORLD.revoke(); // ranks that wait for this one hear of it
                awaitOthers();
                System.exit(1);
            }
        }
        MPI.Finalize();
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            try {
                MPI.COMM_WORLD.barrier(); // all begin at once: the ranks' JVMs load classes one faster than the other
            } catch (MPIException e) {
                // A rank has failed before its test; this one's fails, too.
            }
            deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        ran |= test.isTest();
        if (failure == null && result.getThrowable().isPresent()) {
            failure = result.getThrowable().get();
            aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        ran = true;
    }

    private synchronized void tell(Outcome outcome) throws IOException {
        if (!told) {
            told = true;
            outcome.write(folder, rank);
        }
    }

    /** Waits for what the others come to. */
    private void awaitOthers() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OTHERS_MILLIS);
        for (int other = 0; other < size; other++) {
            while (!Outcome.exists(folder, other) && System.nanoTime() < end) {
                Thread.sleep(5);
            }
        }
    }

    /** When time is over, says where the test is, and ends. */
    private void watch(Thread main) {
        Thread watcher = new Thread(() -> {
            try {
                for (long left = 1; left > 0; left = deadline - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.sleep(Math.min(left, TICK_NANOS));
                }
                synchronized (this) {
                    if (told) {
                        return; // it waits for the others, who tell what holds them
                    }
                    tell(new Outcome(Outcome.Kind.LATE, "has not ended within " + seconds + " s; it is here",
                        main.getStackTrace(), null));
                }
                awaitOthers();
            } catch (InterruptedException | IOException e) {
                e.printStackTrace();
            }
            Runtime.getRuntime().halt(1);
        }, "limit of the test");
        watcher.setDaemon(true);
        watcher.start();
    }
}
