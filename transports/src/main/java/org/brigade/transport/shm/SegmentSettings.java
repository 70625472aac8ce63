package org.brigade.transport.shm;

import mpi.ErrorClass;
import org.brigade.select.Settings;
import org.brigade.setting.Setting;

/**
 * The user's settings for the segment.
 *
 * @param segment {@code brigade.shm.segment}: the most bytes of the whole segment, as 32M or 65536K or 1G; null for the
 * default
 * @param timeoutMillis {@code brigade.init.timeout}, which is in seconds: how long ranks wait for each other at Init
 */
public record SegmentSettings(String segment, long timeoutMillis) {
    /** The settings of this process. */
    public static SegmentSettings ofThisProcess() {
        return new SegmentSettings(Settings.ofThisProcess().get("shm.segment"), 1000 * Setting.number("init.timeout"));
    }

    /** The layout for so many ranks; null if the size set is too small for them. */
    SegmentDescriptor layout(int ranks) {
        return segment == null ? SegmentDescriptor.forRanks(ranks) : SegmentDescriptor.forRanks(ranks, budget());
    }

    private long budget() {
        int digits = 0;
        while (digits < segment.length() && Character.isDigit(segment.charAt(digits))) {
            digits++;
        }
        int shift = switch (segment.substring(digits)) {
            case "" -> 0;
            case "K", "k" -> 10;
            case "M", "m" -> 20;
            case "G", "g" -> 30;
            default -> -1;
        };
        if (shift < 0 || digits == 0 || digits > 10) {
            throw ErrorClass.OTHER.in("Init",
                "brigade.shm.segment=" + segment + " is not a size; write it like 32M (K, M and G are 1024-fold)");
        }
        return Long.parseLong(segment, 0, digits, 10) << shift;
    }
}
