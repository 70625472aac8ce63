package org.brigade.cli.shared;

import java.io.PrintWriter;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far ranks have come: a bar on the error stream, between the lines that they print. */
public final class MeasuringBar implements AutoCloseable {
    private static final int WIDTH = 100;

    private final ProgressBar bar;
    private final PrintWriter out;

    /** @param unit of what is counted, after a space */
    public MeasuringBar(String done, String unit, PrintWriter out) {
        bar = open(done, unit);
        this.out = out;
    }

    /**
     * Writes to the error stream, so that standard output can be kept; without a terminal, a line now and then. The
     * width is fixed: only a terminal library could tell it.
     */
    public static ProgressBar open(String done, String unit) {
        boolean terminal = StandardStream.isTerminal(2);
        return new ProgressBarBuilder().setTaskName(done).setInitialMax(1).setUnit(unit, 1)
            .setStyle(terminal ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(terminal ? 500 : 20_000)
            .setConsumer(terminal ? new ConsoleProgressBarConsumer(System.err, WIDTH)
                : new DelegatingProgressBarConsumer(System.err::println, WIDTH))
            .build();
    }

    /** Takes a line of a rank: {@code progress 3 40} moves the bar, and any other line is printed. */
    public void take(String line) {
        long[] progress = progress(line);
        if (progress != null) {
            bar.maxHint(Math.max(progress[0], progress[1]));
            bar.stepTo(progress[0]);
            return;
        }
        bar.pause();
        if (StandardStream.isTerminal(2)) {
            System.err.print("\r" + " ".repeat(WIDTH) + "\r"); // erases the bar, which is drawn again below
        }
        out.println(line);
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
    }
}
