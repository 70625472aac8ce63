package org.brigade.cli.device;

import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * Times collectives of floats on a stream and in a graph, by the device's clock, back to back as NCCL's benchmarks do.
 * The buffers are registered. Collective: all ranks open, use and close it.
 */
public final class StreamClock implements AutoCloseable {
    private static final int CALLS_A_GRAPH = 50;
    private static final int WARM_UP = 5;

    private final Intracomm comm;
    private final Pointer send;
    private final Pointer recv;
    private final StreamCommunicator streams;
    private final CUstream stream = new CUstream();
    private final CUevent begin = new CUevent();
    private final CUevent end = new CUevent();

    /** Registers both buffers, device memory of this many bytes. */
    public StreamClock(Intracomm comm, Object send, Object recv, long bytes) throws MPIException {
        this.comm = comm;
        this.send = (Pointer) send;
        this.recv = (Pointer) recv;
        streams = StreamCommunicator.open(comm);
        streams.register(this.send, bytes);
        streams.register(this.recv, bytes);
        CudaResult.check(JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING), "cuStreamCreate");
        CudaResult.check(JCudaDriver.cuEventCreate(begin, CUevent_flags.CU_EVENT_DEFAULT), "cuEventCreate");
        CudaResult.check(JCudaDriver.cuEventCreate(end, CUevent_flags.CU_EVENT_DEFAULT), "cuEventCreate");
    }

    private void call(Collective collective, int floats) throws MPIException {
        switch (collective) {
            case BCAST -> streams.bcast(send, floats, MPI.FLOAT, 0, stream);
            case REDUCE -> streams.reduce(send, recv, floats, MPI.FLOAT, MPI.SUM, 0, stream);
            case ALLREDUCE -> streams.allReduce(send, recv, floats, MPI.FLOAT, MPI.SUM, stream);
            case ALLGATHER -> streams.allGather(send, recv, floats, MPI.FLOAT, stream);
            case REDUCE_SCATTER -> streams.reduceScatterBlock(send, recv, floats, MPI.FLOAT, MPI.SUM, stream);
            case ALLTOALL -> streams.allToAll(send, recv, floats, MPI.FLOAT, stream);
            default -> throw new IllegalArgumentException(collective.key());
        }
    }

    /** Puts one call on the stream and waits for it. */
    public void once(Collective collective, int floats) throws MPIException {
        call(collective, floats);
        synchronize();
        streams.check();
    }

    /** Makes calls on the stream until the JVM has compiled and the GPU is awake; equally many on all ranks. */
    public void warmUp(Collective collective, int floats, long nanos) throws MPIException {
        long start = System.nanoTime();
        boolean[] any = new boolean[1];
        do {
            for (int i = 0; i < WARM_UP; i++) {
                call(collective, floats);
            }
            synchronize();
            comm.allReduce(new boolean[] {System.nanoTime() - start < nanos}, any, 1, MPI.BOOLEAN, MPI.LOR);
        } while (any[0]);
        streams.check();
    }

    /** Microseconds of one call, in rounds of so many back to back: the median of the rounds. */
    public double stream(Collective collective, int floats, int calls, int rounds) throws MPIException {
        double[] times = new double[rounds];
        for (int round = -1; round < rounds; round++) { // the first does not count
            begin();
            for (int i = 0; i < calls; i++) {
                call(collective, floats);
            }
            times[Math.max(round, 0)] = end() / calls;
        }
        return median(times);
    }

    /** Microseconds of one call in a graph of several, likewise. */
    public double graph(Collective collective, int floats, int calls, int rounds) throws MPIException {
        int captured = Math.min(calls, CALLS_A_GRAPH);
        CUgraph graph = new CUgraph();
        CUgraphExec replayed = new CUgraphExec();
        CudaResult.check(
            JCudaDriver.cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            "cuStreamBeginCapture");
        for (int i = 0; i < captured; i++) {
            call(collective, floats);
        }
        CudaResult.check(JCudaDriver.cuStreamEndCapture(stream, graph), "cuStreamEndCapture");
        CudaResult.check(JCudaDriver.cuGraphInstantiate(replayed, graph, 0), "cuGraphInstantiate");
        int replays = Math.max(1, calls / captured);
        double[] times = new double[rounds];
        for (int round = -1; round < rounds; round++) {
            begin();
            for (int i = 0; i < replays; i++) {
                CudaResult.check(JCudaDriver.cuGraphLaunch(replayed, stream), "cuGraphLaunch");
            }
            times[Math.max(round, 0)] = end() / (captured * replays);
        }
        JCudaDriver.cuGraphExecDestroy(replayed);
        JCudaDriver.cuGraphDestroy(graph);
        return median(times);
    }

    private static double median(double[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }

    /** Starts the clock once all ranks' streams are empty. */
    private void begin() throws MPIException {
        synchronize();
        comm.barrier();
        CudaResult.check(JCudaDriver.cuEventRecord(begin, stream), "cuEventRecord");
    }

    /** Microseconds since {@link #begin}, once all work is done. */
    private double end() throws MPIException {
        CudaResult.check(JCudaDriver.cuEventRecord(end, stream), "cuEventRecord");
        synchronize();
        streams.check();
        float[] milliseconds = new float[1];
        CudaResult.check(JCudaDriver.cuEventElapsedTime(milliseconds, begin, end), "cuEventElapsedTime");
        return milliseconds[0] * 1000.0;
    }

    private void synchronize() {
        CudaResult.check(JCudaDriver.cuStreamSynchronize(stream), "cuStreamSynchronize");
    }

    @Override
    public void close() throws MPIException {
        streams.close();
        JCudaDriver.cuEventDestroy(begin);
        JCudaDriver.cuEventDestroy(end);
        JCudaDriver.cuStreamDestroy(stream);
    }
}
