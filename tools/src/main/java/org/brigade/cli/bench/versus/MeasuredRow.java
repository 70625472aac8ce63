package org.brigade.cli.bench.versus;

import java.util.List;

/**
 * One of our times beside the peers'.
 *
 * @param row our median
 * @param samples our time in each run
 * @param peers in the order of the command line; those that have not measured this are missing
 */
public record MeasuredRow(BenchRow row, Samples samples, List<PeerTime> peers) {
    /** A peer's median and its time in each run. */
    public record PeerTime(String peer, BenchRow row, Samples samples) {
        public double microseconds() {
            return row.microseconds();
        }
    }

    /** The fastest peer; null if there is none. */
    public PeerTime best() {
        PeerTime best = null;
        for (PeerTime peer : peers) {
            best = best == null || peer.microseconds() < best.microseconds() ? peer : best;
        }
        return best;
    }

    /** The time of a peer; null if it has none. */
    public PeerTime of(String name) {
        for (PeerTime peer : peers) {
            if (peer.peer().equals(name)) {
                return peer;
            }
        }
        return null;
    }

    /** The best peer's time divided by ours; above 1 we are faster. NaN without a peer. */
    public double ratio() {
        PeerTime best = best();
        return best == null ? Double.NaN : best.microseconds() / row.microseconds();
    }

    /** Whether the runs of either side, of ours or the best peer's, differ too much to be compared. */
    public boolean isUnsteady() {
        PeerTime best = best();
        return samples.areUnsteady() || best != null && best.samples().areUnsteady();
    }
}
