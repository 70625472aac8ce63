package org.brigade.launch.processes;

import mpi.MPI;
import mpi.MPIException;

/** Ranks whose ends are their shutdown hooks' work; the argument says what these do. */
public final class EndingProgram {
    private EndingProgram() {
    }

    public static void main(String[] line) throws Exception {
        MPI.Init(line);
        int rank = MPI.COMM_WORLD.getRank();
        switch (line[0]) {
            case "finalize" -> hook(() -> finish(rank));
            case "finalize alone" -> {
                if (rank == 0) {
                    hook(() -> finish(rank));
                }
            }
            case "checkpoint" -> hook(() -> {
                Thread.sleep(Long.parseLong(line[1]));
                System.out.println("checkpoint is written");
            });
            case "handler" -> Thread.setDefaultUncaughtExceptionHandler(
                (thread, thrown) -> System.out.println("the handler has " + thrown.getMessage()));
            default -> throw new IllegalArgumentException(line[0]);
        }
        MPI.COMM_WORLD.barrier();
        System.out.println("rank is up");
        if (line[0].equals("handler")) {
            throw new IllegalStateException("a reason");
        }
        if (line[0].equals("checkpoint")) {
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void hook(Step step) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                step.run();
            } catch (Exception e) {
                e.printStackTrace();
            }
        }));
    }

    private static void finish(int rank) throws MPIException {
        int[] sum = {1};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        MPI.Finalize();
        System.out.println("finalized after a sum of " + sum[0]);
    }
}
