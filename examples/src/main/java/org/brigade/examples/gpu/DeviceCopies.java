package org.brigade.examples.gpu;

import jcuda.driver.CUdeviceptr;

/** Copies within a GPU's memory, in order and asynchronous. */
interface DeviceCopies {
    void copy(CUdeviceptr from, CUdeviceptr to, long bytes);

    /** Returns when all copies and kernels before have ended. */
    void await();
}
