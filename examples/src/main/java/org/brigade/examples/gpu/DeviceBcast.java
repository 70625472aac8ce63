package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.*;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import mpi.MPI;

/**
 * A broadcast in the capital (mpiJava, MPJ) dialect, from an array of rank 0 into the others' device memory, behind the
 * first element.
 *
 * <p>
 * {@code mpjrun -np 2 -cp 'examples/target/classes:examples/target/lib/*' org.brigade.examples.gpu.DeviceBcast}
 */
public final class DeviceBcast {
    private DeviceBcast() {
    }

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int[] values = {9, 1, 2, 3};
        if (rank == 0) {
            MPI.COMM_WORLD.Bcast(values, 1, 3, MPI.INT, 0);
        } else {
            setExceptionsEnabled(true);
            cuInit(0);
            int[] gpus = new int[1];
            cuDeviceGetCount(gpus);
            CUdevice device = new CUdevice();
            cuDeviceGet(device, rank % gpus[0]);
            CUcontext context = new CUcontext();
            cuDevicePrimaryCtxRetain(context, device);
            cuCtxSetCurrent(context);

            CUdeviceptr vector = new CUdeviceptr();
            cuMemAlloc(vector, 4 * Integer.BYTES);
            cuMemsetD32(vector, 0, 4);
            MPI.COMM_WORLD.Bcast(vector, 1, 3, MPI.INT, 0);
            cuMemcpyDtoH(Pointer.to(values), vector, 4 * Integer.BYTES);
            cuMemFree(vector);
        }
        System.out.println("rank " + rank + " has " + values[0] + " " + values[1] + " " + values[2] + " " + values[3]);
        MPI.Finalize();
    }
}
