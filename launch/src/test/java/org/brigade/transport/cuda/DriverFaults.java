package org.brigade.transport.cuda;

import static org.brigade.transport.cuda.Driver.ok;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * Makes a few good calls of one kind and prints the result of the last one, which is a good one unless a fault was
 * asked for.
 */
public final class DriverFaults {
    private DriverFaults() {
    }

    public static void main(String[] arguments) {
        CUcontext other = Driver.enter(1);
        Driver.enter(0);
        int result = switch (arguments[0]) {
            case "memory" -> memory();
            case "peers" -> JCudaDriver.cuCtxEnablePeerAccess(other, 0);
            default -> launches(arguments[0].equals("launch"));
        };
        System.out.println(CUresult.stringFor(result));
    }

    private static int memory() {
        Driver.allocate(32768);
        CUdeviceptr freed = Driver.allocate(32768);
        ok(JCudaDriver.cuMemFree(freed));
        Driver.allocate(32768);
        return JCudaDriver.cuMemAlloc(new CUdeviceptr(), 1);
    }

    private static int launches(boolean last) {
        CUdeviceptr words = Driver.allocate(64);
        CUfunction kernel = Driver.kernel("check_fill");
        Pointer[] parameters = {Pointer.to(words), Pointer.to(new int[] {1}), Pointer.to(new int[] {16})};
        ok(Driver.launch(kernel, 1, 16, null, parameters));
        ok(JCudaDriver.cuCtxSynchronize());
        int result = Driver.launch(kernel, 1, 16, null, parameters);
        return last ? result : JCudaDriver.cuCtxSynchronize();
    }
}
