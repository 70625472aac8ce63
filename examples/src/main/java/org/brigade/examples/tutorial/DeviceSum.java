package org.brigade.examples.tutorial;

import static jcuda.driver.JCudaDriver.*;

import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import mpi.MPI;
import mpi.MPIException;

/** GPU buffers of docs/tutorial.md: an allreduce of vectors in the memory of GPUs. */
public final class DeviceSum {
    private DeviceSum() {
    }

    // listing main
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        useGpu(rank);

        double[] values = {rank, 1, 0.5};
        long bytes = values.length * Double.BYTES;
        CUdeviceptr vector = new CUdeviceptr();
        cuMemAlloc(vector, bytes);
        cuMemcpyHtoD(vector, Pointer.to(values), bytes);
        MPI.COMM_WORLD.allReduce(vector, values.length, MPI.DOUBLE, MPI.SUM);
        cuMemcpyDtoH(Pointer.to(values), vector, bytes);
        System.out.println("rank " + rank + " has " + Arrays.toString(values));

        MPI.COMM_WORLD.barrier();
        cuMemFree(vector);
        MPI.Finalize();
    }

    /** Ranks take the GPUs in turn; with as many GPUs as ranks, each has its own. */
    private static void useGpu(int rank) {
        setExceptionsEnabled(true);
        cuInit(0);
        int[] gpus = new int[1];
        cuDeviceGetCount(gpus);
        CUdevice device = new CUdevice();
        cuDeviceGet(device, rank % gpus[0]);
        CUcontext context = new CUcontext();
        cuDevicePrimaryCtxRetain(context, device);
        cuCtxSetCurrent(context);
    }
    // end
}
