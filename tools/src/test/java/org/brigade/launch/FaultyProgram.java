package org.brigade.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.MPI;

/** What the ranks of {@link FaultsTest} run: rank 1 does something bad while the others wait for it. */
public final class FaultyProgram {
    private static final int LARGE = 32 << 20;
    private static boolean computes;
    private static volatile long sum;

    private FaultyProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        computes = arguments[0].equals("compute");
        if (rank == 1) {
            MPI.COMM_WORLD.barrier();
            act(arguments[0]);
        } else {
            MPI.COMM_WORLD.barrier();
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
            default -> {}
        }
    }

    /** Exits, which takes its time, while the main thread waits for a message that never comes. */
    private static void exitWithin() throws Exception {
        Thread caller = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> sleep(300)));
        Thread leaver = new Thread(() -> {
            while (Arrays.stream(caller.getStackTrace())
                .noneMatch(frame -> frame.getClassName().startsWith("org.brigade.engine."))) {
                sleep(1);
            }
            System.exit(3);
        });
        leaver.setDaemon(true);
        leaver.start();
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, 0);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes no call any more. */
    private static void compute() {
        while (true) {
            sum++;
        }
    }

    private static void await(String where) throws Exception {
        if (where.startsWith("/")) {
            Path unfinished =
                Files.writeString(Path.of(where, "." + MPI.COMM_WORLD.getRank()), "" + ProcessHandle.current().pid());
            Files.move(unfinished, Path.of(where, "" + MPI.COMM_WORLD.getRank()));
        }
        if (computes) {
            compute();
        }
        switch (where) {
            case "barrier" -> MPI.COMM_WORLD.barrier();
            case "bcast" -> MPI.COMM_WORLD.bcast(new byte[LARGE], LARGE, MPI.BYTE, 0);
            case "nothing" -> {}
            default -> MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
        }
    }
}
