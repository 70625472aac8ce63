package org.brigade.executor;

import java.util.List;
import java.util.stream.IntStream;
import mpi.MPI;
import mpi.MPIException;
import mpi.concurrent.MpiExecutor;

/** A map over ranks that are processes. With an argument, that rank is killed while it does its first chunk. */
final class ExecutorProgram {
    private static int done;

    private ExecutorProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN); // else Finalize, which waits for all, ends the job
        int victim = arguments.length == 0 ? -1 : Integer.parseInt(arguments[0]);
        List<Integer> inputs = IntStream.range(0, 200).boxed().toList();
        try (MpiExecutor pool = MpiExecutor.over(MPI.COMM_WORLD)) {
            if (pool != null) {
                List<Integer> squares = pool.map(x -> square(x, victim), inputs, 5);
                if (!squares.equals(inputs.stream().map(x -> x * x).toList())) {
                    throw new AssertionError(squares.toString());
                }
                System.out.println("all squares, " + pool.workers() + " workers left");
            }
        }
        MPI.Finalize();
        System.out.println("a rank has finalized");
    }

    private static int square(int x, int victim) throws MPIException, InterruptedException {
        Thread.sleep(1);
        if (MPI.COMM_WORLD.getRank() == victim && ++done == 3) {
            die();
        }
        return x * x;
    }

    private static void die() throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor();
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
        Thread.sleep(60_000);
    }
}
