package org.brigade.simulate;

import java.util.Arrays;
import org.brigade.simulate.flow.Clock;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * The use of a few resources over time, in a bounded number of equal stretches: when the time no longer fits, stretches
 * are joined in pairs. So it works for calls of any unknown length.
 */
public final class Timeline implements Trace {
    private static final int STRETCHES = 512;
    private static final int ABSENT = -1;

    private final RoutingModel wiring;
    private final int[] resources;
    private final int[] rows;
    /** By row and stretch: bytes. */
    private final double[][] bytes;
    private long stretch = 1;
    private long end;

    /** @param resources to listen to; a row each */
    public Timeline(RoutingModel wiring, int... resources) {
        this.wiring = wiring;
        this.resources = resources.clone();
        rows = new int[wiring.resources()];
        Arrays.fill(rows, ABSENT);
        for (int row = 0; row < resources.length; row++) {
            rows[resources[row]] = row;
        }
        bytes = new double[resources.length][STRETCHES];
    }

    @Override
    public void used(int resource, long from, long to, double rate) {
        int row = rows[resource];
        if (row == ABSENT) {
            return;
        }
        end = Math.max(end, to);
        while ((to - 1) / stretch >= STRETCHES) {
            join();
        }
        for (long at = from; at < to;) {
            int number = (int) (at / stretch);
            long until = Math.min(to, (number + 1) * stretch);
            bytes[row][number] += rate * Clock.seconds(until - at);
            at = until;
        }
    }

    private void join() {
        for (double[] row : bytes) {
            for (int i = 0; i < STRETCHES / 2; i++) {
                row[i] = row[2 * i] + row[2 * i + 1];
            }
            Arrays.fill(row, STRETCHES / 2, STRETCHES, 0);
        }
        stretch *= 2;
    }

    public int rows() {
        return resources.length;
    }

    /** The resource of a row. */
    public int resource(int row) {
        return resources[row];
    }

    /** Number of stretches up to the last event. */
    public int stretches() {
        return (int) ((end + stretch - 1) / stretch);
    }

    /** Length of a stretch in seconds. */
    public double stretchSeconds() {
        return Clock.seconds(stretch);
    }

    /** Used share of a row's capacity in a stretch, 0 to 1. */
    public double share(int row, int number) {
        return bytes[row][number] / (wiring.capacity(resources[row]) * stretchSeconds());
    }
}
