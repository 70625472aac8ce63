package org.brigade.cli.bench;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUgraphExec;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPIException;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.device.QueuedCalls;
import org.brigade.cli.shared.UserCall;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * Times collectives on a stream and in a graph by the device's clock. As in NCCL's benchmarks, calls run back to back.
 * The buffers are registered. All ranks open, use and close it together.
 */
final class StreamClock implements AutoCloseable {
    private static final int CALLS_A_GRAPH = 50;

    private final Timing timing;
    private final QueuedCalls queued;
    private final CUevent begin = new CUevent();
    private final CUevent end = new CUevent();

    /** Registers both buffers, which are device memory of so many bytes. */
    StreamClock(Intracomm comm, Object send, Object recv, long bytes) throws MPIException {
        timing = new Timing(comm);
        queued = new QueuedCalls(comm, false);
        queued.register(send, bytes);
        queued.register(recv, bytes);
        CudaResult.check(JCudaDriver.cuEventCreate(begin, CUevent_flags.CU_EVENT_DEFAULT), "cuEventCreate");
        CudaResult.check(JCudaDriver.cuEventCreate(end, CUevent_flags.CU_EVENT_DEFAULT), "cuEventCreate");
    }

    /** Puts one call on the stream and waits for it. */
    void once(UserCall call) throws MPIException {
        queued.run(call);
    }

    /**
     * Makes calls on the stream for so long that the JVM can compile and the GPU can wake up; all ranks equally often.
     */
    void warmUp(UserCall call, long nanos) throws MPIException {
        timing.warmUp(() -> {
            for (int i = 0; i < 5; i++) {
                queued.enqueue(call);
            }
            queued.synchronize();
        }, 1, nanos);
    }

    /** Microseconds of one call in a round of calls back to back; the median of the rounds. */
    double stream(UserCall call, int calls, int rounds) throws MPIException {
        return rounds(rounds, calls, () -> {
            for (int i = 0; i < calls; i++) {
                queued.enqueue(call);
            }
        });
    }

    /** Microseconds of one call in a graph of calls; the median of the rounds. */
    double graph(UserCall call, int calls, int rounds) throws MPIException {
        int captured = Math.min(calls, CALLS_A_GRAPH);
        int replays = Math.max(1, calls / captured);
        CUgraphExec graph = queued.capture(call, captured);
        double time = rounds(rounds, captured * replays, () -> {
            for (int i = 0; i < replays; i++) {
                queued.launch(graph);
            }
        });
        JCudaDriver.cuGraphExecDestroy(graph);
        return time;
    }

    /** Times rounds. All ranks' streams are empty when a round begins. */
    private double rounds(int rounds, int calls, Timing.Call round) throws MPIException {
        float[] milliseconds = new float[1];
        return timing.median(rounds, () -> {
            queued.record(begin);
            round.run();
            queued.record(end);
            queued.synchronize();
            CudaResult.check(JCudaDriver.cuEventElapsedTime(milliseconds, begin, end), "cuEventElapsedTime");
            return milliseconds[0] * 1000.0 / calls;
        });
    }

    @Override
    public void close() throws MPIException {
        queued.close();
        JCudaDriver.cuEventDestroy(begin);
        JCudaDriver.cuEventDestroy(end);
    }
}
