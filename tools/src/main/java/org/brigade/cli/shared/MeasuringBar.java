package org.brigade.cli.shared;

import java.io.PrintWriter;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far something has come that takes longer than two seconds: a bar on the error stream, between the lines
 * that are printed meanwhile. Only on a terminal: a pipe or a file gets none.
 */
public final class MeasuringBar implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final long LATE = 2_000_000_000;

    private final LateBar line = new LateBar(System.err, WIDTH, StandardStream.isTerminal(2) ? LATE : Long.MAX_VALUE);
    private final ProgressBar bar;
    private final PrintWriter out;

    /**
     * The width is fixed: only a terminal library could tell it.
     *
     * @param unit of what is counted, after a space
     */
    public MeasuringBar(String done, String unit, PrintWriter out) {
        this.out = out;
        this.bar = new ProgressBarBuilder().setTaskName(done).setInitialMax(1).setUnit(unit, 1)
            .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BLOCK).setUpdateIntervalMillis(500).setConsumer(line).build();
    }

    /** Moves the bar. */
    public void at(long done, long all) {
        bar.maxHint(Math.max(done, all));
        bar.stepTo(done);
    }

    /** Takes a line of a rank: {@code progress 3 40} moves the bar, and any other line is printed. */
    public void take(String text) {
        long[] progress = progress(text);
        if (progress != null) {
            at(progress[0], progress[1]);
        } else {
            between(() -> out.println(text));
        }
    }

    /** Prints something where the bar stands, which then moves on. */
    public void between(Runnable print) {
        bar.pause();
        line.erase();
        print.run();
        out.flush();
        bar.resume();
    }

    /** The two numbers of {@code progress 3 40}; null for any other line. */
    static long[] progress(String line) {
        return line.matches("progress \\d{1,9} \\d{1,9}")
            ? IntStream.of(1, 2).mapToLong(word -> Long.parseLong(line.split(" ")[word])).toArray() : null;
    }

    /**
     * Seconds of {@code 90s}, {@code 10m} or {@code 2h}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static double seconds(String time) {
        if (!time.matches("\\d{1,6}(\\.\\d{1,3})?[smh]")) {
            throw new IllegalArgumentException("--time " + time + " is not a time; write 90s, 10m or 2h");
        }
        double number = Double.parseDouble(time.substring(0, time.length() - 1));
        return number * (time.endsWith("s") ? 1 : time.endsWith("m") ? 60 : 3600);
    }

    @Override
    public void close() {
        bar.close();
        line.close(); // a bar whose thread has not begun yet does not
    }
}
