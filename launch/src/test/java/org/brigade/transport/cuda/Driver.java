package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * Calls of the driver as programs of the tests need them: a result that is not success is a failure with the driver's
 * name for it.
 */
public final class Driver {
    private static final String IMAGE = ".version 6.4\n.target sm_75\n";

    private Driver() {
    }

    public static void ok(int result) {
        is(CUresult.CUDA_SUCCESS, result);
    }

    static void is(int expected, int result) {
        if (expected != result) {
            assertEquals(CUresult.stringFor(expected), CUresult.stringFor(result));
        }
    }

    /** The primary context of a device, current in this thread. */
    public static CUcontext enter(int ordinal) {
        assertEquals(null, CudaDriver.missing());
        CUdevice device = new CUdevice();
        CUcontext context = new CUcontext();
        ok(JCudaDriver.cuDeviceGet(device, ordinal));
        ok(JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        ok(JCudaDriver.cuCtxSetCurrent(context));
        return context;
    }

    public static CUdeviceptr allocate(long bytes) {
        CUdeviceptr address = new CUdeviceptr();
        ok(JCudaDriver.cuMemAlloc(address, bytes));
        return address;
    }

    public static CUdeviceptr ints(int... values) {
        CUdeviceptr address = allocate(4L * values.length);
        write(address, values);
        return address;
    }

    public static void write(CUdeviceptr address, int[] values) {
        ok(JCudaDriver.cuMemcpyHtoD(address, Pointer.to(values), 4L * values.length));
    }

    public static int[] ints(CUdeviceptr address, int number) {
        int[] values = new int[number];
        ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), address, 4L * number));
        return values;
    }

    public static CUstream stream(int flags) {
        CUstream stream = new CUstream();
        ok(JCudaDriver.cuStreamCreate(stream, flags));
        return stream;
    }

    public static CUfunction kernel(String name) {
        CUmodule module = new CUmodule();
        CUfunction function = new CUfunction();
        ok(JCudaDriver.cuModuleLoadData(module, IMAGE));
        ok(JCudaDriver.cuModuleGetFunction(function, module, name));
        return function;
    }

    /** Launches, and returns the result of that. */
    static int launch(CUfunction kernel, int blocks, int threads, CUstream stream, Pointer... parameters) {
        return JCudaDriver.cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, Pointer.to(parameters), null);
    }
}
