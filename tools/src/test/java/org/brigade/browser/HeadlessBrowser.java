package org.brigade.browser;

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

/** Chromium or Chrome without a window; a test that needs it is skipped where neither is installed. */
public final class HeadlessBrowser {
    private HeadlessBrowser() {
    }

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

    /**
     * A page as the browser draws it.
     *
     * @param folder for the browser's files
     * @param width of the window, in pixels
     */
    public static BufferedImage draw(Path page, Path folder, int width, int height, String... options)
        throws Exception {
        Path picture = folder.resolve("drawn.png");
        Path log = folder.resolve("browser.log");
        Files.deleteIfExists(picture);
        List<String> command = new ArrayList<>(List.of(browser(), "--headless", "--no-sandbox", "--disable-gpu",
            "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + folder.resolve("profile"),
            "--window-size=" + width + ","
                + height,
            "--screenshot=" + picture));
        command.addAll(List.of(options));
        command.add(page.toUri().toString());
        Process process =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        boolean ended = process.waitFor(150, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertTrue(ended && Files.exists(picture), Files.readString(log));
        return ImageIO.read(picture.toFile());
    }

    /** Pixels of one colour. */
    public static int pixels(BufferedImage picture, int colour) {
        int count = 0;
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                count += (picture.getRGB(x, y) & 0xffffff) == colour ? 1 : 0;
            }
        }
        return count;
    }
}
