package org.brigade.select.trial;

import java.util.ArrayList;
import java.util.List;

/**
 * What was found for a class of calls.
 *
 * @param bytes of the calls in which it was measured
 * @param kept the way that was fastest, by more than the noise
 * @param tried all ways, the shipped one first
 */
public record MeasuredWay(SizeClass where, long bytes, Way kept, List<Tried> tried) {
    private static final String BETWEEN = " | ";

    /** @param nanos median of the slowest rank's times; of one that was far slower, its best */
    public record Tried(Way way, long nanos) {
    }

    /** The line of a file; null if it is none, or says what no measurement of this version would. */
    public static MeasuredWay parse(String line) {
        String[] parts = line.split(" \\| ", -1);
        SizeClass where = parts.length < 4 ? null : SizeClass.parse(parts[0], wayOf(parts[3]));
        if (where == null) {
            return null;
        }
        List<Tried> tried = new ArrayList<>();
        try {
            long bytes = Long.parseLong(parts[1]);
            Way kept = Way.parse(where.collective(), parts[2]);
            boolean found = false;
            for (int i = 3; i < parts.length; i++) {
                Way way = Way.parse(where.collective(), wayOf(parts[i]));
                long nanos = Long.parseLong(parts[i].substring(parts[i].lastIndexOf(' ') + 1));
                if (way == null || nanos < 1) {
                    return null;
                }
                found |= way.equals(kept);
                tried.add(new Tried(way, nanos));
            }
            boolean sound = found && bytes >> where.octave() == 1
                && (where.anyOrder() || SameBits.among(where.shipped().algorithm(), kept.algorithm()));
            return sound ? new MeasuredWay(where, bytes, kept, List.copyOf(tried)) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String wayOf(String part) {
        return part.substring(0, Math.max(0, part.lastIndexOf(' ')));
    }

    /** The nanoseconds of one of the ways that were tried. */
    public long nanos(Way way) {
        for (Tried each : tried) {
            if (each.way().equals(way)) {
                return each.nanos();
            }
        }
        throw new IllegalArgumentException(way + " was not tried");
    }

    /** For files. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(where.toString()).append(BETWEEN).append(bytes).append(BETWEEN)
            .append(kept);
        for (Tried each : tried) {
            text.append(BETWEEN).append(each.way()).append(' ').append(each.nanos());
        }
        return text.toString();
    }
}
