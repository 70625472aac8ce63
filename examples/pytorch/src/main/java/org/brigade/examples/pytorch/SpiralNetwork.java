package org.brigade.examples.pytorch;

import java.util.List;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.VoidTensorHook;
import org.bytedeco.pytorch.global.torch;

/** Three linear layers, the optimizer of their parameters, and the way through them. */
final class SpiralNetwork {
    static final int INPUTS = 2;
    static final int CLASSES = 3;
    private static final int SEED = 28;

    final List<Layer> layers;
    private final SGD optimizer;

    /** The same on every rank, and for every source. */
    SpiralNetwork(int hidden, FlatMemory.Source source) {
        torch.manual_seed(SEED);
        layers = List.of(new Layer(INPUTS, hidden, source), new Layer(hidden, hidden, source),
            new Layer(hidden, CLASSES, source));
        TensorVector parameters = new TensorVector();
        for (Layer layer : layers) {
            TensorVector its = layer.linear.parameters();
            for (long i = 0; i < its.size(); i++) {
                parameters.push_back(its.get(i));
            }
        }
        SGDOptions options = new SGDOptions(0.05);
        options.momentum().put(0.9);
        optimizer = new SGD(parameters, options);
    }

    /**
     * The mean loss of some points.
     *
     * @param hook is called during backward, with the gradient of each layer's output but the last's; all later layers'
     * gradients are then complete. Null: there is none
     */
    Tensor loss(Tensor points, Tensor labels, VoidTensorHook hook) {
        Tensor values = points;
        for (Layer layer : layers) {
            if (values != points) {
                values = torch.tanh(values);
            }
            values = layer.forward(values);
            if (hook != null && layer != layers.get(layers.size() - 1)) {
                values.register_hook(hook);
            }
        }
        return torch.cross_entropy_loss(values, labels);
    }

    void clearGradients() {
        for (Layer layer : layers) {
            layer.clearGradients();
        }
    }

    /** One step of the optimizer down the gradients. */
    void descend() {
        optimizer.step();
    }

    /** The greatest difference between a weight here and there. */
    double distance(SpiralNetwork other) {
        double greatest = 0;
        for (int i = 0; i < layers.size(); i++) {
            Tensor difference = layers.get(i).weights.tensor.sub(other.layers.get(i).weights.tensor);
            greatest = Math.max(greatest, difference.abs().max().item_double());
        }
        return greatest;
    }
}
