package org.brigade.transport.cuda.stream;

import static org.brigade.transport.cuda.Driver.allocate;
import static org.brigade.transport.cuda.Driver.ok;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.verify.IntSums;
import org.brigade.verify.SampleCall;

/**
 * Calls on streams of all kinds and lengths, back to back, with nobody waiting: what one leaves in scratch memory meets
 * the next, and some ranks are a call ahead of others. Every rank knows what every other has, and works it out.
 */
final class StreamCrowd extends StreamRank {
    private static final Collective[] KINDS = {Collective.ALLREDUCE, Collective.BCAST, Collective.REDUCE,
        Collective.ALLGATHER, Collective.REDUCE_SCATTER, Collective.ALLTOALL};

    StreamCrowd() throws MPIException {
    }

    @Override
    void run(String trial) throws MPIException {
        int most = 9000;
        int length = ranks * most;
        CUdeviceptr[] buffers = {allocate(4L * length), allocate(4L * length), allocate(4L * length)};
        int[][][] has = new int[buffers.length][ranks][];
        for (int b = 0; b < buffers.length; b++) {
            seed++;
            for (int peer = 0; peer < ranks; peer++) {
                has[b][peer] = data(peer, length);
            }
            write(buffers[b], has[b][rank]);
            if (b < 2) {
                streams.register(buffers[b], 4L * length);
            }
        }
        Random random = new Random(5);
        for (int batch = 0; batch < 12; batch++) {
            List<Mixed> calls = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                int count = 1 + random.nextInt(random.nextBoolean() ? 50 : most);
                int from = random.nextInt(buffers.length);
                int to = (from + 1 + random.nextInt(buffers.length - 1)) % buffers.length;
                boolean registered = from < 2 && to < 2; // on all ranks, or none
                calls.add(new Mixed(random.nextInt(6), registered ? from : 2, registered ? to : 2, count,
                    random.nextInt(ranks)));
            }
            int times = batch % 4;
            if (times > 0) {
                ok(JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
            }
            for (Mixed call : calls) {
                put(call, buffers);
            }
            if (times > 0) {
                CUgraph graph = new CUgraph();
                CUgraphExec replayed = new CUgraphExec();
                ok(JCudaDriver.cuStreamEndCapture(stream, graph));
                ok(JCudaDriver.cuGraphInstantiate(replayed, graph, 0));
                for (int i = 0; i < times; i++) {
                    ok(JCudaDriver.cuGraphLaunch(replayed, stream));
                }
            }
            for (int i = 0; i < Math.max(1, times); i++) {
                for (Mixed call : calls) {
                    work(call, has[call.from], has[call.to]);
                }
            }
        }
        for (int b = 0; b < buffers.length; b++) {
            same("buffer " + b, read(buffers[b], length), 0, has[b][rank], 0, length);
        }
    }

    /** A call of a crowd: two of its buffers, or one twice. */
    private record Mixed(int kind, int from, int to, int count, int root) {
    }

    private void put(Mixed call, CUdeviceptr[] buffers) throws MPIException {
        CUdeviceptr send = buffers[call.from];
        CUdeviceptr recv = buffers[call.to];
        switch (call.kind) {
            case 0 -> streams.allReduce(send, recv, call.count, MPI.INT, MPI.SUM, stream);
            case 1 -> streams.bcast(send, call.count, MPI.INT, call.root, stream);
            case 2 -> streams.reduce(send, recv, call.count, MPI.INT, MPI.SUM, call.root, stream);
            case 3 -> streams.allGather(send, recv, call.count, MPI.INT, stream);
            case 4 ->
                streams.reduceScatterBlock(send, send == recv ? send.withByteOffset(4L * rank * call.count) : recv,
                    call.count, MPI.INT, MPI.SUM, stream);
            default -> streams.allToAll(send, recv, call.count, MPI.INT, stream);
        }
    }

    /** The same on the host, for all ranks. */
    private void work(Mixed mixed, int[][] sent, int[][] received) {
        boolean inPlace = mixed.from == mixed.to;
        SampleCall call =
            new SampleCall(KINDS[mixed.kind], ranks, mixed.root, mixed.count, 0, inPlace, true);
        int[][] before = new int[ranks][];
        for (int peer = 0; peer < ranks; peer++) {
            before[peer] = sent[peer].clone();
        }
        IntFunction<int[]> contributed = source -> Arrays.copyOfRange(before[source],
            inPlace ? call.ownPlace(source) : 0, before[source].length);
        for (int peer = 0; peer < ranks; peer++) {
            int[] target = call.collective() == Collective.BCAST ? sent[peer] : received[peer];
            // What a reduce-scatter in place gives stands where the rank's block stood.
            int base = call.collective() == Collective.REDUCE_SCATTER && inPlace ? peer * mixed.count : 0;
            int[] result = Arrays.copyOfRange(target, base, target.length);
            IntSums.put(call, peer, contributed, result);
            System.arraycopy(result, 0, target, base, result.length);
        }
    }
}
