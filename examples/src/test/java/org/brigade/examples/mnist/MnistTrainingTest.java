package org.brigade.examples.mnist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.brigade.examples.RealRanks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With made-up digits; examples/same-bits.sh does the same with the real ones. */
class MnistTrainingTest {
    @TempDir
    Path directory;

    private void writeDigits(int each) throws IOException {
        MadeUpDigits.write(directory, each);
    }

    @Test
    void everyLossHasTheSameBitsOn1And2And4Ranks() throws Exception {
        writeDigits(12);
        List<String> alone = RealRanks.run(1, MnistTraining.class, directory.toString(), "6");
        assertEquals(7, alone.size(), alone::toString);
        assertEquals(alone, RealRanks.run(2, MnistTraining.class, directory.toString(), "6"), "2 ranks");
        assertEquals(alone, RealRanks.run(4, MnistTraining.class, directory.toString(), "6"), "4 ranks");
    }

    @Test
    void trainingLowersTheLoss() throws Exception {
        writeDigits(12);
        Digits digits = Digits.read(directory);
        Perceptron network = new Perceptron();
        double first = epoch(digits, network);
        for (int i = 0; i < 10; i++) {
            epoch(digits, network);
        }
        double later = epoch(digits, network);
        assertTrue(later < 0.5 * first, "loss " + first + " before, " + later + " after");
    }

    private static double epoch(Digits digits, Perceptron network) {
        double[] gradient = new double[Perceptron.PARAMETERS];
        double loss = 0;
        for (int i = 0; i < digits.count(); i++) {
            loss += network.addGradient(digits.picture(i), digits.label(i), gradient);
        }
        network.descend(gradient, 0.5 / digits.count());
        return loss / digits.count();
    }

    @Test
    void theGradientIsTheLossesSlope() throws Exception {
        writeDigits(1);
        Digits digits = Digits.read(directory);
        Perceptron network = new Perceptron();
        double[] gradient = new double[Perceptron.PARAMETERS];
        network.addGradient(digits.picture(0), digits.label(0), gradient);
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            int at = random.nextInt(Perceptron.PARAMETERS);
            double kept = network.parameters[at];
            double step = 1e-5;
            network.parameters[at] = kept + step;
            double above = network.addGradient(digits.picture(0), digits.label(0), new double[Perceptron.PARAMETERS]);
            network.parameters[at] = kept - step;
            double below = network.addGradient(digits.picture(0), digits.label(0), new double[Perceptron.PARAMETERS]);
            network.parameters[at] = kept;
            assertEquals((above - below) / (2 * step), gradient[at], 1e-6, "parameter " + at);
        }
    }

    @Test
    void digitsThatAreMissingOrCutShortAreNamedWithTheCure() throws Exception {
        String missing = assertThrows(IOException.class, () -> Digits.read(directory)).getMessage();
        assertTrue(missing.contains("0.json") && missing.contains("examples/get-mnist.sh"), missing);
        writeDigits(1);
        String whole = Files.readString(directory.resolve("4.json"));
        Files.writeString(directory.resolve("4.json"), whole.substring(0, whole.length() / 2));
        String cut = assertThrows(IOException.class, () -> Digits.read(directory)).getMessage();
        assertTrue(cut.contains("4.json") && cut.contains("examples/get-mnist.sh"), cut);
    }
}
