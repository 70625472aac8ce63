package org.brigade.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Event;
import jdk.jfr.EventSettings;
import jdk.jfr.FlightRecorder;
import org.brigade.setting.Setting;

/** Whether this process records its calls, and the file that {@code brigade trace} reads. */
public final class CallRecording {
    /**
     * Whether calls and stages are recorded. That is so if the JVM's flight recorder runs when MPI.Init is called
     * ({@code -XX:StartFlightRecording}), if {@code brigade.record} says so, and if the job is traced.
     */
    public static final boolean ON = isWanted();

    private static final String RECORDER = "jdk.jfr";

    private static jdk.jfr.Recording trace;

    private CallRecording() {
    }

    private static boolean isWanted() {
        return isPossible()
            && (isAsked() || setting("record") == null && folder() == null && FlightRecorder.isInitialized());
    }

    /** Whether settings ask for events. */
    private static boolean isAsked() {
        return folder() != null || "on".equals(setting("record"));
    }

    /** Whether this JVM has the module jdk.jfr. */
    private static boolean isPossible() {
        return ModuleLayer.boot().findModule(RECORDER).isPresent();
    }

    /** What settings ask for and this JVM lacks, with the cure; null if it lacks nothing. */
    public static String missing() {
        return !isAsked() || isPossible() ? null
            : (folder() == null ? "brigade.record=on" : "brigade.trace")
                + " needs Java's flight recorder, and the JVM in "
                + System.getProperty("java.home") + " is without module " + RECORDER
                + "; run on a whole JDK, or add the module when you link the runtime (jlink --add-modules " + RECORDER
                + ")";
    }

    /** Where each rank leaves a file for {@code brigade trace}; null if the job is not traced. */
    public static String folder() {
        return setting("trace");
    }

    private static String setting(String key) {
        return Setting.text(key, System.getProperties(), System.getenv());
    }

    /**
     * Begins the file of a traced job's rank, which the JVM writes when the process ends.
     *
     * @throws IOException if the folder cannot be made or written to, or others can write to it
     */
    public static void begin(int rank) throws IOException {
        Path file = TraceFolder.at(Path.of(folder())).resolve("rank-" + rank + ".jfr");
        Files.deleteIfExists(file); // may be a link
        Duration threshold = Duration.ofNanos(1000 * Setting.number("trace.threshold"));
        trace = new jdk.jfr.Recording();
        enable(CollectiveEvent.class, Duration.ZERO);
        enable(MessageEvent.class, Duration.ZERO);
        enable(CommunicatorEvent.class, Duration.ZERO);
        enable(WindowEvent.class, Duration.ZERO);
        enable(ClockEvent.class, Duration.ZERO);
        enable(StageEvent.class, threshold);
        trace.enable("jdk.GarbageCollection");
        trace.setDestination(file);
        trace.setDumpOnExit(true);
        boolean interrupted = Thread.interrupted(); // with the flag set, the recorder could not write its files
        trace.start();
        restore(interrupted);
    }

    private static void enable(Class<? extends Event> kind, Duration threshold) {
        EventSettings settings = trace.enable(kind).withoutStackTrace();
        settings.withThreshold(threshold);
    }

    /** Ends the file; for a process that ends without the JVM's shutdown. Never throws. */
    public static void end() {
        jdk.jfr.Recording open = trace;
        trace = null;
        if (open != null) {
            boolean interrupted = Thread.interrupted();
            try {
                open.stop();
                open.close();
            } catch (RuntimeException lost) {
                System.err.println("brigade: the trace of this rank is lost: " + lost.getMessage());
            }
            restore(interrupted);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
