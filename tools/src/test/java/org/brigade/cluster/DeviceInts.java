package org.brigade.cluster;

import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/** Integers in device memory, for programs of tests. */
final class DeviceInts implements AutoCloseable {
    private final CUdeviceptr pointer = new CUdeviceptr();
    private final int ints;

    /** Makes one of the GPUs this thread's, by rank. */
    static void enter(int rank) {
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
    }

    DeviceInts(int ints) {
        this.ints = ints;
        JCudaDriver.cuMemAlloc(pointer, (long) Integer.BYTES * ints);
    }

    /** As a buffer of MPI's. */
    CUdeviceptr at() {
        return pointer;
    }

    void set(int[] values) {
        JCudaDriver.cuMemcpyHtoD(pointer, Pointer.to(values), (long) Integer.BYTES * ints);
    }

    /** Throws an AssertionError that says {@code what} is wrong unless the memory has these values. */
    void require(String what, int[] expected) {
        int[] found = new int[ints];
        JCudaDriver.cuMemcpyDtoH(Pointer.to(found), pointer, (long) Integer.BYTES * ints);
        int at = Arrays.mismatch(expected, found);
        if (at >= 0) {
            throw new AssertionError(what + ": element " + at + " is " + found[at] + ", not " + expected[at]);
        }
    }

    @Override
    public void close() {
        JCudaDriver.cuMemFree(pointer);
    }
}
