package org.brigade.examples.mnist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Files as examples/get-mnist.sh gets them. */
final class MadeUpDigits {
    private MadeUpDigits() {
    }

    /** A handful of blurred patterns for each digit, in the format of the npm package. */
    static void write(Path directory, int each) throws IOException {
        Random random = new Random(3);
        for (int digit = 0; digit < Digits.CLASSES; digit++) {
            StringBuilder json = new StringBuilder("{ \"data\": [");
            for (int i = 0; i < each * Digits.PIXELS; i++) {
                boolean ink = (i % Digits.PIXELS) * (digit + 3) % 31 < 9;
                json.append(i == 0 ? "" : ",").append(ink ? "0." + (1 + random.nextInt(999)) : "0");
            }
            Files.writeString(directory.resolve(digit + ".json"), json.append("]}"));
        }
    }
}
