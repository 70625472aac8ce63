package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A short closed tour over points: from each point to the nearest that is left, then parts are turned round as long as
 * that makes it shorter (2-opt; G. A. Croes 1958). Deterministic; the best of the tours from all first points.
 */
final class ShortTour {
    /** Lengths that differ by less are equal. */
    private static final double EQUAL = 1e-9;

    private final double[][] distances;

    private ShortTour(double[][] distances) {
        this.distances = distances;
    }

    /** The tour, beginning with point 0. @param distances [point][point], symmetric */
    static List<Integer> over(double[][] distances) {
        ShortTour tours = new ShortTour(distances);
        List<Integer> best = null;
        for (int first = 0; first < distances.length; first++) {
            List<Integer> tour = tours.improved(tours.nearest(first));
            if (best == null || tours.length(tour) < tours.length(best) * (1 - EQUAL)) {
                best = tour;
            }
        }
        Collections.rotate(best, -best.indexOf(0));
        return best;
    }

    private List<Integer> nearest(int first) {
        List<Integer> tour = new ArrayList<>(List.of(first));
        while (tour.size() < distances.length) {
            int last = tour.get(tour.size() - 1);
            int nearest = -1;
            for (int point = 0; point < distances.length; point++) {
                if (!tour.contains(point) && (nearest < 0 || distances[last][point] < distances[last][nearest])) {
                    nearest = point;
                }
            }
            tour.add(nearest);
        }
        return tour;
    }

    private List<Integer> improved(List<Integer> tour) {
        boolean shorter = true;
        while (shorter) {
            shorter = false;
            for (int from = 1; from < tour.size(); from++) {
                for (int to = from + 1; to < tour.size(); to++) {
                    List<Integer> turned = new ArrayList<>(tour);
                    Collections.reverse(turned.subList(from, to + 1));
                    if (length(turned) < length(tour) * (1 - EQUAL)) {
                        tour = turned;
                        shorter = true;
                    }
                }
            }
        }
        return tour;
    }

    private double length(List<Integer> tour) {
        double length = 0;
        for (int i = 0; i < tour.size(); i++) {
            length += distances[tour.get(i)][tour.get((i + 1) % tour.size())];
        }
        return length;
    }
}
