package org.brigade.cli.shared;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Whether other programs run on this machine, so that measurements mislead. A load average would still count what this
 * command has run itself a minute ago.
 */
public final class MachineLoad {
    /** Processors: on a quiet machine the kernel and its services use less. */
    private static final double QUIET = 0.3;
    private static final long MILLIS = 300;
    /** The kernel counts in hundredths of a second for programs, whatever its own clock. */
    private static final double TICKS = 100;
    /** In a line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; then what user contains. */
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int KINDS = 8;

    private MachineLoad() {
    }

    /**
     * Takes 0.3 s, in which this process should do nothing.
     *
     * @param what measurements do then
     * @return a sentence about what runs here; null on a quiet machine, or if the kernel does not tell
     */
    public static String complaint(String what) {
        double others = others();
        return isQuiet(others) ? null : words(others).concat(", and ").concat(what);
    }

    /** Whether so few processors, by {@link #others}, change no measurement. */
    public static boolean isQuiet(double others) {
        return others <= QUIET;
    }

    /** For people: {@code other programs use 1.8 of 2 processors}. */
    public static String words(double others) {
        return String.format(Locale.ROOT, "other programs use %.1f of %d processors", others,
            Runtime.getRuntime().availableProcessors());
    }

    /** Processors that other processes use now, and hosts of virtual machines that have taken them; 0 if unknown. */
    public static double others() {
        long begun = System.nanoTime();
        double before = busy() - own();
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
        double after = busy() - own();
        return Math.max(0, (after - before) / ((System.nanoTime() - begun) / 1e9));
    }

    private static double own() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuTime() / 1e9 : 0;
    }

    private static double busy() {
        try {
            return busy(Files.readString(Path.of("/proc/stat"), StandardCharsets.US_ASCII));
        } catch (IOException | SecurityException unknown) {
            return 0;
        }
    }

    /** Seconds that all processors together have worked, by the text of /proc/stat; 0 if it has no such line. */
    static double busy(String stat) {
        String[] line = stat.lines().findFirst().orElse("").split(" +");
        if (!line[0].equals("cpu")) {
            return 0;
        }
        double ticks = 0;
        for (int kind = 0; kind < KINDS && kind + 1 < line.length; kind++) {
            ticks += kind == IDLE || kind == WAITING ? 0 : Double.parseDouble(line[kind + 1]);
        }
        return ticks / TICKS;
    }
}
