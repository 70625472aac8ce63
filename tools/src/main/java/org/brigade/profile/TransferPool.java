package org.brigade.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.brigade.topology.search.TransferMeter;
import org.brigade.topology.search.TransferSet;
import org.brigade.topology.search.TransferWorker;

/**
 * The ranks of a job as a pool of workers: rank 0 says what to move, all begin together after a barrier, and the
 * slowest counts. Processes and memory are made once, so a measurement starts quickly, and all transfers of a set
 * overlap.
 */
public final class TransferPool implements TransferMeter {
    /** Most transfers in a set. */
    private static final int MOST = 254;
    private static final int END = -1;

    private final Intracomm world;
    private final TransferWorker worker;
    private final long bytes;
    private final int warm;
    private final int timed;
    private final boolean wholeSpan;
    /** Number of transfers, then their numbers. */
    private final int[] order = new int[1 + 5 * MOST];

    /**
     * Collective.
     *
     * @param bytes of each transfer
     * @param warm iterations before the timed ones
     * @param timed iterations of which the median counts
     */
    public TransferPool(Intracomm world, TransferWorker worker, long bytes, int warm, int timed) {
        this(world, worker, bytes, warm, timed, false);
    }

    /**
     * As above.
     *
     * @param wholeSpan where workers may begin at noticeably different times: the time is from the first one's start to
     * the last one's end, a barrier included, and the shortest counts, as whatever disturbs makes it longer
     */
    public TransferPool(Intracomm world, TransferWorker worker, long bytes, int warm, int timed, boolean wholeSpan) {
        this.wholeSpan = wholeSpan;
        this.world = world;
        this.worker = worker;
        this.bytes = bytes;
        this.warm = warm;
        this.timed = timed;
    }

    /** Called on rank 0, while the others {@link #serve}. */
    @Override
    public double bandwidth(TransferSet set) {
        List<Transfer> transfers = set.transfers();
        if (transfers.isEmpty() || transfers.size() > MOST) {
            throw new IllegalArgumentException(
                transfers.size() + " transfers at once; 1 to " + MOST + " can be measured");
        }
        order[0] = transfers.size();
        for (int i = 0; i < transfers.size(); i++) {
            Transfer transfer = transfers.get(i);
            int[] words =
                {transfer.type().ordinal(), transfer.fromNode(), transfer.toNode(), transfer.from(), transfer.to()};
            System.arraycopy(words, 0, order, 1 + 5 * i, 5);
        }
        try {
            world.bcast(order, order.length, MPI.INT, 0);
            return measure(transfers);
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Called on ranks other than 0: works until rank 0 calls {@link #end}. */
    public void serve() throws MPIException {
        while (true) {
            world.bcast(order, order.length, MPI.INT, 0);
            if (order[0] == END) {
                return;
            }
            List<Transfer> transfers = new ArrayList<>();
            for (int i = 0; i < order[0]; i++) {
                int at = 1 + 5 * i;
                transfers.add(new Transfer(TransferType.values()[order[at]], order[at + 1],
                    order[at + 2], order[at + 3], order[at + 4]));
            }
            measure(transfers);
        }
    }

    /** Called on rank 0: the others return from {@link #serve}. */
    public void end() throws MPIException {
        order[0] = END;
        world.bcast(order, order.length, MPI.INT, 0);
    }

    private double measure(List<Transfer> transfers) throws MPIException {
        List<Transfer> mine = new ArrayList<>();
        for (Transfer transfer : transfers) {
            if (worker.isPartOf(transfer, world.getRank())) {
                mine.add(transfer);
            }
        }
        worker.prepare(mine);
        double[] nanos = new double[timed];
        for (int i = -warm; i < timed; i++) {
            world.barrier();
            worker.settle();
            long start = System.nanoTime();
            worker.move(mine);
            if (wholeSpan) {
                world.barrier();
            }
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        double[] slowest = new double[timed];
        world.allReduce(nanos, slowest, timed, MPI.DOUBLE, MPI.MAX);
        Arrays.sort(slowest);
        return bytes / (slowest[wholeSpan ? 0 : timed / 2] * 1e-9);
    }
}
