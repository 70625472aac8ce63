package org.brigade.simulate.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.topology.machine.Machines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultiPathWiringTest {
    private static final long LARGE = 256 << 20;
    private final MachineWiring ac922 = MachineWiring.of(Machines.find("ac922"));

    @Test
    void atTheBestShareBothWaysEndTogether() {
        MultiPathWiring both = MultiPathWiring.of(ac922);
        assertEquals(53.0 / (72 + 53), both.share(0, 1, LARGE), 1e-12);
        assertEquals((72 + 53) * 1e9, FairShare.rates(both, both.route(0, 1, LARGE))[0], 1e3);
        MultiPathWiring h200 = MultiPathWiring.of(MachineWiring.of(Machines.find("h200-x4")));
        assertEquals(48.5 / (396 + 48.5), h200.share(0, 1, 1 << 30), 1e-12);
    }

    /** The slower part decides: more than the best share through the host, and the host is what is waited for. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 0.25, 0.3, 0.424, 0.5, 0.8, 1})
    void anyShareIsAsFastAsItsSlowerPart(double share) {
        MultiPathWiring both = MultiPathWiring.sharing(ac922, share);
        double expected = Math.min(share == 1 ? 1e99 : 72e9 / (1 - share), share == 0 ? 1e99 : 53e9 / share);
        assertEquals(expected, FairShare.rates(both, both.route(0, 1, LARGE))[0], 1e3);
        assertEquals(share, both.share(0, 1, LARGE));
    }

    @Test
    void otherTransfersOnEitherWayAreShared() {
        MultiPathWiring both = MultiPathWiring.of(ac922);
        double[] rates = FairShare.rates(both, both.route(0, 1, LARGE), both.route(1, 0, LARGE));
        // Each byte takes 2 * 0.424 of the one memory at 170 GB/s.
        assertEquals(170e9 / 4 / 0.424, rates[0], 1e3);
        assertEquals(rates[0], rates[1], 1);
    }

    @Test
    void shortMessagesTakeOneWay() {
        MultiPathWiring both = MultiPathWiring.of(ac922);
        assertSame(ac922.route(0, 1, 1 << 10), both.route(0, 1, 1 << 10));
        long breakEven = 0;
        for (long bytes = 1 << 10; bytes < LARGE; bytes += bytes / 8) {
            Route one = ac922.route(0, 1, bytes);
            Route two = both.route(0, 1, bytes);
            double alone = one.startup() + one.latency() + bytes / 72e9;
            double together = two.startup() + two.latency() + bytes / FairShare.rates(both, two)[0];
            assertTrue(together <= alone * (1 + 1e-9), bytes + " bytes: " + together + " against " + alone);
            breakEven = breakEven == 0 && both.share(0, 1, bytes) > 0 ? bytes : breakEven;
        }
        assertTrue(breakEven > 1 << 20 && breakEven < 8 << 20, "from " + breakEven);
    }

    @Test
    void waysThatShareAWireAreNotTakenTogether() {
        MultiPathWiring both = MultiPathWiring.of(ac922);
        assertSame(ac922.route(1, 2, LARGE), both.route(1, 2, LARGE), "both cross the X-bus");
        MachineWiring rx1 = MachineWiring.of(Machines.find("rx1"));
        for (int to = 1; to < 64; to++) {
            assertSame(rx1.route(0, to, LARGE), MultiPathWiring.of(rx1).route(0, to, LARGE),
                "one PCIe link out of a GPU");
        }
    }

    @Test
    void sharesAreParts() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> MultiPathWiring.sharing(ac922, 1.1)).getMessage()
            .contains("0 to 1"));
    }
}
