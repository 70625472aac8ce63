package org.brigade.select;

import java.util.List;
import org.brigade.algorithm.Algorithm;
import org.brigade.schedule.Collective;

/**
 * What the user forces for one collective, by {@code brigade.bcast.algorithm}, {@code .chunk} and {@code .radix} or by
 * environment.
 *
 * @param algorithm  null if selection is left to the table
 * @param chunkBytes 0 if not forced
 * @param radix      0 if not forced
 * @param origin     the setting that names the algorithm, as the user wrote it
 */
record Forced(Algorithm algorithm, long chunkBytes, int radix, String origin) {
    /** @throws TuningException if a value cannot be followed, naming the setting and what it may be */
    static Forced of(Collective collective, Settings settings, List<? extends Algorithm> algorithms) {
        String key = collective.key();
        String chosen = key + ".algorithm";
        String name = settings.get(chosen);
        Algorithm algorithm = null;
        if (name != null) {
            for (int i = 0; i < algorithms.size() && algorithm == null; i++) {
                if (algorithms.get(i).name().equals(name)) {
                    algorithm = algorithms.get(i);
                }
            }
            if (algorithm == null) {
                throw new TuningException(settings.origin(chosen) + " names no algorithm of " + key + "; there are: " + names(algorithms));
            }
        }
        long chunk = number(settings, key + ".chunk", 64, 1L << 40);
        long radix = number(settings, key + ".radix", 2, 1 << 20);
        return new Forced(algorithm, chunk, (int) radix, name == null ? null : settings.origin(chosen));
    }

    private static long number(Settings settings, String key, long least, long most) {
        String text = settings.get(key);
        if (text == null) {
            return 0;
        }
        long value = -1;
        try {
            value = ByteSize.parse(text);
        } catch (NumberFormatException e) {
            // said below, like a number out of bounds
        }
        if (value < least || value > most) {
            throw new TuningException(settings.origin(key) + " must be a number from " + least + " to " + ByteSize.compact(most) + ", such as "
                + (least == 2 ? "4" : "64K"));
        }
        return value;
    }

    static String names(List<? extends Algorithm> algorithms) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < algorithms.size(); i++) {
            names.append(i == 0 ? "" : ", ").append(algorithms.get(i).name());
        }
        return names.toString();
    }
}
