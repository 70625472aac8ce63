package org.brigade.cli.shared;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;

/**
 * Draws a bar from some time on: what ends before that shows none. The bar's own thread draws, and may draw once more
 * while another one closes it, so what comes after {@link #close} is dropped.
 */
final class LateBar extends ConsoleProgressBarConsumer {
    private final PrintStream out;
    private final long since = System.nanoTime();
    private final long nanos;
    private boolean drawn;
    private boolean closed;

    /** @param nanos after which the bar is drawn; {@link Long#MAX_VALUE}: never */
    LateBar(PrintStream out, int width, long nanos) {
        super(out, width);
        this.out = out;
        this.nanos = nanos;
    }

    @Override
    public synchronized void accept(String bar) {
        if (!closed && System.nanoTime() - since >= nanos) {
            drawn = true;
            super.accept(bar);
        }
    }

    /** Removes the bar from its line; it is drawn again when it moves. */
    synchronized void erase() {
        if (drawn) {
            out.print("\r" + " ".repeat(getMaxRenderedLength()) + "\r");
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            erase();
            closed = true;
        }
    }
}
