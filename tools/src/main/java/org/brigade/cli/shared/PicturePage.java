package org.brigade.cli.shared;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.picture.Picture;
import org.brigade.picture.Svg;

/** A page of pictures, two in a row: what the option {@code --picture} writes. */
public final class PicturePage {
    private static final double WIDTH = 560;
    private static final double HEIGHT = 340;
    private static final double MARGIN = 20;

    private PicturePage() {
    }

    /** @throws BenchException if the file cannot be written */
    public static void write(List<Picture> pictures, Path page) {
        int rows = (pictures.size() + 1) / 2;
        Svg svg = new Svg(2 * WIDTH + 3 * MARGIN, rows * (HEIGHT + MARGIN) + MARGIN);
        for (int i = 0; i < pictures.size(); i++) {
            svg.move(MARGIN + i % 2 * (WIDTH + MARGIN), MARGIN + i / 2 * (HEIGHT + MARGIN));
            pictures.get(i).draw(svg, WIDTH, HEIGHT);
            svg.end();
        }
        try {
            Files.writeString(page, svg.toString());
        } catch (IOException e) {
            throw new BenchException("--picture: " + page + " cannot be written (" + e
                + "); name a file in a directory that you may write to");
        }
    }
}
