package org.brigade.launch.processes;

import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/** Ranks of which some leave without Finalize; the argument says what the others do then. */
public final class LeavingProgram {
    private static final int[] NOTHING = {};

    private LeavingProgram() {
    }

    public static void main(String[] line) throws Exception {
        String[] arguments = MPI.Init(line);
        int rank = MPI.COMM_WORLD.Rank();
        switch (arguments[0]) {
            case "go on" -> goOn(rank);
            case "after Finalize" -> afterFinalize(rank);
            case "dies" -> die(rank);
            default -> waitFor(arguments[0], rank);
        }
    }

    /** Ranks 0 and 1 need each other, and what the others have sent before they left. */
    private static void goOn(int rank) throws Exception {
        Intracomm world = MPI.COMM_WORLD;
        Intracomm pair = world.Split(rank / 2, rank);
        int[] word = {rank};
        world.Bcast(word, 0, 1, MPI.INT, 3);
        if (rank >= 2) {
            world.Send(new long[] {ProcessHandle.current().pid()}, 0, 1, MPI.LONG, 0, rank);
            world.Send(new int[] {rank}, 0, 1, MPI.INT, 0, 9);
            if (rank == 3) {
                System.exit(0);
            }
            return;
        }
        if (rank == 0) {
            Request never = world.Irecv(new int[1], 0, 1, MPI.INT, 3, 77);
            for (int each = 2; each < 4; each++) {
                long[] pid = new long[1];
                world.Recv(pid, 0, 1, MPI.LONG, each, each);
                ProcessHandle.of(pid[0]).ifPresent(process -> process.onExit().join());
            }
            pair.Send(NOTHING, 0, 0, MPI.INT, 1, 0);
            int sum = 0;
            for (int each = 1; each < 4; each++) { // the last of them comes late
                int[] its = new int[1];
                world.Recv(its, 0, 1, MPI.INT, MPI.ANY_SOURCE, 9);
                sum += its[0];
            }
            never.Cancel();
            require(sum == 6, "a sum of " + sum);
        } else {
            pair.Recv(NOTHING, 0, 0, MPI.INT, 0, 0);
            Thread.sleep(300); // that rank 0 waits for long
            world.Send(new int[] {rank}, 0, 1, MPI.INT, 0, 9);
        }
        for (int count : new int[] {1, 100_000}) {
            int[] ones = new int[count];
            if (rank == 1) {
                Thread.sleep(100);
            }
            pair.Allreduce(new int[count], 0, ones, 0, count, MPI.INT, MPI.SUM);
            pair.iAllReduce(MPI.newIntBuffer(count), count, MPI.INT, MPI.SUM).Wait();
        }
        require(word[0] == 3, "rank 3 has sent " + word[0]);
        MPI.Finalize();
        System.out.println("this rank is through");
    }

    /** Rank 0 waits for rank 1, which has left. Rank 2 does not. */
    private static void waitFor(String call, int rank) throws Exception {
        Intracomm world = MPI.COMM_WORLD;
        if (rank == 1) {
            return;
        }
        if (rank == 2) {
            if (!call.equals("Recv from any")) {
                Thread.sleep(Long.MAX_VALUE); // computes
            }
            return;
        }
        byte[] much = new byte[100_000];
        switch (call) {
            case "Recv from any" -> world.Recv(much, 0, 1, MPI.BYTE, MPI.ANY_SOURCE, 0);
            case "Wait" -> world.Irecv(much, 0, 1, MPI.BYTE, 1, 0).Wait();
            case "Test" -> {
                Request request = world.Irecv(much, 0, 1, MPI.BYTE, 1, 0);
                while (request.Test() == null) {
                    Thread.onSpinWait();
                }
            }
            case "Ssend" -> world.Ssend(much, 0, 1, MPI.BYTE, 1, 0);
            case "Send" -> {
                while (true) {
                    world.Send(much, 0, 1000, MPI.BYTE, 1, 0);
                }
            }
            case "Probe" -> world.Probe(1, 0);
            case "Iallreduce" -> world.iAllReduce(MPI.newByteBuffer(1), 1, MPI.BYTE, MPI.SUM).Wait();
            default -> throw new IllegalArgumentException(call);
        }
        System.out.println("the call has returned");
    }

    /** What other threads do when main has called Finalize, as in programs of MPJ Express. */
    private static void afterFinalize(int rank) throws Exception {
        Group first = MPI.COMM_WORLD.Group().Incl(new int[] {0});
        Intracomm part = MPI.COMM_WORLD.Create(first);
        require(part.Rank() == (rank == 0 ? 0 : MPI.UNDEFINED) && part.Size() == 1 && part.Group().Size() == 1,
            "rank " + part.Rank() + " of " + part.Size());
        Thread main = Thread.currentThread();
        new Thread(() -> {
            try {
                main.join();
                int[] sum = new int[1];
                MPI.COMM_WORLD.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                System.out.println("finalized " + MPI.isFinalized() + " and a sum of " + sum[0]);
            } catch (Exception e) {
                e.printStackTrace();
            }
        }).start();
        MPI.Finalize();
        MPI.Init(new String[0]);
    }

    private static void die(int rank) throws Exception {
        if (rank == 1) {
            System.exit(3);
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void require(boolean good, String what) {
        if (!good) {
            throw new IllegalStateException(what);
        }
    }
}
