package org.brigade.launch;

import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;

/**
 * Makes every bad call there is, looks at its error, and makes the same call rightly. What the ranks of
 * {@link FaultsTest} run.
 */
final class BadCalls {
    private interface Call {
        void make() throws Exception;
    }

    private BadCalls() {
    }

    /** The error has to name its class, the call and every other word. */
    private static void bad(String errorClass, String call, Call wrong, String... words) throws Exception {
        try {
            wrong.make();
        } catch (MPIException e) {
            String text = e.getMessage();
            boolean good = text.startsWith("MPI_ERR_" + errorClass + ": ") && text.contains(call);
            for (String word : words) {
                good &= text.contains(word);
            }
            if (!good) {
                throw new AssertionError(
                    "expected MPI_ERR_" + errorClass + ", " + call + ", " + String.join(", ", words) + " in: " + text);
            }
            return;
        }
        throw new AssertionError(call + " (" + String.join(", ", words) + ") was accepted");
    }

    /** All later calls stay in step: what one rank alone fails with is not counted twice. */
    private static void objectsThatOneRankCannotSend(Intracomm world, int rank) throws Exception {
        Object[] mine = {rank == 1 ? new Object() : "text"};
        for (int round = 0; round < 3; round++) {
            bad(rank == 1 ? "TYPE" : "OTHER", "Gather",
                () -> world.Gather(mine, 0, 1, MPI.OBJECT, new Object[2], 0, 1, MPI.OBJECT, 0), "");
            bad("TYPE", "Allgather", () -> world.Allgather(rank == 1 ? new int[1] : new Object[1], 0, 1,
                rank == 1 ? MPI.INT : MPI.OBJECT, new Object[2], 0, 1, MPI.OBJECT), "");
            int[] sum = new int[1];
            world.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
            if (sum[0] != 2) {
                throw new AssertionError("1 + 1 is " + sum[0]);
            }
        }
    }

    private static Op throwing() {
        return new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                throw new IllegalStateException("no such number");
            }
        }, true);
    }

    public static void main(String[] arguments) throws Exception {
        bad("OTHER", "getRank", () -> MPI.COMM_WORLD.getRank(), "MPI.Init");
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        String me = "on rank " + rank + " of 2";
        int[] four = {1, 2, 3, 4};

        bad("BUFFER", "bcast", () -> world.bcast(null, 4, MPI.INT, 0), me);
        bad("COUNT", "bcast", () -> world.bcast(four, 5, MPI.INT, 0), me, "5");
        bad("COUNT", "bcast", () -> world.bcast(four, -1, MPI.INT, 0), me, "-1");
        bad("ROOT", "bcast", () -> world.bcast(four, 4, MPI.INT, 2), me, "2");
        bad("COUNT", "bcast", () -> world.bcast(four, 4, MPI.DOUBLE, 0), me, "DOUBLE");
        world.bcast(four, 4, MPI.INT, 0);

        bad("OTHER", "reduceLocal", () -> Comm.reduceLocal(four, new int[4], 4, MPI.INT, throwing()), "no such number");
        bad("COUNT", "allReduce", () -> world.allReduce(four, new int[3], 4, MPI.INT, MPI.SUM), me);
        bad("OP", "allReduce", () -> world.allReduce(four, new int[4], 4, MPI.INT, null), me);
        int[] sum = new int[4];
        world.allReduce(four, sum, 4, MPI.INT, MPI.SUM);
        if (sum[3] != 8) {
            throw new AssertionError("4 + 4 is " + sum[3]);
        }

        bad("RANK", "send", () -> world.send(four, 4, MPI.INT, 2, 0), me, "2");
        bad("TAG", "send", () -> world.send(four, 4, MPI.INT, 0, -5), me, "-5");
        Request sent = world.iSend(MPI.newIntBuffer(4), 4, MPI.INT, 1 - rank, 1);
        bad("TRUNCATE", "ecv", () -> world.recv(new int[2], 2, MPI.INT, 1 - rank, 1), me, "16 bytes", "allows 8");
        sent.waitFor();
        sent = world.iSend(MPI.newIntBuffer(4), 4, MPI.INT, 1 - rank, 1);
        world.recv(new int[4], 4, MPI.INT, 1 - rank, 1);
        sent.waitFor();

        Intracomm copy = world.dup();
        copy.barrier();
        copy.free();
        bad("COMM", "barrier", copy::barrier, "freed");

        Intracomm later = world.iDup();
        bad("COMM", "barrier", later::barrier, "still being made", "getRequest()");
        later.getRequest().waitFor();
        later.barrier();
        later.free();

        world.barrier();
        if (Boolean.getBoolean("brigade.check")) {
            objectsThatOneRankCannotSend(world, rank);
        }
        MPI.Finalize();
        bad("OTHER", "barrier", world::barrier, "finalized");
        System.out.println("rank " + rank + " is through");
    }
}
