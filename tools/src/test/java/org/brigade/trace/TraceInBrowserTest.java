package org.brigade.trace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.browser.HeadlessBrowser;
import org.brigade.simulate.wiring.NamedWirings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The picture of a trace as a browser draws it, if Chromium or Chrome is installed. */
@Timeout(300)
@Tag("once")
@Tag("slow")
class TraceInBrowserTest {
    @TempDir
    Path folder;

    @Test
    void waitsAndWorkAreSeen() throws Exception {
        Path page = Files.writeString(folder.resolve("trace.svg"),
            TracePicture.draw(InventedTrace.make(), "ideal:3", NamedWirings.find("ideal:3")));
        BufferedImage picture = HeadlessBrowser.draw(page, folder, 1100, 400);
        int row = 15 * 1000 / 10; // pixels of one rank's row for a millisecond, about
        int waits = HeadlessBrowser.pixels(picture, 0xd55e00);
        int work = HeadlessBrowser.pixels(picture, 0xdfe7dc);
        assertTrue(waits > 10 * row / 2, "13.6 ms of waits are " + waits + " pixels");
        assertTrue(work > 8 * row / 2, "rank 2's work alone is 9 ms: " + work + " pixels");
    }
}
