package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoD;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** The way of vectors from one rank's device memory to the other ranks'. */
interface ExchangePath {
    /** Adds up the ranks' vectors, in place. */
    void allReduce(CUdeviceptr at, int floats) throws MPIException;

    /** Gives rank 0's vector to all. */
    void bcast(CUdeviceptr at, int floats) throws MPIException;

    /** @param longest bytes of the longest vector there will be */
    static ExchangePath of(String name, Intracomm comm, RankGpu gpu, long longest) {
        return name.equals("direct") ? new Direct(comm) : new Staged(comm, gpu.allocatePinned(longest));
    }

    /** Device pointers go straight into MPI. */
    record Direct(Intracomm comm) implements ExchangePath {
        @Override
        public void allReduce(CUdeviceptr at, int floats) throws MPIException {
            comm.allReduce(at, floats, MPI.FLOAT, MPI.SUM);
        }

        @Override
        public void bcast(CUdeviceptr at, int floats) throws MPIException {
            comm.bcast(at, floats, MPI.FLOAT, 0);
        }
    }

    /**
     * What programs do whose MPI knows only host memory: copy out, call MPI, copy in. The host memory is pinned, or the
     * copies would take twice as long.
     */
    record Staged(Intracomm comm, ByteBuffer host) implements ExchangePath {
        @Override
        public void allReduce(CUdeviceptr at, int floats) throws MPIException {
            long bytes = (long) floats * Sizeof.FLOAT;
            cuMemcpyDtoH(Pointer.to(host), at, bytes);
            comm.allReduce(host, floats, MPI.FLOAT, MPI.SUM);
            cuMemcpyHtoD(at, Pointer.to(host), bytes);
        }

        @Override
        public void bcast(CUdeviceptr at, int floats) throws MPIException {
            long bytes = (long) floats * Sizeof.FLOAT;
            boolean root = comm.getRank() == 0;
            if (root) {
                cuMemcpyDtoH(Pointer.to(host), at, bytes);
            }
            comm.bcast(host, floats, MPI.FLOAT, 0);
            if (!root) {
                cuMemcpyHtoD(at, Pointer.to(host), bytes);
            }
        }
    }
}
