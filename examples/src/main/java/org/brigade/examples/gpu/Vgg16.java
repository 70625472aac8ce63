package org.brigade.examples.gpu;

import java.util.ArrayList;
import java.util.List;

/**
 * The sizes of VGG16's parameters (Simonyan and Zisserman, 2014, table 1, column D): 138,357,544 in 16 layers, weights
 * and bias of each.
 */
final class Vgg16 {
    /** Channels into and out of the 3 x 3 convolutions. */
    private static final int[][] CONVOLUTIONS = {{3, 64}, {64, 64}, {64, 128}, {128, 128}, {128, 256}, {256, 256},
        {256, 256}, {256, 512}, {512, 512}, {512, 512},
        {512, 512}, {512, 512}, {512, 512}};
    /** Units into and out of the layers behind them; the last convolutions' pictures have 7 x 7 pixels. */
    private static final int[][] FULLY_CONNECTED = {{512 * 7 * 7, 4096}, {4096, 4096}, {4096, 1000}};

    /** A parameter tensor. */
    record Size(String name, int floats) {
    }

    private Vgg16() {
    }

    /**
     * All parameter tensors from the input on, or each with a share of them, rounded up, to try things out in less
     * memory.
     */
    static List<Size> sizes(int shrink) {
        List<Size> sizes = new ArrayList<>();
        for (int i = 0; i < CONVOLUTIONS.length; i++) {
            add(sizes, "conv" + (i + 1), 9 * CONVOLUTIONS[i][0] * CONVOLUTIONS[i][1], CONVOLUTIONS[i][1], shrink);
        }
        for (int i = 0; i < FULLY_CONNECTED.length; i++) {
            add(sizes, "fc" + (i + 1), FULLY_CONNECTED[i][0] * FULLY_CONNECTED[i][1], FULLY_CONNECTED[i][1], shrink);
        }
        return sizes;
    }

    private static void add(List<Size> sizes, String layer, int weights, int bias, int shrink) {
        sizes.add(new Size(layer + ".weights", (weights + shrink - 1) / shrink));
        sizes.add(new Size(layer + ".bias", (bias + shrink - 1) / shrink));
    }
}
