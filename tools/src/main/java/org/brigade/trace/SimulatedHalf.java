package org.brigade.trace;

import java.util.ArrayList;
import java.util.List;
import org.brigade.picture.Svg;
import org.brigade.schedule.code.MemoryOperation;
import org.brigade.simulate.flow.Clock;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * The simulated call beside the measured one: for straight-line code a row for each rank with its operations, as short
 * messages use no wire; for a schedule a row for each way of a rank's wire.
 */
final class SimulatedHalf implements Trace {
    private static final double SMALLEST_NAMED = 9;

    /** A stretch of a row, in picoseconds. */
    private record Stretch(int row, long from, long to, String words) {
    }

    private final Svg svg;
    private final RoutingModel wiring;
    private final double left;
    private final double top;
    private final double width;
    private final double perNano;
    private final List<Stretch> uses = new ArrayList<>();
    private final List<Stretch> works = new ArrayList<>();

    SimulatedHalf(Svg svg, RoutingModel wiring, double left, double top, double width, double nanos) {
        this.svg = svg;
        this.wiring = wiring;
        this.left = left;
        this.top = top;
        this.width = width;
        perNano = width / Math.max(1, nanos);
    }

    @Override
    public void used(int resource, long from, long to, double rate) {
        uses.add(new Stretch(resource, from, to, wiring.name(resource)));
    }

    @Override
    public void worked(int rank, MemoryOperation operation, long from, long to) {
        works.add(new Stretch(rank, from, to, operation.toString()));
    }

    /**
     * Draws what was heard.
     *
     * @param room the height of the measured half
     * @return the lower edge
     */
    double draw(double room) {
        boolean byRank = !works.isEmpty();
        List<Stretch> stretches = byRank ? works : uses;
        int[] rows = stretches.stream().mapToInt(Stretch::row).distinct().sorted().limit(TracePicture.MOST_ROWS)
            .toArray();
        double thin = rows.length == 0 ? TracePicture.ROW : Math.max(4, Math.min(TracePicture.ROW, room / rows.length));
        for (int row = 0; row < rows.length; row++) {
            double y = top + thin * row;
            String name = byRank ? "rank " + rows[row] : wiring.name(rows[row]);
            svg.rectangle(left, y + 1, width, thin - 2, TracePicture.FREE, "none", name);
            if (thin >= SMALLEST_NAMED) {
                svg.text(left - 4, y + thin - 3, Math.min(SMALLEST_NAMED, thin - 2), Svg.Anchor.END, "#444",
                    name.replace("rank", "").strip());
            }
            for (Stretch stretch : stretches) {
                if (stretch.row == rows[row]) {
                    svg.rectangle(left + Clock.seconds(stretch.from) * 1e9 * perNano, y + 1,
                        Math.max(0.5, Clock.seconds(stretch.to - stretch.from) * 1e9 * perNano), thin - 2,
                        TracePicture.CALL, "none", stretch.words);
                }
            }
        }
        return top + thin * rows.length;
    }
}
