package org.brigade.soak;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;

/**
 * Threads of each rank make communicators, use them first and free them, all at once: every collective, 8 bytes to 400
 * KB, blocking, nonblocking and persistent, each result compared. Some communicators live on for a while, so that there
 * are more of them than there is of whatever is scarce. The threads of one number on all ranks draw the same numbers.
 *
 * <p>
 * Arguments: the seed, the number of threads, and how many communicators each makes. Exit code 3 if a result is wrong.
 */
final class ThreadsProgram implements Runnable {
    private static final int WRONG = 3;
    private static final int CANARY = -7;
    private static final int[] SIZES = {8, 8, 400, 400, 4 << 10, 64 << 10, 400_000};
    /** More are divided among the ranks. */
    private static final int MOST_FOR_EACH = 64 << 10;
    private static final int MOST_KEPT = 3;
    private static final String[] CALLS = {"barrier", "bcast", "reduce", "allreduce", "allreduce", "scan", "gather",
        "scatter", "allgather", "alltoall", "reducescatter"};

    private final int thread;
    private final Random random;
    private final Intracomm base;
    private final int rounds;
    /** Of the threads of this rank. */
    private final CyclicBarrier together;
    /** Null stands for one whose member this rank is not. */
    private final List<Intracomm> kept = new ArrayList<>();
    // The call under way.
    private Intracomm comm;
    private String call;
    private int ranks;
    private int me;
    private int root;
    private int n;
    private int step;
    private Object send;
    private Object recv;
    private int[] sent;
    private int[] received;

    private ThreadsProgram(int thread, long seed, Intracomm base, int rounds, CyclicBarrier together) {
        this.thread = thread;
        this.random = new Random(seed * 31 + thread);
        this.base = base;
        this.rounds = rounds;
        this.together = together;
    }

