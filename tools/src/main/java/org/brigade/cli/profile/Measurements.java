package org.brigade.cli.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.Recording;
import org.brigade.topology.search.TransferMeter;
import org.brigade.topology.search.TransferSet;

/**
 * The measurements of a profile: kept in a recording, from which an interrupted profile goes on, counted for the bar,
 * and ended when the time is up.
 */
final class Measurements implements AutoCloseable {
    /** The time is up. */
    static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutOfTime() {
            super(null, null, false, false);
        }
    }

    private static final int MOST_WARNINGS = 3;

    private final Path file;
    private final Recording recording;
    private final TransferMeter meter;
    private final Consumer<String> lines;
    private final double seconds;
    private final double deadline;
    private final int expected;
    private int measured;
    private int warnings;

    /**
     * @param conditions in one line, all that measurements depend on
     * @param seconds after which no measurement begins
     * @param expected how many measurements there will be
     * @param lines takes lines for people, and {@code progress MEASURED EXPECTED}
     */
    Measurements(Path file, String conditions, TransferMeter meter, double seconds, int expected,
        Consumer<String> lines) {
        this.file = file;
        this.lines = lines;
        this.meter = meter;
        this.seconds = seconds;
        this.deadline = System.nanoTime() + seconds * 1e9;
        this.expected = expected;
        this.recording = open(file, conditions);
        this.measured = recording.earlier().size();
    }

    private static Recording open(Path file, String conditions) {
        try {
            return Recording.open(file, conditions);
        } catch (IOException e) {
            throw new TopologyException(
                "the recording " + file + " cannot be written (" + e + "); name another file with --recording", e);
        }
    }

    /** Measures a set before the search begins, and says how long all will take. */
    void estimate(TransferSet first) {
        int earlier = recording.earlier().size();
        long start = System.nanoTime();
        meter.bandwidth(first);
        double each = (System.nanoTime() - start) * 1e-9;
        int left = Math.max(1, expected - earlier);
        lines.accept("about " + left + " sets of transfers to measure, more where links are not alike, "
            + String.format(Locale.ROOT, "%.0f ms each: some %s, at most %s", 1000 * each, words(left * each),
                words(seconds))
            + (earlier > 0 ? "; " + earlier + " sets are known from " + file : ""));
        lines.accept("progress " + earlier + " " + expected);
    }

    private static String words(double seconds) {
        return seconds < 90 ? Math.round(Math.ceil(seconds)) + " s" : Math.round(seconds / 60) + " min";
    }

    /** What asks for measurements; knows the earlier ones. Throws {@link OutOfTime}. */
    IsomorphismCache cache(NodeLayout layout) {
        IsomorphismCache cache = new IsomorphismCache(layout, set -> {
            if (System.nanoTime() > deadline) {
                throw new OutOfTime();
            }
            return meter.bandwidth(set);
        }, (set, bandwidth) -> {
            record(set, bandwidth);
            measured++;
            lines.accept("progress " + measured + " " + Math.max(measured, expected));
        });
        recording.earlier().forEach(cache::put);
        return cache;
    }

    private void record(TransferSet set, double bandwidth) {
        try {
            recording.add(set, bandwidth);
        } catch (IOException e) {
            throw new UncheckedIOException("the recording cannot be written: " + e.getMessage()
                + "; make room, or give another file with --recording", e);
        }
    }

    /** How many there are, those of the recording included. */
    int count() {
        return measured;
    }

    /** Prints the first few warnings of a search; {@link #finish} counts the others. */
    void warn(String warning) {
        if (++warnings <= MOST_WARNINGS) {
            lines.accept("warning: " + warning);
        }
    }

    /** Says how many warnings were not printed. */
    void finish() {
        if (warnings > MOST_WARNINGS) {
            lines.accept("warning: the same for " + (warnings - MOST_WARNINGS) + " more sets");
        }
    }

    /** What to do when the time was up before anything was found. */
    void nothing() {
        lines.accept("the time was up before the first ring was found; run again to continue from "
            + file + ", or give more --time");
    }

    /** Removes the recording of a whole profile. */
    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void close() throws IOException {
        recording.close();
    }
}
