package org.brigade.cli.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.junit.jupiter.api.Test;

class MeasuringBarTest {
    /** It runs on a thread of its own, which would keep what goes wrong to itself. */
    @Test
    void theBarCanBeDrawn() {
        ByteArrayOutputStream drawn = new ByteArrayOutputStream();
        LateBar line = new LateBar(new PrintStream(drawn, true, StandardCharsets.UTF_8), 60, 0);
        try (ProgressBar bar = new ProgressBarBuilder().setTaskName("measured").setInitialMax(10).setUnit(" sets", 1)
            .setStyle(ProgressBarStyle.ASCII).setConsumer(line).build()) {
            bar.stepTo(3);
            bar.refresh();
            String text = drawn.toString(StandardCharsets.UTF_8);
            assertTrue(text.contains("measured") && text.contains(" 3/10 sets"), text);
        }
        line.close();
        String text = drawn.toString(StandardCharsets.UTF_8);
        assertTrue(text.endsWith("\r" + " ".repeat(line.getMaxRenderedLength()) + "\r"), "it is erased in the end");
    }

    @Test
    void whatEndsSoonOrHasNoTerminalShowsNone() {
        ByteArrayOutputStream drawn = new ByteArrayOutputStream();
        LateBar line = new LateBar(new PrintStream(drawn), 60, Long.MAX_VALUE);
        line.accept("measured 30 %");
        line.erase();
        line.close();
        assertEquals(0, drawn.size());
    }

    @Test
    void whatIsDrawnAsItClosesIsDropped() {
        ByteArrayOutputStream drawn = new ByteArrayOutputStream();
        LateBar line = new LateBar(new PrintStream(drawn), 60, 0);
        line.accept("measured 30 %");
        line.close();
        int erased = drawn.size();
        line.accept("measured 40 %");
        assertEquals(erased, drawn.size());
    }

    @Test
    void linesOfRanksPassTheBar() {
        StringWriter out = new StringWriter();
        try (MeasuringBar bar = new MeasuringBar("measured", " sets", new PrintWriter(out))) {
            bar.take("progress 1 2");
            bar.take("bcast ranks 2");
        }
        assertEquals("bcast ranks 2" + System.lineSeparator(), out.toString());
    }

    @Test
    void timesAndProgressAreRead() {
        assertEquals(90, MeasuringBar.seconds("90s"));
        assertEquals(90, MeasuringBar.seconds("1.5m"));
        assertEquals(7200, MeasuringBar.seconds("2h"));
        assertThrows(IllegalArgumentException.class, () -> MeasuringBar.seconds("2 h"));
        assertArrayEquals(new long[] {3, 40}, MeasuringBar.progress("progress 3 40"));
        assertNull(MeasuringBar.progress("progress is slow"));
    }
}
