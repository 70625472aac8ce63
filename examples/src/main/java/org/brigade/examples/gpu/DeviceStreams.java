package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.*;

import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cuda.StreamCommunicator;

/**
 * Collectives on a CUDA stream and in a CUDA graph: the host puts them there and goes on.
 *
 * <p>
 * {@code mpjrun -np 2 -cp 'examples/target/classes:examples/target/lib/*' org.brigade.examples.gpu.DeviceStreams}
 */
public final class DeviceStreams {
    private static final int BLOCK = 1000;
    private static final int REPLAYS = 5;

    private DeviceStreams() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int ranks = MPI.COMM_WORLD.getSize();
        setExceptionsEnabled(true);
        cuInit(0);
        int[] gpus = new int[1];
        cuDeviceGetCount(gpus);
        CUdevice device = new CUdevice();
        cuDeviceGet(device, rank % gpus[0]);
        CUcontext context = new CUcontext();
        cuDevicePrimaryCtxRetain(context, device);
        cuCtxSetCurrent(context);
        CUstream stream = new CUstream();
        cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING);

        float[] values = new float[ranks * BLOCK];
        long bytes = (long) values.length * Float.BYTES;
        CUdeviceptr vector = new CUdeviceptr();
        cuMemAlloc(vector, bytes);
        CUdeviceptr own = vector.withByteOffset((long) rank * BLOCK * Float.BYTES);

        try (StreamCommunicator streams = StreamCommunicator.open(MPI.COMM_WORLD)) {
            streams.register(vector, bytes);

            // Each begins when what is in front of it on the stream has ended; none is waited for here.
            Arrays.fill(values, rank + 1);
            cuMemcpyHtoDAsync(vector, Pointer.to(values), bytes, stream);
            streams.allReduce(vector, vector, values.length, MPI.FLOAT, MPI.SUM, stream);

            cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
            streams.reduceScatterBlock(vector, own, BLOCK, MPI.FLOAT, MPI.SUM, stream);
            // ... the program's kernels that work on the own block ...
            streams.allGather(own, vector, BLOCK, MPI.FLOAT, stream);
            CUgraph graph = new CUgraph();
            cuStreamEndCapture(stream, graph);
            CUgraphExec step = new CUgraphExec();
            cuGraphInstantiate(step, graph, 0);
            for (int i = 0; i < REPLAYS; i++) {
                cuGraphLaunch(step, stream);
            }

            cuMemcpyDtoHAsync(Pointer.to(values), vector, bytes, stream);
            cuStreamSynchronize(stream);
            streams.check();
            System.out.println("rank " + rank + " has " + values[0] + " ... " + values[values.length - 1]);

            cuGraphExecDestroy(step);
            cuGraphDestroy(graph);
            streams.deregister(vector);
        }
        cuMemFree(vector);
        cuStreamDestroy(stream);
        MPI.Finalize();
    }
}
