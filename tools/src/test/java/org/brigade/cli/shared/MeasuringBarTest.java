package org.brigade.cli.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import me.tongfei.progressbar.ProgressBar;
import org.junit.jupiter.api.Test;

class MeasuringBarTest {
    /** It runs on a thread of its own, which would keep what goes wrong to itself. */
    @Test
    void theBarCanBeDrawn() {
        try (ProgressBar bar = MeasuringBar.open("measured", " sets")) {
            bar.maxHint(10);
            bar.stepTo(3);
            bar.refresh();
            assertEquals(0.3, bar.getNormalizedProgress(), 1e-9);
        }
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
