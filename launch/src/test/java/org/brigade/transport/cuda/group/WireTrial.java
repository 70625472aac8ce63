package org.brigade.transport.cuda.group;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

import java.util.Arrays;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * What one rank of {@link CommunicatorTopologyTest} runs: sums of floats by the ring tell in which order it has folded
 * them, as no two orders round alike. Arguments: the order that is expected, and {@code stream} for calls on one.
 */
public final class WireTrial {
    /** Of one rank's slice: a multiple of what slices begin at. */
    private static final int SLICE = 4096;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(MPI.COMM_WORLD.getRank() % CudaDriver.devices());
        String[] words = arguments[0].split(",");
        int[] order = new int[words.length];
        for (int position = 0; position < order.length; position++) {
            order[position] = Integer.parseInt(words[position]);
        }
        WireTrial trial = new WireTrial();
        try {
            trial.sums(order, arguments.length > 1);
            trial.chains();
        } catch (MPIException e) {
            System.out.println("rank " + trial.rank + ": " + e.getMessage());
            System.exit(3);
        }
        if (trial.rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    private static float[] data(int owner, int count) {
        Random random = new Random(owner);
        float[] data = new float[count];
        for (int i = 0; i < count; i++) {
            data[i] = (random.nextFloat() - 0.5f) * (1 << random.nextInt(20));
        }
        return data;
    }

    private void sums(int[] order, boolean onStream) throws MPIException {
        int count = ranks * SLICE;
        CUdeviceptr send = allocate(4L * count);
        CUdeviceptr recv = allocate(4L * count);
        ok(JCudaDriver.cuMemcpyHtoD(send, Pointer.to(data(rank, count)), 4L * count));
        float[] wanted = new float[count];
        int[] byRank = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            byRank[i] = i;
        }
        float[] inRankOrder = new float[count];
        fold(wanted, order, order);
        fold(inRankOrder, byRank, byRank);
        if (!Arrays.equals(order, byRank) && Arrays.equals(wanted, inRankOrder)) {
            throw new AssertionError("rank order would give the same");
        }
        if (onStream) {
            StreamCommunicator streams = StreamCommunicator.open(world);
            streams.register(send, 4L * count);
            streams.register(recv, 4L * count);
            CUstream stream = Driver.stream(0);
            streams.allReduce(send, recv, count, MPI.FLOAT, MPI.SUM, stream);
            ok(JCudaDriver.cuStreamSynchronize(stream));
            check("allreduce on a stream", recv, 0, count, wanted, inRankOrder);
            streams.close();
            return;
        }
        for (int turn = 0; turn < 3; turn++) {
            world.allReduce(send, recv, count, MPI.FLOAT, MPI.SUM);
            ran("ring");
            check("allreduce", recv, 0, count, wanted, inRankOrder);
        }
        // Blocks belong to ranks: slice r is folded so that rank r is the last.
        int[] counts = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            counts[i] = SLICE;
        }
        fold(wanted, order, byRank);
        world.reduceScatter(send, recv, counts, MPI.FLOAT, MPI.SUM);
        ran("ring");
        check("reduce-scatter", recv, rank * SLICE, SLICE, wanted, inRankOrder);
    }

    private static void ran(String algorithm) {
        if (!Diagnostics.lastAlgorithm().equals(algorithm)) {
            throw new AssertionError("ran by " + Diagnostics.lastAlgorithm() + ", not by " + algorithm);
        }
    }

    /** Slice by slice, from the left, each from the one behind its owner on. */
    private void fold(float[] target, int[] order, int[] owners) {
        for (int slice = 0; slice < ranks; slice++) {
            int position = 0;
            while (order[position] != owners[slice]) {
                position++;
            }
            for (int step = 1; step <= ranks; step++) {
                float[] next = data(order[(position + step) % ranks], ranks * SLICE);
                for (int i = slice * SLICE; i < (slice + 1) * SLICE; i++) {
                    target[i] = step == 1 ? next[i] : target[i] + next[i];
                }
            }
        }
    }

    private static void check(String what, CUdeviceptr recv, int from, int count, float[] wanted, float[] inRankOrder) {
        float[] got = new float[count];
        ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(got), recv, 4L * count));
        for (int i = 0; i < count; i++) {
            if (got[i] != wanted[from + i]) {
                throw new AssertionError(what + " of item " + (from + i) + ": " + got[i] + ", in the order it is "
                    + wanted[from + i] + ", in rank order " + inRankOrder[from + i]);
            }
        }
    }

    /** From every root, in turn. */
    private void chains() throws MPIException {
        int count = 10_000;
        CUdeviceptr buffer = allocate(4L * count);
        for (int turn = 0; turn < 3 * ranks; turn++) {
            int root = turn % ranks;
            ok(JCudaDriver.cuMemcpyHtoD(buffer, Pointer.to(data(rank + turn, count)), 4L * count));
            world.bcast(buffer, count, MPI.FLOAT, root);
            ran("chain");
            float[] got = new float[count];
            ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(got), buffer, 4L * count));
            float[] wanted = data(root + turn, count);
            for (int i = 0; i < count; i++) {
                if (got[i] != wanted[i]) {
                    throw new AssertionError(
                        "bcast from " + root + ", item " + i + ": " + got[i] + ", not " + wanted[i]);
                }
            }
        }
    }
}
