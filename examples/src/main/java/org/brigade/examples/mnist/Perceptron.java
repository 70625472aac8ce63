package org.brigade.examples.mnist;

import java.util.Random;

/**
 * A network of one hidden layer: scores = V tanh(W x + w) + v, the loss is the cross entropy of their softmax. All
 * parameters lie in one array, and so does the gradient:
 *
 * <pre>
 *   0              784 h        785 h         795 h     795 h + 10
 *   +--------------+------------+-------------+---------+
 *   | W, by hidden | w          | V, by class | v       |        h = HIDDEN
 *   +--------------+------------+-------------+---------+
 * </pre>
 *
 * Every sum is written out in a fixed order and the functions are StrictMath's, so that the same picture gives the same
 * bits on every machine.
 */
final class Perceptron {
    static final int HIDDEN = 32;
    /** Length of the parameter array. */
    static final int PARAMETERS = HIDDEN * (Digits.PIXELS + 1) + Digits.CLASSES * (HIDDEN + 1);

    private static final int HIDDEN_BIAS = HIDDEN * Digits.PIXELS;
    private static final int OUTPUT = HIDDEN_BIAS + HIDDEN;
    private static final int OUTPUT_BIAS = OUTPUT + Digits.CLASSES * HIDDEN;

    final double[] parameters = new double[PARAMETERS];
    private final double[] hidden = new double[HIDDEN];
    private final double[] scores = new double[Digits.CLASSES];

    /** Small random weights, the same on every rank. */
    Perceptron() {
        Random random = new Random(28);
        for (int i = 0; i < HIDDEN_BIAS; i++) {
            parameters[i] = random.nextGaussian() * 0.05;
        }
        for (int i = OUTPUT; i < OUTPUT_BIAS; i++) {
            parameters[i] = random.nextGaussian() * 0.2;
        }
    }

    /** Adds the gradient of the loss of one picture to {@code gradient}; returns that loss. */
    double addGradient(double[] picture, int label, double[] gradient) {
        forward(picture);
        double greatest = scores[0];
        for (double score : scores) {
            greatest = Math.max(greatest, score);
        }
        double sum = 0;
        for (double score : scores) {
            sum += StrictMath.exp(score - greatest);
        }
        double loss = StrictMath.log(sum) - (scores[label] - greatest);
        for (int c = 0; c < Digits.CLASSES; c++) {
            scores[c] = StrictMath.exp(scores[c] - greatest) / sum - (c == label ? 1 : 0);
        }
        for (int h = 0; h < HIDDEN; h++) {
            double back = 0;
            for (int c = 0; c < Digits.CLASSES; c++) {
                back += scores[c] * parameters[OUTPUT + c * HIDDEN + h];
                gradient[OUTPUT + c * HIDDEN + h] += scores[c] * hidden[h];
            }
            double slope = back * (1 - hidden[h] * hidden[h]);
            int row = h * Digits.PIXELS;
            for (int p = 0; p < Digits.PIXELS; p++) {
                gradient[row + p] += slope * picture[p];
            }
            gradient[HIDDEN_BIAS + h] += slope;
        }
        for (int c = 0; c < Digits.CLASSES; c++) {
            gradient[OUTPUT_BIAS + c] += scores[c];
        }
        return loss;
    }

    /** The most likely digit. */
    int classify(double[] picture) {
        forward(picture);
        int best = 0;
        for (int c = 1; c < Digits.CLASSES; c++) {
            if (scores[c] > scores[best]) {
                best = c;
            }
        }
        return best;
    }

    /** One step down the gradient. */
    void descend(double[] gradient, double rate) {
        for (int i = 0; i < PARAMETERS; i++) {
            parameters[i] -= rate * gradient[i];
        }
    }

    private void forward(double[] picture) {
        for (int h = 0; h < HIDDEN; h++) {
            double sum = parameters[HIDDEN_BIAS + h];
            int row = h * Digits.PIXELS;
            for (int p = 0; p < Digits.PIXELS; p++) {
                sum += parameters[row + p] * picture[p];
            }
            hidden[h] = StrictMath.tanh(sum);
        }
        for (int c = 0; c < Digits.CLASSES; c++) {
            double sum = parameters[OUTPUT_BIAS + c];
            for (int h = 0; h < HIDDEN; h++) {
                sum += parameters[OUTPUT + c * HIDDEN + h] * hidden[h];
            }
            scores[c] = sum;
        }
    }
}
