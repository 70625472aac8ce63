package org.brigade.cli.shared;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;

/** Draws a bar from some time on: what ends before that shows none. */
final class LateBar extends ConsoleProgressBarConsumer {
    private final PrintStream out;
    private final long since = System.nanoTime();
    private final long nanos;
    private volatile boolean drawn;

    /** @param nanos after which the bar is drawn; {@link Long#MAX_VALUE}: never */
    LateBar(PrintStream out, int width, long nanos) {
        super(out, width);
        this.out = out;
        this.nanos = nanos;
    }

    @Override
    public void accept(String bar) {
        if (System.nanoTime() - since >= nanos) {
            drawn = true;
            super.accept(bar);
        }
    }

    /** Removes the bar from its line; it is drawn again when it moves. */
    void erase() {
        if (drawn) {
            out.print("\r" + " ".repeat(getMaxRenderedLength()) + "\r");
        }
    }

    @Override
    public void close() {
        erase();
    }
}
