package org.brigade.bootstrap;

import java.io.IOException;
import java.io.InputStream;

/**
 * Identifies this build of Brigade. Ranks that share no memory may have been started with different builds, whose
 * schedules need not match.
 */
public final class Build {
    private static final int DIGITS = 16;
    private static final int RADIX = 16;

    private Build() {
    }

    /**
     * A number that depends on the content of Brigade's classes only: the beginning of a checksum that Maven makes of
     * them and packs beside them. So it is the same in each application's jar that Brigade is packed into. 0 if Brigade
     * does not come from a jar.
     */
    public static long fingerprint() {
        try (InputStream in = Build.class.getResourceAsStream("build")) {
            return in == null ? 0 : of(in.readNBytes(DIGITS));
        } catch (IOException unreadable) {
            return 0;
        }
    }

    /** The number that 16 hexadecimal digits say; 0 of anything else. */
    static long of(byte[] digits) {
        long number = 0;
        for (byte each : digits) {
            int digit = Character.digit(each, RADIX);
            if (digit < 0) {
                return 0;
            }
            number = number * RADIX + digit;
        }
        return digits.length == DIGITS ? number : 0;
    }
}
