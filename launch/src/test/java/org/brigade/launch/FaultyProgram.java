package org.brigade.launch;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import mpi.MPI;
import org.brigade.engine.job.JobEnd;

/**
 * What the ranks of {@link FaultsTest} run: rank 1 does something bad while the others wait for it. Arguments: what it
 * does, what they wait in, and a directory if it is to see them wait first.
 */
public final class FaultyProgram {
    private static final int LARGE = 32 << 20;
    /** Nothing, "compute" or "count". */
    private static String work;
    private static volatile long sum;

    private FaultyProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        work = arguments[0];
        if (rank == 1) {
            MPI.COMM_WORLD.barrier();
            if (arguments.length > 2) {
                awaitWaiting(Path.of(arguments[2]));
            }
            act(arguments[0]);
        } else {
            MPI.COMM_WORLD.barrier();
            if (arguments.length > 2) {
                onceWaiting(() -> Files.createFile(Path.of(arguments[2], "waits" + rank)));
            }
            await(arguments[1]);
        }
        MPI.Finalize();
        System.out.println("rank " + rank + " finalized");
    }

    private static void act(String deed) throws Exception {
        switch (deed) {
            case "throw" -> throw new IllegalStateException("thrown on purpose");
            case "exit" -> System.exit(3);
            case "exit within" -> exitWithin();
            case "kill" -> {
                new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor();
                Thread.sleep(60_000);
            }
            case "leave" -> System.exit(0);
            case "abort" -> MPI.COMM_WORLD.abort(7);
            case "sleep" -> await("recv");
            case "compute" -> compute();
            case "count" -> count();
            default -> {}
        }
    }

    /** Exits, which takes its time, while the main thread waits for a message that never comes. */
    private static void exitWithin() throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep(300)));
        onceWaiting(() -> {
            System.exit(3);
            return null;
        });
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, 0);
    }

    /** Does something once the calling thread is in a call. */
    private static void onceWaiting(Callable<?> step) {
        Thread caller = Thread.currentThread();
        Thread watch = new Thread(() -> {
            while (Arrays.stream(caller.getStackTrace())
                .noneMatch(frame -> frame.getClassName().startsWith("org.brigade.engine."))) {
                sleep(1);
            }
            try {
                step.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        watch.setDaemon(true);
        watch.start();
    }

    /** Returns when ranks 0 and 2 are in the call in which they wait for this rank. */
    private static void awaitWaiting(Path directory) {
        for (int rank = 0; rank < 3; rank += 2) {
            while (!Files.exists(directory.resolve("waits" + rank))) {
                sleep(1);
            }
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * What this rank does when it is about to print the ranks' last calls, as on a machine that keeps it from running.
     */
    private static void beforeCallsAreShown(Runnable step) {
        System.setErr(new PrintStream(System.err, true) {
            @Override
            public void print(String text) {
                if (text.startsWith("brigade: the last calls")) {
                    step.run();
                }
                super.print(text);
            }
        });
    }

    /** Makes no call any more. */
    private static void compute() {
        while (true) {
            sum++;
        }
    }

    /** The same, in compiled loops that count: they have no safepoint, so no thread can end this JVM from within. */
    private static void count() {
        int all = 0;
        for (int i = 0; i < 20_000; i++) {
            all += pairs(100);
        }
        sum = all + pairs(2_000_000_000);
    }

    private static int pairs(int most) {
        int of = 0;
        for (int i = 0; i < most; i++) {
            for (int j = 0; j < most; j++) {
                of ^= of * i + j;
            }
        }
        return of;
    }

    private static void await(String where) throws Exception {
        if (where.startsWith("/")) {
            Path unfinished =
                Files.writeString(Path.of(where, "." + MPI.COMM_WORLD.getRank()), "" + ProcessHandle.current().pid());
            Files.move(unfinished, Path.of(where, "" + MPI.COMM_WORLD.getRank()));
        }
        if (work.equals("compute")) {
            compute();
        } else if (work.equals("count")) {
            count();
        }
        switch (where) {
            case "barrier" -> MPI.COMM_WORLD.barrier();
            case "bcast" -> MPI.COMM_WORLD.bcast(new byte[LARGE], LARGE, MPI.BYTE, 0);
            case "nothing" -> {}
            case "compute" -> compute();
            case "show slowly" -> {
                beforeCallsAreShown(() -> sleep(1500));
                MPI.COMM_WORLD.barrier();
            }
            case "die showing" -> {
                if (MPI.COMM_WORLD.getRank() == 2) {
                    compute();
                }
                beforeCallsAreShown(() -> Runtime.getRuntime().halt(JobEnd.VICTIM));
                MPI.COMM_WORLD.barrier();
            }
            default -> MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
        }
    }
}
