package org.brigade.transport.cuda.stream;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

import java.util.Arrays;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cuda.StreamCommunicator;

/**
 * Calls among neighbours on streams, compared with the same calls on host memory: on a ring, where a rank may be its
 * neighbour's neighbour twice, and on a graph where all send to rank 0 and some to nobody.
 */
final class StreamNeighbours {
    /** Items of packets, of stores, and of stores in pieces where buffers are not registered. */
    private static final int[] COUNTS = {1, 190, 5000, 300_007};
    private static final int MOST = 300_007;

    private final StreamRank trial;
    private final Comm comm;
    private final int sources;
    private final int destinations;

    private StreamNeighbours(StreamRank trial, Comm comm, int sources, int destinations) {
        this.trial = trial;
        this.comm = comm;
        this.sources = sources;
        this.destinations = destinations;
    }

    static void run(StreamRank trial) throws MPIException {
        int ranks = trial.ranks;
        boolean first = trial.rank == 0;
        new StreamNeighbours(trial, MPI.COMM_WORLD.createCart(new int[] {ranks}, new boolean[] {true}, false), 2, 2)
            .run();
        int[] from = new int[first ? ranks + 1 : 0];
        Arrays.setAll(from, i -> i % ranks);
        int[] to = first ? new int[] {0, 0} : new int[] {0};
        new StreamNeighbours(trial,
            MPI.COMM_WORLD.createDistGraphAdjacent(from, to, MPI.INFO_NULL, false), from.length, to.length).run();
    }

    private void run() throws MPIException {
        long bytes = 4L * ((trial.ranks + 1) * MOST + 64); // of the rank with most neighbours: all register as much
        CUdeviceptr send = allocate(bytes);
        CUdeviceptr recv = allocate(bytes);
        try (StreamCommunicator streams = StreamCommunicator.open(comm)) {
            for (int registered = 0; registered < 2; registered++) {
                for (int count : COUNTS) {
                    call(streams, send, recv, count, true);
                    call(streams, send.withByteOffset(4), recv.withByteOffset(12), count, false);
                }
                if (registered == 0) {
                    streams.register(recv, bytes);
                }
            }
            graph(streams, send, recv);
        }
    }

    private void call(StreamCommunicator streams, CUdeviceptr send, CUdeviceptr recv, int count, boolean gathers)
        throws MPIException {
        trial.seed++;
        int[] mine = trial.data(trial.rank, count * (gathers ? 1 : destinations));
        int[] wanted = wanted(mine, count, gathers);
        StreamRank.write(send, mine);
        StreamRank.write(recv, new int[wanted.length]);
        if (gathers) {
            streams.neighborAllGather(send, recv, count, MPI.INT, trial.stream);
        } else {
            streams.neighborAllToAll(send, recv, count, MPI.INT, trial.stream);
        }
        trial.same(count + " items of neighbours", trial.read(recv, wanted.length), 0, wanted, 0, wanted.length);
    }

    /** What the same call gives on host memory. */
    private int[] wanted(int[] mine, int count, boolean gathers) throws MPIException {
        int[] wanted = new int[sources * count + 1]; // nothing is written behind it
        if (gathers) {
            comm.neighborAllGather(mine, count, MPI.INT, wanted, count, MPI.INT);
        } else {
            comm.neighborAllToAll(mine, count, MPI.INT, wanted, count, MPI.INT);
        }
        return wanted;
    }

    /** A short call, a long one and a short one again, replayed. */
    private void graph(StreamCommunicator streams, CUdeviceptr send, CUdeviceptr recv) throws MPIException {
        int[] counts = {7, 40_000, 9};
        int[] mine = trial.data(trial.rank, 40_000);
        StreamRank.write(send, mine);
        ok(JCudaDriver.cuStreamBeginCapture(trial.stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL));
        for (int count : counts) {
            streams.neighborAllGather(send, recv, count, MPI.INT, trial.stream);
        }
        CUgraph graph = new CUgraph();
        ok(JCudaDriver.cuStreamEndCapture(trial.stream, graph));
        CUgraphExec replayed = new CUgraphExec();
        ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
        for (int round = 0; round < 20; round++) {
            ok(JCudaDriver.cuGraphLaunch(replayed, trial.stream));
        }
        int[] wanted = wanted(mine, 9, true);
        trial.same("a graph among neighbours", trial.read(recv, sources * 9), 0, wanted, 0, sources * 9);
    }
}
