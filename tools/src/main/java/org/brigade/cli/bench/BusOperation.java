package org.brigade.cli.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * The operations that {@code bench --metrics nccl} times: the five collectives of NCCL, on floats, and exchanges of a
 * neural network's gradients. Bytes are as nccl-tests counts them: the vector; for allgather and reduce-scatter, the
 * vectors of all ranks together.
 */
enum BusOperation {
    ALLREDUCE, BCAST, REDUCE, ALLGATHER, REDUCE_SCATTER,
    /** {@link ResNet50}'s gradients, an allreduce for each tensor. */
    RESNET50,
    /** The same gradients, an allreduce for each bucket. */
    RESNET50_BUCKETS;

    static final BusOperation[] COLLECTIVES = {ALLREDUCE, BCAST, REDUCE, ALLGATHER, REDUCE_SCATTER};

    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException listing the names */
    static BusOperation of(String key) {
        for (BusOperation operation : values()) {
            if (operation.key().equals(key)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("'" + key + "' is not measured with --metrics nccl; there are: "
            + String.join(", ", Arrays.stream(values()).map(BusOperation::key).toList()));
    }

    /**
     * The factor by which nccl-tests multiplies the algorithm bandwidth to get the bus bandwidth: how many bytes each
     * rank's link must carry for each byte of the call, at least.
     */
    double busFactor(int ranks) {
        double share = (ranks - 1.0) / ranks;
        return switch (this) {
            case ALLREDUCE, RESNET50, RESNET50_BUCKETS -> 2 * share;
            case ALLGATHER, REDUCE_SCATTER -> share;
            case BCAST, REDUCE -> 1;
        };
    }

    /** The floats of each allreduce of an exchange; null for a collective. */
    int[] tensors() {
        return switch (this) {
            case RESNET50 -> ResNet50.tensors();
            case RESNET50_BUCKETS -> ResNet50.buckets();
            default -> null;
        };
    }

    /** Whether bytes are those of all ranks together. */
    boolean shared() {
        return this == ALLGATHER || this == REDUCE_SCATTER;
    }

    /** The size rounded down to whole elements, at least one element (one for each rank if {@link #shared}). */
    long bytes(long size, int ranks) {
        long unit = shared() ? 4L * ranks : 4;
        return Math.max(unit, size / unit * unit);
    }
}
