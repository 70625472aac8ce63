package org.brigade.cli.bench.regress;

import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;

/**
 * A peer's time divided by ours.
 *
 * @param ratio the median over the runs, each divided by its neighbour in turn
 * @param spread the interquartile range of these
 */
public record ExpectedRatio(String operation, long bytes, String peer, double ratio, double spread) {
    /** A ratio may fall by this part without being noticed. */
    static final double NOISE = 0.15;
    /** The rule, for readers. */
    public static final String RULE = "A ratio has fallen if it is below the expected one by more than 15 % and by more"
        + " than the interquartile ranges of both together, twice in a row.";

    static ExpectedRatio of(MeasuredRow row, MeasuredRow.PeerTime peer) {
        Samples ratios = peer.samples().dividedBy(row.samples());
        return new ExpectedRatio(row.row().operation(), row.row().bytes(), peer.peer(), ratios.median(),
            ratios.interquartile());
    }

    /** Whether a new measurement is worse than this, beyond the noise. */
    boolean hasFallenTo(ExpectedRatio now) {
        return now.ratio < ratio * (1 - NOISE) && now.ratio < ratio - spread - now.spread;
    }

    boolean isFor(ExpectedRatio other) {
        return operation.equals(other.operation) && bytes == other.bytes && peer.equals(other.peer);
    }
}
