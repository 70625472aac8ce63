package org.brigade.simulate.wiring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.simulate.wiring.Route;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("calculation")
@net.jqwik.api.Tag("calculation")
class FairShareTest {
    private static final double CLOSE = 1e-7;

    /**
     * Transfers and what they share, of the sizes and ties that break a solver: few capacities, so that many are used
     * up at once.
     */
    private static final class Problem {
        final SharedResources wiring;
        final Route[] routes;

        Problem(long seed, int resources, int transfers) {
            Random random = new Random(seed);
            double[] capacities = new double[resources];
            for (int i = 0; i < resources; i++) {
                capacities[i] = random.nextBoolean() ? 1 + random.nextInt(4) : 0.1 + 10 * random.nextDouble();
            }
            wiring = new SharedResources(capacities);
            routes = new Route[transfers];
            for (int i = 0; i < transfers; i++) {
                int[] on = random.ints(0, resources).limit(1 + random.nextInt(4)).toArray();
                double[] weights =
                    random.doubles().limit(on.length).map(x -> random.nextBoolean() ? 1 : 0.25 + 3 * x).toArray();
                routes[i] = new Route(on, weights,
                    random.nextInt(3) > 0 ? Double.POSITIVE_INFINITY : 0.05 + 3 * random.nextDouble(), 0, 0);
            }
        }
    }

    @Property(tries = 3000)
    void ratesAreThoseOfProgressiveFilling(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int resources,
        @ForAll @IntRange(min = 1, max = 14) int transfers) {
        Problem problem = new Problem(seed, resources, transfers);
        double[] expected = NaiveFilling.rates(problem.wiring, problem.routes);
        double[] rates = FairShare.rates(problem.wiring, problem.routes);
        for (int i = 0; i < rates.length; i++) {
            assertEquals(expected[i], rates[i], CLOSE * expected[i],
                "transfer " + i + " of " + NaiveFilling.show(problem.routes));
        }
    }

    @Property(tries = 2000)
    void noResourceIsOverused(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int resources,
        @ForAll @IntRange(min = 1, max = 20) int transfers) {
        Problem problem = new Problem(seed, resources, transfers);
        double[] rates = FairShare.rates(problem.wiring, problem.routes);
        for (int resource = 0; resource < resources; resource++) {
            double used = NaiveFilling.used(resource, rates, problem.routes);
            assertTrue(used <= problem.wiring.capacity(resource) * (1 + CLOSE),
                "resource " + resource + " carries " + used + " of " + problem.wiring.capacity(resource));
        }
    }

    @Property(tries = 2000)
    void everyTransferHasABottleneck(@ForAll long seed, @ForAll @IntRange(min = 1, max = 9) int resources,
        @ForAll @IntRange(min = 1, max = 20) int transfers) {
        Problem problem = new Problem(seed, resources, transfers);
        double[] rates = FairShare.rates(problem.wiring, problem.routes);
        for (int i = 0; i < transfers; i++) {
            boolean limited = rates[i] >= problem.routes[i].most() * (1 - CLOSE);
            for (int resource : problem.routes[i].resources()) {
                boolean full = NaiveFilling.used(resource, rates, problem.routes) >= problem.wiring.capacity(resource)
                    * (1 - CLOSE);
                boolean fastest = true;
                for (int other = 0; other < transfers; other++) {
                    fastest &= NaiveFilling.weight(problem.routes[other], resource) == 0
                        || rates[other] <= rates[i] * (1 + CLOSE);
                }
                limited |= full && fastest;
            }
            assertTrue(limited, "transfer " + i + " could go faster: " + NaiveFilling.show(problem.routes));
        }
    }

    @Property(tries = 1000)
    void theOrderOfTransfersDoesNotMatter(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int resources,
        @ForAll @IntRange(min = 2, max = 12) int transfers) {
        Problem problem = new Problem(seed, resources, transfers);
        double[] rates = FairShare.rates(problem.wiring, problem.routes);
        Route[] turned = new Route[transfers];
        for (int i = 0; i < transfers; i++) {
            turned[i] = problem.routes[transfers - 1 - i];
        }
        double[] again = FairShare.rates(problem.wiring, turned);
        for (int i = 0; i < transfers; i++) {
            assertEquals(rates[i], again[transfers - 1 - i], 1e-9 * rates[i]);
        }
        assertArrayEquals(rates, FairShare.rates(problem.wiring, problem.routes),
            "the same problem twice, to the last bit");
    }

    @Test
    void halfDuplexIsSharedByBothDirectionsAndFullDuplexIsNot() {
        SharedResources wiring = new SharedResources(10, 10, 10);
        Route there = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0);
        Route back = Route.through(Double.POSITIVE_INFINITY, 0, 0, 1);
        assertArrayEquals(new double[] {10, 10}, FairShare.rates(wiring, there, back));
        Route either = Route.through(Double.POSITIVE_INFINITY, 0, 0, 2);
        assertArrayEquals(new double[] {5, 5}, FairShare.rates(wiring, either, either));
    }

    @Test
    void whatOneCannotUseTheOthersGet() {
        SharedResources wiring = new SharedResources(12);
        Route free = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0);
        assertArrayEquals(new double[] {2, 5, 5}, FairShare.rates(wiring, Route.through(2, 0, 0, 0), free, free),
            1e-12);
        Route twice = new Route(new int[] {0}, new double[] {2}, Double.POSITIVE_INFINITY, 0, 0);
        assertArrayEquals(new double[] {4, 4}, FairShare.rates(wiring, twice, free), 1e-12,
            "one uses two bytes of it for each of its own");
        assertArrayEquals(new double[] {4, 4},
            FairShare.rates(wiring, Route.through(Double.POSITIVE_INFINITY, 0, 0, 0, 0), free), 1e-12,
            "the same, named twice");
    }

    @Test
    void aCrowdedResourceHasLessForAll() {
        SharedResources wiring = new SharedResources(30, 100).crowd(0, 2, 0.5);
        Route free = Route.through(10, 0, 0, 0, 1);
        assertArrayEquals(new double[] {10, 10}, FairShare.rates(wiring, free, free));
        assertArrayEquals(new double[] {5, 5, 5}, FairShare.rates(wiring, free, free, free));
        assertArrayEquals(new double[] {2, 5, 5, 3},
            FairShare.rates(wiring, Route.through(2, 0, 0, 0), free, free, Route.through(3, 0, 0, 0)),
            "what some leave the others have");
        assertArrayEquals(new double[] {10, 10, 10},
            FairShare.rates(new SharedResources(60).crowd(0, 2, 0.5), Route.through(10, 0, 0, 0),
                Route.through(10, 0, 0, 0), Route.through(10, 0, 0, 0)),
            "half is enough for these");
        Route twice = new Route(new int[] {0}, new double[] {2}, 10, 0, 0);
        assertArrayEquals(new double[] {5, 5}, FairShare.rates(wiring, twice, free),
            "one that passes twice counts as two");
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Route.through(0, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> Route.through(1, -1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Route(new int[] {1}, new double[] {0}, 1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Route(new int[] {1}, new double[0], 1, 0, 0));
        String complaint = assertThrows(IllegalArgumentException.class,
            () -> FairShare.rates(new SharedResources(0), Route.through(1, 0, 0, 0))).getMessage();
        assertTrue(complaint.startsWith("resource0 has 0.0 bytes/s"), complaint);
    }
}
