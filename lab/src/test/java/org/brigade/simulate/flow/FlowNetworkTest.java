package org.brigade.simulate.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.simulate.wiring.NaiveFilling;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.simulate.wiring.SharedResources;
import org.junit.jupiter.api.Test;

class FlowNetworkTest {
    /**
     * A network with events, as the simulator drives it: transfers come as they are told, and go when their bytes have.
     */
    private static final class Driven {
        final EventQueue queue = new EventQueue();
        final FlowNetwork network;
        final List<Integer> active = new ArrayList<>();

        Driven(RoutingModel wiring, Trace trace) {
            network = new FlowNetwork(wiring, queue, trace);
        }

        void begin(int transfer, Route route, long bytes, long now) {
            network.reserve(transfer + 1);
            network.begin(transfer, route, bytes, now);
            active.add(transfer);
        }

        /** Takes all ends of the next instant, and says when it is. */
        long next() {
            long now = queue.time();
            do {
                int transfer = queue.take();
                network.end(transfer, now);
                active.remove(Integer.valueOf(transfer));
            } while (!queue.isEmpty() && queue.time() == now);
            return now;
        }
    }

    @Property(tries = 300)
    void ratesFoundFromChangesAreThoseFoundAnew(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int resources,
        @ForAll @IntRange(min = 1, max = 60) int transfers) {
        Random random = new Random(seed);
        double[] capacities = random.doubles(resources, 1, 4).map(Math::rint).toArray();
        SharedResources wiring = new SharedResources(capacities);
        Driven driven = new Driven(wiring, null);
        Route[] routes = new Route[transfers];
        long now = 0;
        int begun = 0;
        while (begun < transfers || !driven.active.isEmpty()) {
            int more = Math.min(transfers - begun, random.nextInt(4));
            for (int i = 0; i < more; i++) {
                // More resources on a way than there is room for at first, now and then.
                int[] on = random.ints(0, resources).limit(1 + random.nextInt(random.nextInt(8) == 0 ? 12 : 3))
                    .distinct().toArray();
                routes[begun] = Route
                    .through(random.nextInt(3) == 0 ? 0.5 + random.nextDouble() : Double.POSITIVE_INFINITY, 0, 0, on);
                driven.begin(begun, routes[begun], 1 + random.nextInt(5), now);
                begun++;
            }
            driven.network.settle(now);
            Route[] current = driven.active.stream().map(transfer -> routes[transfer]).toArray(Route[]::new);
            double[] expected = NaiveFilling.rates(wiring, current);
            for (int i = 0; i < current.length; i++) {
                assertEquals(expected[i], driven.network.rate(driven.active.get(i)), 1e-7 * expected[i],
                    "at " + now + " ps, transfer " + driven.active.get(i));
            }
            if (!driven.active.isEmpty()) {
                now = driven.next();
            }
        }
    }

    @Property(tries = 200)
    void allBytesArriveAndNoneMore(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int resources,
        @ForAll @IntRange(min = 1, max = 30) int transfers) {
        Random random = new Random(seed);
        SharedResources wiring = new SharedResources(random.doubles(resources, 0.5, 4).map(x -> x * 1e9).toArray());
        double[] told = new double[resources];
        Driven driven = new Driven(wiring, (resource, from, to, rate) -> {
            assertTrue(to > from && rate <= wiring.capacity(resource) * (1 + 1e-8));
            told[resource] += rate * Clock.seconds(to - from);
        });
        double[] expected = new double[resources];
        long now = 0;
        for (int i = 0; i < transfers; i++) {
            int[] on = random.ints(0, resources).limit(2).distinct().toArray();
            long bytes = 1 + random.nextInt(1 << 20);
            for (int resource : on) {
                expected[resource] += bytes;
            }
            driven.begin(i, Route.through(Double.POSITIVE_INFINITY, 0, 0, on), bytes, now);
            driven.network.settle(now);
            if (random.nextBoolean()) {
                now = driven.next();
                driven.network.settle(now);
            }
        }
        while (!driven.active.isEmpty()) {
            now = driven.next();
            driven.network.settle(now);
        }
        for (int resource = 0; resource < resources; resource++) {
            assertEquals(expected[resource], driven.network.carried()[resource], 1e-3, "counted when they ended");
            assertEquals(expected[resource], told[resource], 0.05 * transfers,
                "told piece by piece, each of whole picoseconds");
            assertTrue(driven.network.busy()[resource] <= now);
        }
    }

