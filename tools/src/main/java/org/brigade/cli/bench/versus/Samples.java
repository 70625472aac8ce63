package org.brigade.cli.bench.versus;

import java.util.Arrays;
import java.util.List;

/** The same figure from several runs, in the order of the runs. */
public record Samples(List<Double> values) {
    public static final Samples NONE = new Samples(List.of());
    /** A row is unsteady if the interquartile range of its runs is more than this part of their median. */
    public static final double STEADY = 1.0 / 3;

    public static Samples of(double... values) {
        return new Samples(Arrays.stream(values).boxed().toList());
    }

    /** NaN if there is none. */
    public double median() {
        return quantile(0.5);
    }

    /** The upper quartile less the lower one; 0 for one run, NaN for none. */
    public double interquartile() {
        return quantile(0.75) - quantile(0.25);
    }

    /** Whether the runs differ so much that the machine must have changed its state in between. */
    public boolean areUnsteady() {
        return interquartile() > STEADY * median();
    }

    /** Run by run, these figures divided by others; the runs that both have. */
    public Samples dividedBy(Samples others) {
        double[] ratios = new double[Math.min(values.size(), others.values.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = values.get(i) / others.values.get(i);
        }
        return of(ratios);
    }

    /** Between two runs on a straight line. */
    private double quantile(double part) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = part * (sorted.length - 1);
        int below = (int) place;
        double above = sorted[Math.min(below + 1, sorted.length - 1)];
        return sorted[below] + (place - below) * (above - sorted[below]);
    }
}
