package org.brigade.simulate.paper;

/**
 * A result of a paper beside ours.
 *
 * @param name what was found, in a few words without commas
 * @param source the paper and the place in it: {@code Xin et al. 2020 fig. 11}
 * @param paper what the paper says, in its words: {@code 256 KiB}
 * @param ours from our schedules, in {@code unit}
 * @param low least value that counts as the same result; NaN where the issue is what comes out
 * @param high most
 * @param remark what one has to know to read the number; empty if nothing
 */
public record Reproduction(String name, String source, String paper, double ours, double low, double high, String unit,
    String remark) {
    /** Whether ours is within what counts as the same. */
    public boolean hit() {
        return ours >= low && ours <= high;
    }
}
