package org.brigade.transport.shm;

import java.io.IOException;
import java.nio.file.Path;
import mpi.ErrorClass;
import org.brigade.select.Settings;
import org.brigade.setting.Portable;
import org.brigade.setting.Setting;

/**
 * The user's settings for the segment.
 *
 * @param segment {@code brigade.shm.segment}: the most bytes of the whole segment, as 32M or 65536K or 1G; null for the
 * default
 * @param timeoutMillis {@code brigade.init.timeout}, which is in seconds: how long ranks wait for each other at Init
 */
public record SegmentSettings(String segment, long timeoutMillis) {
    private static final int MIB = 1 << 20;

    /** The settings of this process. */
    public static SegmentSettings ofThisProcess() {
        return new SegmentSettings(Settings.ofThisProcess().get("shm.segment"), 1000 * Setting.number("init.timeout"));
    }

    /** The layout for so many ranks; null if the size set is too small for them. */
    SegmentDescriptor layout(int ranks) {
        return segment == null ? SegmentDescriptor.forRanks(ranks) : SegmentDescriptor.forRanks(ranks, budget());
    }

    /** What is wrong if {@link #layout} gives none. */
    String tooSmall(int ranks) {
        return "brigade.shm.segment=" + segment + " is too small: " + ranks + " ranks need "
            + mebibytes(SegmentDescriptor.smallest(ranks).bytes()) + "M; set it to that or more, or leave it out";
    }

    /** What is wrong if a segment cannot be made in a directory, which has got back what it had given. */
    static String notReserved(SegmentDescriptor layout, Path directory, IOException cause) {
        long free = directory.toFile().getUsableSpace();
        if (free >= layout.bytes()) {
            return "cannot reserve " + mebibytes(layout.bytes()) + " MiB in " + directory + ": " + cause;
        }
        long smaller = SegmentDescriptor.smallest(layout.ranks()).bytes();
        return directory + " has " + free / MIB + " MiB free and this job needs " + mebibytes(layout.bytes())
            + " MiB; free some"
            + (smaller < layout.bytes() && smaller <= free
                ? ", or set brigade.shm.segment="
                    + (smaller < MIB ? (smaller + 1023) / 1024 + "K" : mebibytes(smaller) + "M")
                    + " (slower for messages over " + ChannelDescriptor.FIRST_CHUNK / 1024 + " KiB)"
                : Portable.ON ? " or set java.io.tmpdir to a folder that has more"
                    : " or make it larger (in a container with docker's --shm-size)");
    }

    private static long mebibytes(long bytes) {
        return (bytes + MIB - 1) / MIB;
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
