package org.brigade.launch;

import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.PartitionedRequest;
import mpi.Prequest;
import mpi.Request;

/**
 * What the ranks of {@link SurvivorsTest} run: all have errors returned, rank 1 is killed while the others wait for it
 * in one call or another; they get to know who died, go on without that rank, and finalize.
 */
final class SurvivingProgram {
    private static final int LARGE = 8 << 20;
    /** To hear of a death takes milliseconds; only not to hear of it takes longer than a busy machine. */
    private static final long LIMIT_NANOS = 120_000_000_000L;

    /** Prepared while all are alive. */
    private static Prequest sum;

    private SurvivingProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        world.setErrhandler(MPI.ERRORS_RETURN);
        Intracomm copy = world.dup();
        sum = copy.allReduceInit(new double[1], 1, MPI.DOUBLE, MPI.SUM, null);
        allHere(world, rank);
        if (rank == 1) {
            act(arguments[0]);
        }
        long begun = System.nanoTime();
        try {
            await(arguments[1], copy);
            throw new AssertionError("rank " + rank + " got through " + arguments[1]);
        } catch (MPIException expected) {
            if (System.nanoTime() - begun > LIMIT_NANOS) {
                throw new AssertionError("that took " + (System.nanoTime() - begun) / 1_000_000 + " ms", expected);
            }
            boolean told = arguments[1].equals("messages") && expected.getErrorClass() == MPI.ERR_REVOKED;
            if (!told && (expected.getErrorClass() != MPI.ERR_PROC_FAILED
                || !expected.getMessage().contains("rank 1 "))) {
                throw expected;
            }
            System.out.println("rank " + rank + " heard of it");
            if (arguments[1].equals("messages")) {
                copy.revoke(); // the other may wait for a message from this rank, which lives
            }
        }
        goOn(world, rank);
        MPI.Finalize();
        System.out.println("rank " + rank + " finalized");
    }

    /** Returns on rank 1 after the others have left all calls that need it; a barrier may let it go earlier. */
    private static void allHere(Intracomm world, int rank) throws MPIException {
        if (rank != 1) {
            world.send(new byte[1], 1, MPI.BYTE, 1, 7);
            return;
        }
        for (int i = 1; i < world.getSize(); i++) {
            world.recv(new byte[1], 1, MPI.BYTE, MPI.ANY_SOURCE, 7);
        }
    }

    private static void act(String deed) throws Exception {
        switch (deed) {
            case "leave" -> System.exit(0);
            case "abort" -> MPI.COMM_WORLD.abort(7);
            case "host" -> {
                System.out.println("rank 1 waits for the end of its host");
                Thread.sleep(LIMIT_NANOS / 1_000_000);
            }
            case "throw" -> throw new IllegalStateException("on purpose");
            case "later" -> {
                Thread killer = new Thread(SurvivingProgram::dieSoon);
                killer.setDaemon(true);
                killer.start();
            }
            default -> die();
        }
    }

    private static void dieSoon() {
        try {
            Thread.sleep(20 + System.nanoTime() % 30);
            die();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void die() throws Exception {
        new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start().waitFor();
        Thread.sleep(60_000);
    }

    private static void await(String where, Intracomm comm) throws Exception {
        int rank = comm.getRank();
        switch (where) {
            case "recv" -> comm.recv(new int[1], 1, MPI.INT, 1, 0);
            case "any" -> comm.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 0);
            case "probe" -> comm.probe(1, 0);
            case "ssend" -> comm.sSend(new int[1], 1, MPI.INT, 1, 0);
            case "send" -> comm.send(new byte[LARGE], LARGE, MPI.BYTE, 1, 0);
            case "partitions" -> {
                Prequest receive = comm.pRecvInit(new int[4], 2, 2, MPI.INT, 1, 0, null);
                receive.start();
                receive.waitFor();
            }
            case "ready partition" -> {
                PartitionedRequest send = comm.pSendInit(new byte[2 * LARGE], 2, LARGE, MPI.BYTE, 1, 0, null);
                send.start();
                send.pReady(1);
                send.waitFor();
            }
            case "waitany" -> {
                Request never = comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, rank, 99);
                Request[] requests = {never, comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 1, 0)};
                try {
                    Request.waitAny(requests);
                } finally {
                    never.cancel();
                }
            }
            case "barrier" -> comm.barrier();
            case "bcast" -> comm.bcast(new byte[LARGE], LARGE, MPI.BYTE, 1);
            case "allreduce" -> comm.allReduce(new double[1], 1, MPI.DOUBLE, MPI.SUM);
            case "long" -> comm.allReduce(new double[LARGE / 8], LARGE / 8, MPI.DOUBLE, MPI.SUM);
            case "iallreduce" -> comm
                .iAllReduce(MPI.newDoubleBuffer(1000), MPI.newDoubleBuffer(1000), 1000, MPI.DOUBLE, MPI.SUM).waitFor();
            case "start" -> {
                sum.start();
                sum.waitFor();
            }
            case "start and waitany" -> {
                sum.start();
                Request.waitAny(new Request[] {null, sum});
            }
            case "split" -> comm.split(0, 0);
            case "small collectives" -> {
                while (true) {
                    comm.allReduce(new double[4], 4, MPI.DOUBLE, MPI.SUM);
                    comm.barrier();
                }
            }
            case "long collectives" -> {
                byte[] all = new byte[3 * LARGE / 8];
                while (true) {
                    comm.allReduce(new double[LARGE / 8], LARGE / 8, MPI.DOUBLE, MPI.SUM);
                    comm.allToAll(new byte[3 * LARGE / 8], LARGE / 8, MPI.BYTE, all, LARGE / 8, MPI.BYTE);
                }
            }
            case "messages" -> {
                byte[] came = new byte[LARGE];
                while (true) {
                    for (int bytes : new int[] {8, 20_000, LARGE}) {
                        comm.sendRecv(new byte[bytes], bytes, MPI.BYTE, (rank + 1) % 3, 1, came, bytes, MPI.BYTE,
                            (rank + 2) % 3, 1);
                    }
                }
            }
            case "computing" -> Thread.sleep(60_000);
            default -> throw new IllegalArgumentException(where);
        }
    }

    /** The ranks that are left, as a communicator of their own: everything works there. */
    private static void goOn(Intracomm world, int rank) throws Exception {
        world.revoke();
        Intracomm rest = world.shrink();
        Group failed = world.getFailed();
        if (Group.compare(failed, world.getGroup().incl(new int[] {1})) != MPI.IDENT
            || rest.getSize() != world.getSize() - 1) {
            throw new AssertionError(failed.getSize() + " have failed, " + rest.getSize() + " are left");
        }
        int ranks = rest.getSize();
        for (int count : new int[] {1, 100, 300_000}) {
            double[] values = new double[count];
            java.util.Arrays.fill(values, rest.getRank() + 1);
            rest.allReduce(values, count, MPI.DOUBLE, MPI.SUM);
            if (values[0] != ranks * (ranks + 1) / 2.0 || values[count - 1] != values[0]) {
                throw new AssertionError("rank " + rank + " got " + values[0] + " from the others that are left");
            }
        }
        byte[] ring = new byte[LARGE];
        ring[LARGE - 1] = (byte) rest.getRank();
        int next = (rest.getRank() + 1) % ranks;
        int previous = (rest.getRank() + ranks - 1) % ranks;
        byte[] came = new byte[LARGE];
        rest.sendRecv(ring, LARGE, MPI.BYTE, next, 5, came, LARGE, MPI.BYTE, previous, 5);
        if (came[LARGE - 1] != previous) {
            throw new AssertionError(
                "rank " + rank + " got " + came[LARGE - 1] + " from rank " + previous + " of those that are left");
        }
        rest.free();
    }
}
