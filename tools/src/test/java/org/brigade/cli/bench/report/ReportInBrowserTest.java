package org.brigade.cli.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page as a browser draws it, light and dark, if Chromium or Chrome is installed. */
@Timeout(200)
@Tag("once")
@Tag("slow")
class ReportInBrowserTest {
    private static final int WIDTH = 1220;
    private static final int HEIGHT = 1400;
    /** Of Brigade and the first three peers, on any ground. */
    private static final int[] CURVES = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7};

    @TempDir
    Path folder;

    private static String browser() {
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            for (String place : System.getenv("PATH").split(File.pathSeparator)) {
                if (new File(place, name).canExecute()) {
                    return new File(place, name).toString();
                }
            }
        }
        Assumptions.abort("no Chromium or Chrome is installed");
        return null;
    }

    private BufferedImage drawn(String... options) throws Exception {
        Path page = Files.writeString(folder.resolve("here.html"), InventedReport.make().text(Path.of("here.html")));
        Path picture = folder.resolve("here.png");
        List<String> command = new ArrayList<>(List.of(browser(), "--headless", "--no-sandbox", "--disable-gpu",
            "--hide-scrollbars", "--user-data-dir=" + folder.resolve("profile"),
            "--window-size=" + WIDTH + "," + HEIGHT,
            "--screenshot=" + picture));
        command.addAll(List.of(options));
        command.add(page.toUri().toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile()).start();
        boolean ended = process.waitFor(100, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertTrue(ended && Files.exists(picture), Files.readString(folder.resolve("log")));
        return ImageIO.read(picture.toFile());
    }

    private static int pixels(BufferedImage picture, int colour) {
        int count = 0;
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                count += (picture.getRGB(x, y) & 0xffffff) == colour ? 1 : 0;
            }
        }
        return count;
    }

    private static void hasItsCurvesOn(int ground, BufferedImage picture) {
        assertEquals(Integer.toHexString(ground), Integer.toHexString(picture.getRGB(2, 2) & 0xffffff));
        assertTrue(pixels(picture, ground) > WIDTH * HEIGHT / 2, "text and curves leave most of the page empty");
        for (int colour : CURVES) {
            assertTrue(pixels(picture, colour) > 500, "the curve of colour " + Integer.toHexString(colour));
        }
    }

    @Test
    void curvesStandOnWhitePaperAndOnDark() throws Exception {
        hasItsCurvesOn(0xffffff, drawn());
        hasItsCurvesOn(0x0f1318, drawn("--blink-settings=preferredColorScheme=0"));
    }
}
