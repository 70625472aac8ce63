package org.brigade.cli.shared;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Whether other programs run on this machine, so that measurements mislead. */
public final class MachineLoad {
    /** Load averages below this are those of a quiet machine. */
    private static final double QUIET = 0.3;

    private MachineLoad() {
    }

    /** A sentence about what runs here; null on a quiet machine. @param what measurements do then */
    public static String complaint(String what) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load <= QUIET ? null
            : String.format(Locale.ROOT, "the load average is %.1f: other programs run here, or ran just now, and %s",
                load, what);
    }
}
