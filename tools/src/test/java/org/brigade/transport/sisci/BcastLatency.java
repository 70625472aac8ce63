package org.brigade.transport.sisci;

import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cli.bench.timing.Timing;

/**
 * Latency of a broadcast: from rank 0's call to the end of the last rank's. Each rank in turn answers with an empty
 * message, half an empty ping-pong is taken off, and the longest of the ranks' medians counts. A program for by hand,
 * which prints microseconds by size:
 *
 * <pre>
 *   BRIGADE_SISCI=emulated BRIGADE_SISCI_MODE=timed bin/mpjrun -np 4 --nodes 4 --fabric sisci \
 *       -Dbrigade.bcast.algorithm=chain \
 *       -cp tools/target/test-classes org.brigade.transport.sisci.BcastLatency 8,1024,65536
 * </pre>
 */
public final class BcastLatency {
    private static final int TAG = 7;
    private static final int ROUNDS = 2;
    private static final int TRIES = Integer.getInteger("tries", 150);
    private static final byte[] NOTHING = {};

    private BcastLatency() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int ranks = world.getSize();
        double[] answer = new double[ranks];
        for (int peer = 1; peer < ranks; peer++) {
            for (int round = 0; round <= ROUNDS; round++) {
                answer[peer] = median(world, peer, null, 0) / 2;
            }
        }
        for (String size : arguments[0].split(",")) {
            int bytes = Integer.parseInt(size);
            ByteBuffer buffer = MPI.newByteBuffer(Math.max(1, bytes));
            double longest = 0;
            for (int round = 0; round < ROUNDS; round++) {
                longest = 0;
                for (int peer = 1; peer < ranks; peer++) {
                    longest = Math.max(longest, median(world, peer, buffer, bytes) - answer[peer]);
                }
            }
            if (world.getRank() == 0) {
                System.out.printf("%d bytes: %.2f us%n", bytes, longest);
            }
        }
        MPI.Finalize();
    }

    /** Microseconds on rank 0 of a broadcast, or of an empty message if there is no buffer, and a peer's answer. */
    private static double median(Intracomm world, int peer, ByteBuffer buffer, int bytes) throws MPIException {
        int rank = world.getRank();
        double[] times = new double[TRIES];
        for (int i = 0; i < TRIES; i++) {
            long begin = System.nanoTime();
            if (buffer != null) {
                world.bcast(buffer, bytes, MPI.BYTE, 0);
            } else if (rank == 0) {
                world.send(NOTHING, 0, MPI.BYTE, peer, TAG);
            } else if (rank == peer) {
                world.recv(NOTHING, 0, MPI.BYTE, 0, TAG);
            }
            if (rank == 0) {
                world.recv(NOTHING, 0, MPI.BYTE, peer, TAG);
            } else if (rank == peer) {
                world.send(NOTHING, 0, MPI.BYTE, 0, TAG);
            }
            times[i] = (System.nanoTime() - begin) / 1e3;
        }
        return Timing.median(times);
    }
}
