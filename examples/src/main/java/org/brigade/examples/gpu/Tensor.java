package org.brigade.examples.gpu;

import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;
import org.brigade.examples.tensors.NamedTensor;

/** Floats in device memory, with a name. */
record Tensor(String name, CUdeviceptr at, int floats) implements NamedTensor {
    @Override
    public String type() {
        return "float";
    }

    @Override
    public int length() {
        return floats;
    }

    long bytes() {
        return (long) floats * Sizeof.FLOAT;
    }
}
