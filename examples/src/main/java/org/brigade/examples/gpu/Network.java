package org.brigade.examples.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;

/**
 * Fully connected layers with rectified units between them, in the memory of a GPU; the loss is the cross entropy of
 * the softmax of the last layer's scores, summed over the pictures of a batch. Nothing waits: the work is in the GPU's
 * stream when a method returns.
 */
final class Network {
    private final TrainingKernels kernels;
    private final int batch;
    private final Layer[] layers;
    private final CUdeviceptr losses;
    private final Tensor loss;
    private final List<Tensor> gradients = new ArrayList<>();

    /** What is done when the kernels of a layer's gradient are in the stream, before those of the layers below. */
    interface LayerDone {
        void run(int layer);
    }

    private static final class Layer {
        final int inputs;
        final int outputs;
        final Tensor weights;
        final Tensor bias;
        /** Both parts, side by side. */
        final Tensor gradient;
        final Tensor weightGradient;
        final Tensor biasGradient;
        /** [batch][outputs]: the layer's values, and the loss's slopes by them. */
        final CUdeviceptr values;
        final CUdeviceptr slopes;

        Layer(RankGpu gpu, String name, int batch, int inputs, int outputs) {
            this.inputs = inputs;
            this.outputs = outputs;
            weights = gpu.tensor(name + ".weights", inputs * outputs);
            bias = gpu.tensor(name + ".bias", outputs);
            gradient = gpu.tensor(name + "'", inputs * outputs + outputs);
            weightGradient = new Tensor(name + ".weights'", gradient.at(), inputs * outputs);
            biasGradient =
                new Tensor(name + ".bias'", gradient.at().withByteOffset(weightGradient.bytes()), outputs);
            values = gpu.allocate((long) batch * outputs * Sizeof.FLOAT);
            slopes = gpu.allocate((long) batch * outputs * Sizeof.FLOAT);
        }
    }

    /** @param widths units of the input, of every hidden layer, and classes */
    Network(RankGpu gpu, TrainingKernels kernels, int batch, int... widths) {
        this.kernels = kernels;
        this.batch = batch;
        layers = new Layer[widths.length - 1];
        for (int i = 0; i < layers.length; i++) {
            layers[i] = new Layer(gpu, "layer" + i, batch, widths[i], widths[i + 1]);
        }
        losses = gpu.allocate((long) batch * Sizeof.FLOAT);
        loss = gpu.tensor("loss", 1);
        gradients.add(loss);
        for (int i = layers.length - 1; i >= 0; i--) {
            gradients.add(layers[i].weightGradient);
            gradients.add(layers[i].biasGradient);
        }
    }

    /** Random weights (He's initialisation), the same for the same seed. */
    void initialise(RankGpu gpu, long seed) {
        Random random = new Random(seed);
        for (Layer layer : layers) {
            float[] weights = new float[layer.weights.floats()];
            float deviation = (float) Math.sqrt(2.0 / layer.inputs);
            for (int i = 0; i < weights.length; i++) {
                weights[i] = (float) random.nextGaussian() * deviation;
            }
            gpu.write(weights, layer.weights.at());
            gpu.write(new float[layer.outputs], layer.bias.at());
        }
    }

    /**
     * What data-parallel ranks sum: the loss and all gradients, in the order in which {@link #computeGradients} has
     * them ready.
     */
    List<Tensor> gradients() {
        return gradients;
    }

    int layers() {
        return layers.length;
    }

    /** All of a layer's gradient. */
    Tensor gradient(int layer) {
        return layers[layer].gradient;
    }

    List<Tensor> parameters() {
        List<Tensor> parameters = new ArrayList<>();
        for (Layer layer : layers) {
            parameters.add(layer.weights);
            parameters.add(layer.bias);
        }
        return parameters;
    }

    /** The summed loss of the last batch; after an allreduce of the gradients, of all ranks' batches. */
    Tensor loss() {
        return loss;
    }

    /** Forward and backward through a batch of pictures, [batch][inputs], and their labels, [batch]. */
    void computeGradients(CUdeviceptr pictures, CUdeviceptr labels) {
        computeGradients(pictures, labels, layer -> {});
    }

    /** The same; tells of each layer, the last one first. */
    void computeGradients(CUdeviceptr pictures, CUdeviceptr labels, LayerDone done) {
        int last = layers.length - 1;
        for (int i = 0; i <= last; i++) {
            Layer layer = layers[i];
            kernels.forward(layer.values, input(i, pictures), layer.weights.at(), layer.bias.at(), batch, layer.inputs,
                layer.outputs, i < last);
        }
        kernels.loss(losses, layers[last].slopes, layers[last].values, labels, batch, layers[last].outputs);
        kernels.sum(loss.at(), losses, batch);
        for (int i = last; i >= 0; i--) {
            Layer layer = layers[i];
            kernels.weightGradient(layer.weightGradient.at(), layer.slopes, input(i, pictures), batch, layer.inputs,
                layer.outputs);
            kernels.biasGradient(layer.biasGradient.at(), layer.slopes, batch, layer.outputs);
            done.run(i);
            if (i > 0) {
                kernels.backward(layers[i - 1].slopes, layer.slopes, layer.weights.at(), layers[i - 1].values, batch,
                    layer.inputs, layer.outputs);
            }
        }
    }

    /** One step down the gradient, which is that of a sum over {@code pictures} pictures. */
    void descend(float rate, int pictures) {
        for (Layer layer : layers) {
            kernels.descend(layer.weights.at(), layer.weightGradient.at(), rate / pictures, layer.weights.floats());
            kernels.descend(layer.bias.at(), layer.biasGradient.at(), rate / pictures, layer.bias.floats());
        }
    }

    private CUdeviceptr input(int layer, CUdeviceptr pictures) {
        return layer == 0 ? pictures : layers[layer - 1].values;
    }
}
