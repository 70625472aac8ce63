package org.brigade.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;
import mpi.Win;

/**
 * Where the time of an 8-byte allreduce of two ranks goes: each line adds something to the one before. All are measured
 * in turn, in batches, and the medians of the batches are shown. So they belong to one state of the machine.
 *
 * <ol>
 * <li>line: both ranks store a word in a line of shared memory and wait for the other's; no call of MPI
 * <li>barrier: the same by a call, with a header in the line, the lock and the record of the last calls
 * <li>direct: a sum of one long, from and to direct buffers
 * <li>array: the same from and to arrays
 * </ol>
 */
public final class SmallCallSteps {
    private static final VarHandle WORD =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final String[] STEPS = {"line", "barrier", "direct", "array"};
    private static final int BATCHES = 400;
    private static final int WARM_UPS = 200;
    private static final int CALLS = 500;
    /** Lines are fetched in pairs; each word has a pair of its own. */
    private static final int APART = 128;

    private final ByteBuffer mine;
    private final ByteBuffer theirs;
    private final ByteBuffer send = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    private final ByteBuffer recv = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    private final long[] from = {1};
    private final long[] to = new long[1];
    private long turn;

    private SmallCallSteps(ByteBuffer mine, ByteBuffer theirs) {
        this.mine = mine;
        this.theirs = theirs;
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        if (MPI.COMM_WORLD.getSize() != 2) {
            System.err.println("SmallCallSteps: run it with two ranks of one machine: mpjrun -np 2");
            MPI.COMM_WORLD.abort(2);
        }
        Win window = new Win(2 * APART, 1, MPI.INFO_NULL, MPI.COMM_WORLD, ByteBuffer.allocateDirect(0),
            Win.FLAVOR_SHARED);
        SmallCallSteps steps = new SmallCallSteps(window.sharedQuery(rank), window.sharedQuery(1 - rank));
        double[][] times = new double[STEPS.length][BATCHES - WARM_UPS];
        for (int batch = 0; batch < BATCHES; batch++) {
            for (int step = 0; step < STEPS.length; step++) {
                MPI.COMM_WORLD.barrier();
                long begun = System.nanoTime();
                steps.batch(step);
                double each = (System.nanoTime() - begun) / (double) CALLS;
                if (batch >= WARM_UPS) {
                    times[step][batch - WARM_UPS] = each;
                }
            }
        }
        if (rank == 0) {
            for (int step = 0; step < STEPS.length; step++) {
                Arrays.sort(times[step]);
                System.out.printf("%-8s %6.0f ns%n", STEPS[step], times[step][times[step].length / 2]);
            }
        }
        window.free();
        MPI.Finalize();
    }

    private void batch(int step) throws MPIException {
        switch (step) {
            case 0 -> lines();
            case 1 -> barriers();
            case 2 -> sums(send, recv);
            default -> sums(from, to);
        }
    }

    private void lines() {
        for (int i = 0; i < CALLS; i++) {
            turn++;
            WORD.setRelease(mine, 0, turn);
            // The other rank may be one turn ahead: it has seen this word, and this rank not yet the other's.
            while ((long) WORD.getAcquire(theirs, 0) < turn) {}
        }
    }

    private static void barriers() throws MPIException {
        for (int i = 0; i < CALLS; i++) {
            MPI.COMM_WORLD.barrier();
        }
    }

    private static void sums(Object sent, Object received) throws MPIException {
        for (int i = 0; i < CALLS; i++) {
            MPI.COMM_WORLD.allReduce(sent, received, 1, MPI.LONG, MPI.SUM);
        }
    }
}
