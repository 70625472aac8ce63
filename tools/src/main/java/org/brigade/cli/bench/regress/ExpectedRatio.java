package org.brigade.cli.bench.regress;

import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;

/**
 * A peer's time divided by ours.
 *
 * @param calls of a fresh process; empty for warm calls
 * @param ratio the median over the runs, each divided by its neighbour in turn
 * @param spread the interquartile range of these
 */
public record ExpectedRatio(String operation, long bytes, String calls, String peer, double ratio, double spread) {
    /** A ratio may fall by this part without being noticed. */
    static final double NOISE = 0.15;
    /** The rule, for readers. */
    public static final String RULE = "A ratio has fallen if it is below the expected one by more than 15 % and by more"
        + " than the interquartile ranges of both together, twice in a row.";

    static ExpectedRatio of(MeasuredRow row, MeasuredRow.PeerTime peer) {
        Samples ratios = peer.samples().dividedBy(row.samples());
        return new ExpectedRatio(row.row().operation(), row.row().bytes(), row.row().calls(), peer.peer(),
            ratios.median(), ratios.interquartile());
    }

    /** Whether a new measurement is worse than this, beyond the noise. */
    boolean hasFallenTo(ExpectedRatio now) {
        return now.ratio < ratio * (1 - NOISE) && now.ratio < ratio - spread - now.spread;
    }

    /** As {@link BenchRow#group}. */
    public String group() {
        return row().group();
    }

    /** As {@link BenchRow#place}. */
    public String place() {
        return row().place();
    }

    private BenchRow row() {
        return new BenchRow(operation, 1, bytes, "", 0, Double.NaN, Double.NaN, calls);
    }

    boolean isFor(ExpectedRatio other) {
        return operation.equals(other.operation) && bytes == other.bytes && calls.equals(other.calls)
            && peer.equals(other.peer);
    }
}
