package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.*;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import mpi.MPI;
import mpi.MPIException;

/**
 * An allreduce of device memory in the camel (Open MPI) dialect.
 *
 * <p>
 * {@code mpjrun -np 2 -cp 'examples/target/classes:examples/target/lib/*' org.brigade.examples.gpu.DeviceAllreduce}
 */
public final class DeviceAllreduce {
    private DeviceAllreduce() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        setExceptionsEnabled(true);
        cuInit(0);
        int[] gpus = new int[1];
        cuDeviceGetCount(gpus);
        CUdevice device = new CUdevice();
        cuDeviceGet(device, rank % gpus[0]);
        CUcontext context = new CUcontext();
        cuDevicePrimaryCtxRetain(context, device);
        cuCtxSetCurrent(context);

        double[] values = {rank, 1, 0.5};
        CUdeviceptr vector = new CUdeviceptr();
        cuMemAlloc(vector, 3 * Double.BYTES);
        cuMemcpyHtoD(vector, Pointer.to(values), 3 * Double.BYTES);
        MPI.COMM_WORLD.allReduce(vector, 3, MPI.DOUBLE, MPI.SUM);
        cuMemcpyDtoH(Pointer.to(values), vector, 3 * Double.BYTES);
        System.out.println("rank " + rank + " has " + values[0] + " " + values[1] + " " + values[2]);

        MPI.COMM_WORLD.barrier();
        cuMemFree(vector);
        MPI.Finalize();
    }
}
