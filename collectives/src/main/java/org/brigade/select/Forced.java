package org.brigade.select;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;

/**
 * What the user forces for one collective, by properties {@code brigade.bcast.algorithm}, {@code .chunk} and
 * {@code .radix}, on device memory {@code brigade.bcast.device.algorithm}, {@code .chunk}, {@code .blocks} and
 * {@code .share}, or by environment variables.
 *
 * @param algorithm null if selection is left to the table
 * @param chunkBytes 0 if not forced
 * @param radix 0 if not forced
 * @param blocks 0 if not forced
 * @param sharePercent -1 if not forced
 * @param origin the setting that names the algorithm, as the user wrote it
 */
record Forced(Algorithm algorithm, long chunkBytes, int radix, int blocks, int sharePercent, String origin) {
    /** @throws TuningException if a value cannot be followed; names the setting and its possible values */
    static Forced of(MemorySpace space, Collective collective, Settings settings,
        List<? extends Algorithm> algorithms) {
        String chosen = space.key(collective, "algorithm");
        String name = settings.get(chosen);
        Algorithm algorithm = null;
        if (name != null) {
            for (int i = 0; i < algorithms.size() && algorithm == null; i++) {
                if (algorithms.get(i).name().equals(name)) {
                    algorithm = algorithms.get(i);
                }
            }
            if (algorithm == null) {
                throw new TuningException(settings.origin(chosen) + " names no algorithm of " + collective.key()
                    + (space == MemorySpace.DEVICE ? " on device memory" : "") + "; there are: " + names(algorithms));
            }
        }
        boolean device = space == MemorySpace.DEVICE;
        long chunk =
            settings.number(space.key(collective, "chunk"), TuningRule.LEAST_CHUNK, TuningRule.MOST_CHUNK, "64K", 0);
        long radix = device ? 0 : settings.number(space.key(collective, "radix"), 2, TuningRule.MOST_RADIX, "4", 0);
        long blocks = device ? settings.number(space.key(collective, "blocks"), 1, TuningRule.MOST_BLOCKS, "32", 0) : 0;
        long share = device ? settings.number(space.key(collective, "share"), 0, TuningRule.MOST_SHARE, "10", -1) : -1;
        return new Forced(algorithm, chunk, (int) radix, (int) blocks, (int) share,
            name == null ? null : settings.origin(chosen));
    }

    static String names(List<? extends Algorithm> algorithms) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < algorithms.size(); i++) {
            names.append(i == 0 ? "" : ", ").append(algorithms.get(i).name());
        }
        return names.toString();
    }
}
