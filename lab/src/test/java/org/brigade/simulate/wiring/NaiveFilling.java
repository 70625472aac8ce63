package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;

/** Progressive filling as it is defined, without regard to time: what {@link FairShare} is held against. */
public final class NaiveFilling {
    private static final double ALIKE = 1e-9;

    private NaiveFilling() {
    }

    public static double[] rates(RoutingModel wiring, Route... routes) {
        double[] rates = new double[routes.length];
        boolean[] fixed = new boolean[routes.length];
        for (int left = routes.length; left > 0;) {
            double level = Double.POSITIVE_INFINITY;
            for (int i = 0; i < routes.length; i++) {
                if (!fixed[i]) {
                    level = Math.min(level, routes[i].most());
                }
            }
            double[] levels = new double[wiring.resources()];
            for (int resource = 0; resource < levels.length; resource++) {
                double free = wiring.capacity(resource);
                double load = 0;
                for (int i = 0; i < routes.length; i++) {
                    free -= fixed[i] ? rates[i] * weight(routes[i], resource) : 0;
                    load += fixed[i] ? 0 : weight(routes[i], resource);
                }
                levels[resource] = load > 0 ? free / load : Double.POSITIVE_INFINITY;
                level = Math.min(level, levels[resource]);
            }
            boolean[] stops = new boolean[routes.length];
            for (int i = 0; i < routes.length; i++) {
                stops[i] = !fixed[i] && routes[i].most() <= level * (1 + ALIKE);
                for (int resource : routes[i].resources()) {
                    stops[i] |= !fixed[i] && levels[resource] <= level * (1 + ALIKE);
                }
            }
            for (int i = 0; i < routes.length; i++) {
                if (stops[i]) {
                    fixed[i] = true;
                    rates[i] = level;
                    left--;
                }
            }
        }
        return rates;
    }

    static double weight(Route route, int resource) {
        double sum = 0;
        for (int i = 0; i < route.resources().length; i++) {
            sum += route.resources()[i] == resource ? route.weights()[i] : 0;
        }
        return sum;
    }

    /** Bytes/s of a resource that all together use. */
    static double used(int resource, double[] rates, Route... routes) {
        double sum = 0;
        for (int i = 0; i < routes.length; i++) {
            sum += rates[i] * weight(routes[i], resource);
        }
        return sum;
    }

    static String show(Route... routes) {
        StringBuilder text = new StringBuilder();
        for (Route route : routes) {
            text.append(Arrays.toString(route.resources())).append(Arrays.toString(route.weights())).append(" at most ")
                .append(route.most()).append("; ");
        }
        return text.toString();
    }
}
