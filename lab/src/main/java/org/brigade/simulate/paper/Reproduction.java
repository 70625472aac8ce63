package org.brigade.simulate.paper;

/**
 * A result of a paper beside ours.
 *
 * @param name the quantity, in a few words without commas
 * @param source the paper and the place in it: {@code Xin et al. 2020 fig. 11}
 * @param paper the paper's result, in its words: {@code 256 KiB}
 * @param ours from our schedules, in {@code unit}
 * @param low least value that counts as the same result; NaN if no value is expected
 * @param high greatest such value
 * @param remark what the reader must know about the number; empty if nothing
 * @param ofPaper whether {@code low} and {@code high} stand for what the paper has; else they are what we expect, where
 * the paper gives no figure, or one that its own parts do not add up to
 */
public record Reproduction(String name, String source, String paper, double ours, double low, double high, String unit,
    String remark, boolean ofPaper) {
    /** A result that the paper has. */
    public Reproduction(String name, String source, String paper, double ours, double low, double high, String unit,
        String remark) {
        this(name, source, paper, ours, low, high, unit, remark, true);
    }

    /** The same, with the expectation as ours. */
    public Reproduction expectedByUs() {
        return new Reproduction(name, source, paper, ours, low, high, unit, remark, false);
    }

    /** Whether ours counts as the same result. */
    public boolean hit() {
        return ours >= low && ours <= high;
    }
}
