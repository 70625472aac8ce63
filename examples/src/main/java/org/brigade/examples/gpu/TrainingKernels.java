package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;

/** The kernels of training.cu, on a GPU's stream. Each is asynchronous; shapes are as they say there. */
final class TrainingKernels {
    private static final int THREADS = 256;
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;

    private final RankGpu gpu;
    private final int mostBlocks;
    private final CUfunction forward;
    private final CUfunction loss;
    private final CUfunction sum;
    private final CUfunction weightGradient;
    private final CUfunction biasGradient;
    private final CUfunction backward;
    private final CUfunction descend;

    TrainingKernels(RankGpu gpu) {
        this.gpu = gpu;
        mostBlocks = gpu.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        CUmodule module = new CUmodule();
        cuModuleLoadData(module, image());
        forward = function(module, "training_forward");
        loss = function(module, "training_loss");
        sum = function(module, "training_sum");
        weightGradient = function(module, "training_weight_gradient");
        biasGradient = function(module, "training_bias_gradient");
        backward = function(module, "training_backward");
        descend = function(module, "training_descend");
    }

    static byte[] image() {
        try (InputStream in = TrainingKernels.class.getResourceAsStream("training.fatbin")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void forward(CUdeviceptr y, CUdeviceptr x, CUdeviceptr w, CUdeviceptr bias, int batch, int inputs, int outputs,
        boolean rectified) {
        launch(forward, (long) batch * outputs, at(y), at(x), at(w), at(bias), value(batch), value(inputs),
            value(outputs), value(rectified ? 1 : 0));
    }

    void loss(CUdeviceptr losses, CUdeviceptr slopes, CUdeviceptr scores, CUdeviceptr labels, int batch, int classes) {
        launch(loss, batch, at(losses), at(slopes), at(scores), at(labels), value(batch), value(classes));
    }

    void sum(CUdeviceptr total, CUdeviceptr values, int n) {
        launch(sum, 1, at(total), at(values), value(n));
    }

    void weightGradient(CUdeviceptr gradient, CUdeviceptr slopes, CUdeviceptr x, int batch, int inputs, int outputs) {
        launch(weightGradient, (long) inputs * outputs, at(gradient), at(slopes), at(x), value(batch), value(inputs),
            value(outputs));
    }

    void biasGradient(CUdeviceptr gradient, CUdeviceptr slopes, int batch, int outputs) {
        launch(biasGradient, outputs, at(gradient), at(slopes), value(batch), value(outputs));
    }

    void backward(CUdeviceptr xSlopes, CUdeviceptr slopes, CUdeviceptr w, CUdeviceptr x, int batch, int inputs,
        int outputs) {
        launch(backward, (long) batch * inputs, at(xSlopes), at(slopes), at(w), at(x), value(batch), value(inputs),
            value(outputs));
    }

    void descend(CUdeviceptr parameters, CUdeviceptr gradient, float rate, int n) {
        launch(descend, n, at(parameters), at(gradient), Pointer.to(new float[] {rate}), value(n));
    }

    private static CUfunction function(CUmodule module, String name) {
        CUfunction function = new CUfunction();
        cuModuleGetFunction(function, module, name);
        return function;
    }

    private static Pointer at(CUdeviceptr memory) {
        return Pointer.to(memory);
    }

    private static Pointer value(int value) {
        return Pointer.to(new int[] {value});
    }

    private void launch(CUfunction function, long items, NativePointerObject... parameters) {
        int blocks = (int) Math.min(mostBlocks, (items + THREADS - 1) / THREADS);
        cuLaunchKernel(function, blocks, 1, 1, (int) Math.min(items, THREADS), 1, 1, 0, gpu.stream(),
            Pointer.to(parameters), null);
    }
}
