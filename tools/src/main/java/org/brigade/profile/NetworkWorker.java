package org.brigade.profile;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.TransferWorker;

/**
 * A node that stands for a GPU: a transfer is a message of the job, over the fabric that joins the nodes. Both nodes of
 * a transfer take part in it. Transfers of one node run at the same time.
 */
public final class NetworkWorker implements TransferWorker {
    private static final int TAG = 1;
    private static final int PINGS = 300;
    private static final long QUIET_MILLIS = 20;

    private final Intracomm world;
    private final int rank;
    private final int bytes;
    private final ByteBuffer out;
    /** One for each message that comes in at the same time; made on first use. */
    private final List<ByteBuffer> in = new ArrayList<>();

    /**
     * @param world one rank for each node
     * @param bytes of each transfer
     */
    public NetworkWorker(Intracomm world, int bytes) throws MPIException {
        this.world = world;
        this.rank = world.getRank();
        this.bytes = bytes;
        this.out = MPI.newByteBuffer(bytes);
    }

    @Override
    public boolean isPartOf(Transfer transfer, int rank) {
        return transfer.from() == rank || transfer.to() == rank;
    }

    @Override
    public void prepare(List<Transfer> transfers) {
        while (in.size() < transfers.stream().filter(transfer -> transfer.to() == rank).count()) {
            in.add(MPI.newByteBuffer(bytes));
        }
    }

    /**
     * The barrier's messages go the same ways as data: a node that began at once would hold up those of others, which
     * would begin when it has almost ended.
     */
    @Override
    public void settle() {
        try {
            Thread.sleep(QUIET_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void move(List<Transfer> transfers) {
        Request[] requests = new Request[transfers.size()];
        int received = 0;
        try {
            for (int i = 0; i < requests.length; i++) {
                Transfer transfer = transfers.get(i);
                requests[i] = transfer.to() == rank
                    ? world.iRecv(in.get(received++), bytes, MPI.BYTE, transfer.from(), TAG)
                    : world.iSend(out, bytes, MPI.BYTE, transfer.to(), TAG);
            }
            Request.waitAll(requests);
        } catch (MPIException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /**
     * [rank][rank]: nanoseconds of a short message, by the fastest of {@value #PINGS} there and back, one pair at a
     * time. Collective; the same on all ranks.
     */
    public static double[][] distances(Intracomm world) throws MPIException {
        int ranks = world.getSize();
        int rank = world.getRank();
        double[] mine = new double[ranks * ranks];
        byte[] ball = new byte[1];
        for (int one = 0; one < ranks; one++) {
            for (int other = one + 1; other < ranks; other++) {
                world.barrier();
                if (rank == one || rank == other) {
                    double nanos = ping(world, rank == one, rank == one ? other : one, ball);
                    mine[one * ranks + other] = rank == one ? nanos : 0;
                    mine[other * ranks + one] = rank == one ? nanos : 0;
                }
            }
        }
        double[] all = new double[mine.length];
        world.allReduce(mine, all, mine.length, MPI.DOUBLE, MPI.MAX);
        double[][] distances = new double[ranks][];
        for (int row = 0; row < ranks; row++) {
            distances[row] = Arrays.copyOfRange(all, row * ranks, (row + 1) * ranks);
        }
        return distances;
    }

    private static double ping(Intracomm world, boolean first, int peer, byte[] ball) throws MPIException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < PINGS; i++) {
            long start = System.nanoTime();
            if (first) {
                world.send(ball, 1, MPI.BYTE, peer, TAG);
            }
            world.recv(ball, 1, MPI.BYTE, peer, TAG);
            if (!first) {
                world.send(ball, 1, MPI.BYTE, peer, TAG);
            }
            least = Math.min(least, System.nanoTime() - start);
        }
        return least / 2.0;
    }

    /**
     * Nanoseconds of a short message between rank 0 and each other rank, and bytes a second of a long one: medians over
     * the other ranks. Collective; the same on all ranks.
     *
     * @param bytes of a long message
     * @param times how often it is sent; the fastest counts
     */
    public static double[] probe(Intracomm world, int bytes, int times) throws MPIException {
        int ranks = world.getSize();
        int rank = world.getRank();
        double[] latencies = new double[ranks - 1];
        double[] rates = new double[ranks - 1];
        byte[] ball = new byte[1];
        ByteBuffer load = MPI.newByteBuffer(bytes);
        for (int other = 1; other < ranks; other++) {
            world.barrier();
            if (rank == 0 || rank == other) {
                latencies[other - 1] = ping(world, rank == 0, rank == 0 ? other : 0, ball);
                double least = Double.POSITIVE_INFINITY;
                for (int i = 0; i < times; i++) {
                    long start = System.nanoTime();
                    if (rank == 0) {
                        world.send(load, bytes, MPI.BYTE, other, TAG);
                        world.recv(ball, 1, MPI.BYTE, other, TAG);
                    } else {
                        world.recv(load, bytes, MPI.BYTE, 0, TAG);
                        world.send(ball, 1, MPI.BYTE, 0, TAG);
                    }
                    least = Math.min(least, System.nanoTime() - start);
                }
                rates[other - 1] = bytes / Math.max(1, least - 2 * latencies[other - 1]) * 1e9;
            }
        }
        Arrays.sort(latencies);
        Arrays.sort(rates);
        double[] found = {latencies[latencies.length / 2], rates[rates.length / 2]};
        world.bcast(found, 2, MPI.DOUBLE, 0);
        return found;
    }

    /** Memory ends with the process. */
    @Override
    public void close() {
    }
}
