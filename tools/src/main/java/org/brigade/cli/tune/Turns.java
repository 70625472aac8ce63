package org.brigade.cli.tune;

import java.util.Arrays;

/** Times of one way divided by those of the default in the same turn: what the machine does meanwhile meets both. */
final class Turns {
    /** How many turns decide. */
    static final int COUNT = 11;
    /** Of calls so long that they differ little. */
    static final int COUNT_OF_LONG = 5;
    /** A way wins if its median is at most this part of the default's time. */
    private static final double CLEAR = 0.93;
    /** And if in three of four turns it is below this one. */
    private static final double MOSTLY = 0.97;

    private final double[] ratios;
    private double best = Double.POSITIVE_INFINITY;
    private double bestStandard = Double.POSITIVE_INFINITY;

    Turns(int count) {
        ratios = new double[count];
    }

    int count() {
        return ratios.length;
    }

    /** @param standard the default's time in the same turn */
    void set(int turn, double time, double standard) {
        ratios[turn] = time / standard;
        best = Math.min(best, time);
        bestStandard = Math.min(bestStandard, standard);
    }

    private double[] sorted() {
        double[] sorted = ratios.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    double median() {
        return sorted()[ratios.length / 2];
    }

    /**
     * Whether the way is faster beyond the noise. Its best turn must beat the default's best one, too: where other
     * programs take the cores, only the best turns tell of the ways themselves.
     */
    boolean win() {
        double[] sorted = sorted();
        return sorted[ratios.length / 2] <= CLEAR && sorted[ratios.length * 3 / 4] < MOSTLY
            && best < MOSTLY * bestStandard;
    }
}