    public static void main(String[] arguments) throws Exception {
        MPI.InitThread(arguments, MPI.THREAD_MULTIPLE);
        long seed = Long.parseLong(arguments[0]);
        Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
        CyclicBarrier together = new CyclicBarrier(threads.length);
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(
                new ThreadsProgram(i, seed, MPI.COMM_WORLD.dup(), Integer.parseInt(arguments[2]), together));
        }
        for (Thread each : threads) {
            each.start();
        }
        for (Thread each : threads) {
            each.join();
        }
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": all calls right");
        MPI.Finalize();
    }

    @Override
    public void run() {
        try {
            for (int round = 0; round < rounds; round++) {
                Intracomm made = make(random.nextInt(6));
                if (round % 2 == 0) {
                    together.await(); // then all first calls begin at once
                }
                int calls = 1 + random.nextInt(3);
                for (int i = 0; i < calls; i++) {
                    use(made, new Random(random.nextLong()));
                }
                if (random.nextInt(3) > 0) {
                    free(made);
                } else {
                    kept.add(made);
                }
                if (kept.size() > MOST_KEPT) {
                    Intracomm oldest = kept.remove(0);
                    use(oldest, new Random(random.nextLong()));
                    free(oldest);
                }
            }
            while (!kept.isEmpty()) {
                free(kept.remove(0));
            }
            free(base);
        } catch (Exception | Error e) {
            end(e.toString());
        }
    }

    private void end(String why) {
        System.out.println("WRONG: thread " + thread + ", " + call + " of " + n + " ints on " + ranks + " ranks, root "
            + root + ", rank " + me + ": " + why);
        System.out.flush();
        Runtime.getRuntime().halt(WRONG);
    }

    private Intracomm make(int way) throws MPIException {
        int rank = base.getRank();
        return switch (way) {
            case 0 -> base.dup();
            case 1 -> base.split(0, -rank);
            case 2 -> base.split(rank % 2, rank);
            case 3 -> base.create(allButLast());
            // A parent of all threads: only the tag tells whose group it is.
            case 4 -> rank < base.getSize() - 1 ? MPI.COMM_WORLD.createGroup(allButLast(), thread) : null;
            default -> {
                Intracomm made = base.iDup();
                made.getRequest().waitFor();
                yield made;
            }
        };
    }

    private Group allButLast() throws MPIException {
        Group all = base.getGroup();
        Group some = all.excl(new int[] {base.getSize() - 1});
        all.free();
        return some;
    }

    private static boolean isMember(Intracomm made) {
        return made != null && !made.isNull();
    }

    private static void free(Intracomm made) throws MPIException {
        if (isMember(made)) {
            made.free();
        }
    }

    private void use(Intracomm made, Random drawn) throws MPIException {
        if (!isMember(made)) {
            return;
        }
        comm = made;
        ranks = comm.getSize();
        me = comm.getRank();
        call = CALLS[drawn.nextInt(CALLS.length)];
        root = drawn.nextInt(1 << 16) % ranks;
        int bytes = SIZES[drawn.nextInt(SIZES.length)];
        n = bytes / 4 / (isOfBlocks() && bytes > MOST_FOR_EACH ? ranks : 1);
        step = drawn.nextInt(1000);
        int way = drawn.nextInt(4);
        sent = values(me, n * (spreads() ? ranks : 1));
        received = new int[n * (collects() ? ranks : 1)];
        boolean direct = way > 1 || drawn.nextBoolean();
        send = direct ? MPI.newIntBuffer(sent.length) : sent;
        recv = direct ? MPI.newIntBuffer(received.length) : received;
        if (way == 3) {
            Prequest prepared = prepared();
            int starts = 1 + drawn.nextInt(3);
            for (int start = 0; start < starts; start++) {
                fill();
                prepared.start();
                prepared.waitFor();
                compare();
            }
            prepared.free();
            return;
        }
        fill();
        if (way == 2) {
            begun().waitFor();
        } else {
            blocking();
        }
        compare();
    }

    private boolean isOfBlocks() {
        return spreads() || collects();
    }

    private boolean spreads() {
        return call.equals("scatter") || call.equals("alltoall") || call.equals("reducescatter");
    }

    private boolean collects() {
        return call.equals("gather") || call.equals("allgather") || call.equals("alltoall");
    }

    private int weight(int index) {
        return (index & 1023) + step + 131 * thread;
    }

    /** What a rank contributes. */
    private int[] values(int rank, int length) {
        int[] values = new int[length];
        Arrays.setAll(values, i -> (rank + 1) * weight(i));
        return values;
    }

    private void fill() {
        Arrays.fill(received, CANARY);
        if (call.equals("bcast") && me == root) {
            System.arraycopy(sent, 0, received, 0, n);
        }
        if (send instanceof IntBuffer buffer) {
            buffer.clear().put(sent).clear();
            ((IntBuffer) recv).clear().put(received).clear();
        }
    }

    // ---- the calls ----

    private void blocking() throws MPIException {
        switch (call) {
            case "barrier" -> comm.barrier();
            case "bcast" -> comm.bcast(recv, n, MPI.INT, root);
            case "reduce" -> comm.reduce(send, recv, n, MPI.INT, MPI.SUM, root);
            case "allreduce" -> comm.allReduce(send, recv, n, MPI.INT, MPI.SUM);
            case "scan" -> comm.scan(send, recv, n, MPI.INT, MPI.SUM);
            case "gather" -> comm.gather(send, n, MPI.INT, recv, n, MPI.INT, root);
            case "scatter" -> comm.scatter(send, n, MPI.INT, recv, n, MPI.INT, root);
            case "allgather" -> comm.allGather(send, n, MPI.INT, recv, n, MPI.INT);
            case "alltoall" -> comm.allToAll(send, n, MPI.INT, recv, n, MPI.INT);
            default -> comm.reduceScatterBlock(send, recv, n, MPI.INT, MPI.SUM);
        }
    }

    private Request begun() throws MPIException {
        IntBuffer in = (IntBuffer) send;
        IntBuffer out = (IntBuffer) recv;
        return switch (call) {
            case "barrier" -> comm.iBarrier();
            case "bcast" -> comm.iBcast(out, n, MPI.INT, root);
            case "reduce" -> comm.iReduce(in, out, n, MPI.INT, MPI.SUM, root);
            case "allreduce" -> comm.iAllReduce(in, out, n, MPI.INT, MPI.SUM);
            case "scan" -> comm.iScan(in, out, n, MPI.INT, MPI.SUM);
            case "gather" -> comm.iGather(in, n, MPI.INT, out, n, MPI.INT, root);
            case "scatter" -> comm.iScatter(in, n, MPI.INT, out, n, MPI.INT, root);
            case "allgather" -> comm.iAllGather(in, n, MPI.INT, out, n, MPI.INT);
            case "alltoall" -> comm.iAllToAll(in, n, MPI.INT, out, n, MPI.INT);
            default -> comm.iReduceScatterBlock(in, out, n, MPI.INT, MPI.SUM);
        };
    }

    private Prequest prepared() throws MPIException {
        return switch (call) {
            case "barrier" -> comm.barrierInit(MPI.INFO_NULL);
            case "bcast" -> comm.bcastInit(recv, n, MPI.INT, root, MPI.INFO_NULL);
            case "reduce" -> comm.reduceInit(send, recv, n, MPI.INT, MPI.SUM, root, MPI.INFO_NULL);
            case "allreduce" -> comm.allReduceInit(send, recv, n, MPI.INT, MPI.SUM, MPI.INFO_NULL);
            case "scan" -> comm.scanInit(send, recv, n, MPI.INT, MPI.SUM, MPI.INFO_NULL);
            case "gather" -> comm.gatherInit(send, n, MPI.INT, recv, n, MPI.INT, root, MPI.INFO_NULL);
            case "scatter" -> comm.scatterInit(send, n, MPI.INT, recv, n, MPI.INT, root, MPI.INFO_NULL);
            case "allgather" -> comm.allGatherInit(send, n, MPI.INT, recv, n, MPI.INT, MPI.INFO_NULL);
            case "alltoall" -> comm.allToAllInit(send, n, MPI.INT, recv, n, MPI.INT, MPI.INFO_NULL);
            default -> comm.reduceScatterBlockInit(send, recv, n, MPI.INT, MPI.SUM, MPI.INFO_NULL);
        };
    }

    // ---- the model ----

    private void compare() {
        if (recv instanceof IntBuffer buffer) {
            buffer.clear().get(received);
        }
        for (int i = 0; i < received.length; i++) {
            int expected = expected(i);
            if (received[i] != expected) {
                end(received[i] + " instead of " + expected + " at " + i);
            }
        }
    }

    private int expected(int i) {
        int all = ranks * (ranks + 1) / 2;
        return switch (call) {
            case "barrier" -> CANARY;
            case "bcast" -> (root + 1) * weight(i);
            case "reduce" -> me == root ? all * weight(i) : CANARY;
            case "allreduce" -> all * weight(i);
            case "scan" -> (me + 1) * (me + 2) / 2 * weight(i);
            case "gather" -> me == root ? (i / n + 1) * weight(i % n) : CANARY;
            case "scatter" -> (root + 1) * weight(me * n + i);
            case "allgather" -> (i / n + 1) * weight(i % n);
            case "alltoall" -> (i / n + 1) * weight(me * n + i % n);
            default -> all * weight(me * n + i);
        };
    }
}