    @Test
    void aTransferSlowsDownWhileAnotherSharesItsWire() {
        Driven driven = new Driven(new SharedResources(1e9), null);
        Route wire = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0);
        driven.begin(0, wire, 1000, 0);
        driven.network.settle(0);
        assertEquals(1_000_000, driven.queue.time());
        driven.begin(1, wire, 250, 500_000);
        driven.network.settle(500_000);
        assertEquals(1_000_000, driven.next(), "250 bytes at half the rate");
        driven.network.settle(1_000_000);
        assertEquals(1_250_000, driven.next(), "the other 500 bytes: 250 at half the rate, 250 at all of it");
    }

    @Test
    void whatHangsTogetherByFreeResourcesOnlyIsLeftAlone() {
        // Both use resource 0, which has room for both; a third one crowds the first on resource 1.
        Driven driven = new Driven(new SharedResources(10e9, 1e9, 1e9), null);
        driven.begin(0, Route.through(Double.POSITIVE_INFINITY, 0, 0, 0, 1), 1000, 0);
        driven.begin(1, Route.through(Double.POSITIVE_INFINITY, 0, 0, 0, 2), 1000, 0);
        driven.network.settle(0);
        driven.begin(2, Route.through(Double.POSITIVE_INFINITY, 0, 0, 1), 1000, 400_000);
        driven.network.settle(400_000);
        assertEquals(5e8, driven.network.rate(0), 1);
        assertEquals(1e9, driven.network.rate(1), 0);
        assertEquals(1_000_000, driven.queue.time(), "as it was set when nothing was known of the third");
    }

    @Test
    void aCrowdLowersWhatAResourceHasWhileItIsThere() {
        Driven driven = new Driven(new SharedResources(1e9).crowd(0, 2, 0.6), null);
        Route free = Route.through(5e8, 0, 0, 0);
        driven.begin(0, free, 1000, 0);
        driven.begin(1, free, 1000, 0);
        driven.network.settle(0);
        assertEquals(5e8, driven.network.rate(0), 1, "two are none");
        driven.begin(2, free, 200, 0);
        driven.network.settle(0);
        assertEquals(2e8, driven.network.rate(0), 1, "a third of 0.6 GB/s");
        assertEquals(1_000_000, driven.next(), "200 bytes of it");
        driven.network.settle(1_000_000);
        assertEquals(5e8, driven.network.rate(1), 1, "two again");
        assertEquals(2_600_000, driven.queue.time(), "800 bytes are left");
    }

    @Property(tries = 300)
    void eventsComeInTheOrderOfTheirTimesHoweverTheyMove(@ForAll long seed,
        @ForAll @IntRange(min = 1, max = 300) int count) {
        Random random = new Random(seed);
        EventQueue queue = new EventQueue();
        queue.reserve(count);
        long[] times = new long[count];
        for (int i = 0; i < 3 * count; i++) {
            int transfer = random.nextInt(count);
            times[transfer] = 1 + random.nextInt(50);
            queue.put(transfer, times[transfer]);
        }
        PriorityQueue<Long> expected = new PriorityQueue<>();
        for (long time : times) {
            if (time > 0) {
                expected.add(time);
            }
        }
        while (!queue.isEmpty()) {
            long time = queue.time();
            assertEquals(expected.poll(), time);
            assertEquals(times[queue.take()], time);
        }
        assertTrue(expected.isEmpty());
    }
}
