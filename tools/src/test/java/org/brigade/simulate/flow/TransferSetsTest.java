package org.brigade.simulate.flow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.SharedResources;
import org.junit.jupiter.api.Test;

class TransferSetsTest {
    @Test
    void transfersGoFasterOnceOthersHaveEnded() {
        SharedResources wiring = new SharedResources(1e9, 1e8);
        Route free = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0);
        Route slow = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0, 1);
        Route late = Route.through(Double.POSITIVE_INFINITY, 1e-6, 2e-6, 0);
        assertArrayEquals(new double[] {1e-6 / 0.9, 10e-6}, TransferSets.seconds(wiring, 1000, free, slow), 1e-12);
        // The free one has ended when the late one begins.
        assertArrayEquals(new double[] {1e-6, 4e-6}, TransferSets.seconds(wiring, 1000, free, late), 1e-12);
        assertArrayEquals(new double[] {0, 3e-6, 0}, TransferSets.seconds(wiring, 0, free, late, Route.FREE), 1e-12);
    }

    @Test
    void theSlowestCounts() {
        SharedResources wiring = new SharedResources(1e9, 1e8);
        Route free = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0);
        Route slow = Route.through(Double.POSITIVE_INFINITY, 0, 0, 0, 1);
        assertEquals(1e8, TransferSets.bandwidth(wiring, 1000, free, slow), 10);
        assertEquals(Double.POSITIVE_INFINITY, TransferSets.bandwidth(wiring, 1000, Route.FREE));
    }
}
