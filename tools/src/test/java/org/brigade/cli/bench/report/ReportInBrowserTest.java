package org.brigade.cli.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.browser.HeadlessBrowser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page as a browser draws it, light and dark, if Chromium or Chrome is installed. */
@Timeout(300)
@Tag("once")
@Tag("slow")
class ReportInBrowserTest {
    private static final int WIDTH = 1220;
    private static final int HEIGHT = 1400;
    /** Of Brigade and the first three peers, on any ground. */
    private static final int[] CURVES = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7};

    @TempDir
    Path folder;

    private BufferedImage drawn(String... options) throws Exception {
        Path page = Files.writeString(folder.resolve("here.html"), InventedReport.make().text(Path.of("here.html")));
        return HeadlessBrowser.draw(page, folder, WIDTH, HEIGHT, options);
    }

    private static void hasItsCurvesOn(int ground, BufferedImage picture) {
        assertEquals(Integer.toHexString(ground), Integer.toHexString(picture.getRGB(2, 2) & 0xffffff));
        assertTrue(HeadlessBrowser.pixels(picture, ground) > WIDTH * HEIGHT / 2,
            "text and curves leave most of the page empty");
        for (int colour : CURVES) {
            assertTrue(HeadlessBrowser.pixels(picture, colour) > 500,
                "the curve of colour " + Integer.toHexString(colour));
        }
    }

    @Test
    void curvesStandOnWhitePaperAndOnDark() throws Exception {
        hasItsCurvesOn(0xffffff, drawn());
        hasItsCurvesOn(0x0f1318, drawn("--blink-settings=preferredColorScheme=0"));
    }
}
