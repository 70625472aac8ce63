package org.brigade.examples.pytorch;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.communicator.call.Diagnostics;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * The training with parameters and gradients in memory of GPUs in software. PyTorch knows nothing of these GPUs. But
 * the host can use their memory, so PyTorch computes in it as on the CPU, and Brigade takes it for device memory.
 */
public final class SoftwareGpuTraining {
    private SoftwareGpuTraining() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.InitThread(args, MPI.THREAD_SERIALIZED);
        DataParallelTraining.loadPyTorch(MPI.COMM_WORLD);
        JCudaDriver.setExceptionsEnabled(true);
        JCudaDriver.cuInit(0);
        CUdevice gpu = new CUdevice();
        CUcontext context = new CUcontext();
        JCudaDriver.cuDeviceGet(gpu, MPI.COMM_WORLD.getRank());
        JCudaDriver.cuDevicePrimaryCtxRetain(context, gpu);
        JCudaDriver.cuCtxSetCurrent(context);
        TensorOptions floats = new TensorOptions(torch.ScalarType.Float);
        new DataParallelTraining(MPI.COMM_WORLD, count -> FlatMemory.device(count, floats),
            new Device(torch.DeviceType.CPU)).train(Integer.parseInt(args[0]));
        FlatMemory vector = FlatMemory.device(1000, floats);
        MPI.COMM_WORLD.iAllReduce(vector.buffer, vector.floats, MPI.FLOAT, MPI.AVG).waitFor();
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("averaged by " + Diagnostics.lastAlgorithm());
        }
        MPI.Finalize();
    }
}
