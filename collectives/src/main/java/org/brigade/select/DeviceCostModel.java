package org.brigade.select;

import mpi.spi.Collective;

/**
 * Predicts what an algorithm of {@link org.brigade.algorithm.catalogue.DeviceCatalogue} costs: a launch, the flags that one rank after another waits for, and the bytes that the
 * busiest GPU sends or receives. Good for ratios, not for times.
 */
final class DeviceCostModel {
    // As measured on H200s behind NVSwitch: a flag from GPU to GPU, and GPU to GPU by way of the host. A copy of the copy engine begins as soon as a kernel, and needs no flag of a GPU's.
    private static final double FLAG = 700;
    private static final double HOST_PER_BYTE = 1 / 45.0;
    /** Bytes under way at once where the launch chooses: windows of all blocks together. */
    private static final long WINDOWS = 1 << 20;

    private final double launch;
    private final double perByte;

    /** @param launchNanos of a launch that waits for nobody; @param gigabytesPerSecond out of one GPU */
    DeviceCostModel(double launchNanos, double gigabytesPerSecond) {
        launch = launchNanos;
        perByte = 1 / gigabytesPerSecond;
    }

    /** Nanoseconds for one call; NaN if the model does not know the algorithm. */
    double nanoseconds(Collective collective, String algorithm, int ranks, long bytes, long chunk, int share) {
        double others = Math.max(1, ranks - 1);
        double window = Math.min(chunk == 0 ? WINDOWS : chunk, bytes);
        double exchanged = exchanged(collective, ranks, bytes);
        double linked = perByte * (100 - share) / 100;
        return switch (algorithm) {
            // The bytes twice, as each 8 carry 8 of flags; an allreduce sends all of the vector to all.
            case "packets" -> launch + FLAG + 2 * perByte * (collective == Collective.ALLREDUCE ? others * bytes : exchanged);
            case "push", "pull" -> launch + 2 * FLAG + perByte * exchanged;
            case "two-shot" -> launch + 3 * FLAG + perByte * exchanged;
            case "push-two-phase" -> launch + 4 * FLAG + perByte * (exchanged + 2 * window / ranks);
            case "ring" -> launch + 2 * others * FLAG + perByte * (exchanged + window);
            case "scatter-allgather" -> launch + 3 * FLAG + perByte * (bytes + 2 * window / ranks);
            case "chain" -> launch + others * FLAG + linked * (bytes + (others - 1) * window);
            case "copy-engine" -> launch + linked * bytes;
            case "staged" -> 2 * launch + HOST_PER_BYTE * exchanged;
            default -> Double.NaN;
        };
    }

    /** Bytes that leave or enter the busiest rank if everyone sends straight to where the bytes belong. */
    private static double exchanged(Collective collective, int ranks, long bytes) {
        double others = Math.max(1, ranks - 1);
        return switch (collective) {
            case BARRIER -> 0;
            case ALLREDUCE -> 2 * others / ranks * bytes;
            case ALLGATHERV, REDUCE_SCATTER -> others / ranks * bytes;
            default -> others * bytes;
        };
    }
}
