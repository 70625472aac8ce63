package org.brigade.cli.bench;

import java.util.Arrays;

/**
 * The gradients of ResNet-50 (He, Zhang, Ren, Sun 2015, table 1, with torchvision's stride and biases), 25,557,032
 * floats in 161 tensors, in the order in which a backward pass finishes them: the last layer's first.
 */
final class ResNet50 {
    /**
     * Buckets as in PyTorch's DistributedDataParallel: a first bucket of 1 MiB, so that it can be sent early, then 25
     * MiB each.
     */
    private static final int FIRST_BUCKET = 1 << 20;
    private static final int BUCKET = 25 << 20;
    private static final int[] BLOCKS = {3, 4, 6, 3};

    private ResNet50() {
    }

    /** Floats of each tensor. */
    static int[] tensors() {
        int[] forward = new int[161];
        int n = convolution(forward, 0, 3, 64, 7);
        int in = 64;
        for (int stage = 0; stage < BLOCKS.length; stage++) {
            int width = 64 << stage;
            for (int block = 0; block < BLOCKS[stage]; block++) {
                n = convolution(forward, n, in, width, 1);
                n = convolution(forward, n, width, width, 3);
                n = convolution(forward, n, width, 4 * width, 1);
                if (block == 0) {
                    n = convolution(forward, n, in, 4 * width, 1); // the shortcut's
                }
                in = 4 * width;
            }
        }
        forward[n++] = in * 1000;
        forward[n++] = 1000;
        int[] backward = new int[n];
        for (int i = 0; i < n; i++) {
            backward[i] = forward[n - 1 - i];
        }
        return backward;
    }

    /** Adds the weights, and the scale and shift of the batch normalisation that follows. */
    private static int convolution(int[] tensors, int n, int in, int out, int size) {
        tensors[n] = in * out * size * size;
        tensors[n + 1] = out;
        tensors[n + 2] = out;
        return n + 3;
    }

    /** Floats of each bucket. A bucket takes whole tensors until it is full. */
    static int[] buckets() {
        int[] tensors = tensors();
        int[] buckets = new int[tensors.length];
        int n = 0;
        for (int tensor : tensors) {
            buckets[n] += tensor;
            if (4L * buckets[n] >= (n == 0 ? FIRST_BUCKET : BUCKET)) {
                n++;
            }
        }
        return Arrays.copyOf(buckets, buckets[n] == 0 ? n : n + 1);
    }
}
