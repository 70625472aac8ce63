package org.brigade.simulate.paper;

import java.util.Arrays;

/**
 * The trainable tensors of EfficientNet-B0 (Tan and Le 2019, table 1): 5,288,548 floats. Each convolution has scales
 * and shifts of the batch normalisation that follows; a block's squeeze-and-excitation has a quarter of the block's
 * input channels, and biases.
 */
final class EfficientNetB0 {
    /** Of each stage: expansion, kernel, output channels, blocks. */
    private static final int[][] STAGES = {{1, 3, 16, 1}, {6, 3, 24, 2}, {6, 5, 40, 2}, {6, 3, 80, 3}, {6, 5, 112, 3},
        {6, 5, 192, 4}, {6, 3, 320, 1}};
    private static final int STEM = 32;
    private static final int HEAD = 1280;
    private static final int CLASSES = 1000;

    private int[] tensors = new int[256];
    private int count;

    private EfficientNetB0() {
    }

    /** Floats of each tensor. */
    static int[] tensors() {
        EfficientNetB0 net = new EfficientNetB0();
        net.convolution(3 * 9 * STEM, STEM);
        int in = STEM;
        for (int[] stage : STAGES) {
            for (int block = 0; block < stage[3]; block++) {
                net.block(in, stage[0], stage[1], stage[2]);
                in = stage[2];
            }
        }
        net.convolution(in * HEAD, HEAD);
        net.add(HEAD * CLASSES, CLASSES);
        return Arrays.copyOf(net.tensors, net.count);
    }

    private void block(int in, int expansion, int kernel, int out) {
        int middle = in * expansion;
        int squeezed = in / 4;
        if (expansion > 1) {
            convolution(in * middle, middle);
        }
        convolution(kernel * kernel * middle, middle);
        add(middle * squeezed, squeezed, squeezed * middle, middle);
        convolution(middle * out, out);
    }

    private void convolution(int weights, int out) {
        add(weights, out, out);
    }

    private void add(int... floats) {
        for (int each : floats) {
            tensors[count++] = each;
        }
    }
}
