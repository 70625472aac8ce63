package org.brigade.transport.cuda.stream;

import static org.brigade.transport.cuda.Driver.ok;

import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.cuda.StreamCommunicator;
import org.brigade.transport.cuda.Driver;

/**
 * What one rank of {@link StreamCallsTest} has. Ints, whose sums wrap around, so that any order of adding gives the
 * same.
 */
abstract class StreamRank {
    final int rank = MPI.COMM_WORLD.getRank();
    final int ranks = MPI.COMM_WORLD.getSize();
    final StreamCommunicator streams = StreamCommunicator.open(MPI.COMM_WORLD);
    final CUstream stream = Driver.stream(CUstream_flags.CU_STREAM_NON_BLOCKING);
    /** Of the data of all ranks; another one for each call. */
    int seed;

    StreamRank() throws MPIException {
    }

    /** Runs the trial of this name. */
    abstract void run(String trial) throws Exception;

    int[] data(int owner, int count) {
        return new Random(seed * 31L + owner).ints(count).toArray();
    }

    static void write(CUdeviceptr target, int[] values) {
        ok(JCudaDriver.cuMemcpyHtoD(target, Pointer.to(values), 4L * values.length));
    }

    /** Behind what is on the stream. */
    int[] read(CUdeviceptr source, int count) {
        ok(JCudaDriver.cuStreamSynchronize(stream));
        return Driver.ints(source, count);
    }

    int[] sum(int count) {
        int[] sum = new int[count];
        for (int peer = 0; peer < ranks; peer++) {
            int[] theirs = data(peer, count);
            for (int i = 0; i < count; i++) {
                sum[i] += theirs[i];
            }
        }
        return sum;
    }

    void same(String what, int[] got, int at, int[] wanted, int from, int count) {
        for (int i = 0; i < count; i++) {
            if (got[at + i] != wanted[from + i]) {
                throw new AssertionError(what + " on rank " + rank + ": item " + (at + i) + " is " + got[at + i]
                    + ", wanted " + wanted[from + i]);
            }
        }
    }

    interface Mistaken {
        void call() throws MPIException;
    }

    static void refused(String words, Mistaken mistake) {
        try {
            mistake.call();
        } catch (MPIException e) {
            if (!e.getMessage().contains(words)) {
                throw new AssertionError("the message is " + e.getMessage());
            }
            return;
        }
        throw new AssertionError("no error, wanted: " + words);
    }
}
