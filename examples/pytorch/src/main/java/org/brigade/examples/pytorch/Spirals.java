package org.brigade.examples.pytorch;

import java.util.Random;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Points on three arms of a spiral, with some noise; the label is the arm. The same on every rank. */
final class Spirals {
    private final float[] points;
    private final long[] labels;

    Spirals(int count) {
        Random random = new Random(5);
        points = new float[count * SpiralNetwork.INPUTS];
        labels = new long[count];
        for (int i = 0; i < count; i++) {
            int arm = i % SpiralNetwork.CLASSES;
            double radius = 0.1 + 0.9 * random.nextDouble();
            double angle = 2 * Math.PI * arm / SpiralNetwork.CLASSES + 3 * radius + 0.15 * random.nextGaussian();
            points[2 * i] = (float) (radius * Math.cos(angle));
            points[2 * i + 1] = (float) (radius * Math.sin(angle));
            labels[i] = arm;
        }
    }

    /** The coordinates of points, a row each. */
    Tensor points(int from, int to, Device device) {
        float[] part = java.util.Arrays.copyOfRange(points, from * SpiralNetwork.INPUTS, to * SpiralNetwork.INPUTS);
        return Tensor.create(part, to - from, SpiralNetwork.INPUTS).to(device, torch.ScalarType.Float);
    }

    Tensor labels(int from, int to, Device device) {
        return Tensor.create(java.util.Arrays.copyOfRange(labels, from, to)).to(device, torch.ScalarType.Long);
    }
}
