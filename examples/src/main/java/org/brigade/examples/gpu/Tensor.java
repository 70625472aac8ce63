package org.brigade.examples.gpu;

import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;

/** Floats in device memory, with a name for people. */
record Tensor(String name, CUdeviceptr at, int floats) {
    long bytes() {
        return (long) floats * Sizeof.FLOAT;
    }
}
