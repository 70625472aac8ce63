package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import mpi.spi.Collective;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.simulate.wiring.NamedWirings;
import org.brigade.simulate.wiring.RoutingModel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("calculation")
class SteadyStateTest {
    @ParameterizedTest
    @CsvSource({"rx2,BCAST,pipelined-chain", "rx2,BCAST,double-tree", "thesis-sisci,BCAST,opposite-chains",
        "amd-v100,REDUCE,opposite-chains", "amd-v100,ALLREDUCE,segmented-ring", "intel-v100,BCAST,multi-leader",
        "intel-v100,ALLREDUCE,hierarchical", "dgx-1v,BCAST,hierarchical-tree", "thesis-sockets,ALLREDUCE,paired"})
    void aCallOfManyWindowsTakesWhatItsFullSimulationTakes(String machine, Collective collective, String name) {
        RoutingModel wiring = NamedWirings.find(machine);
        int ranks = wiring.ranks();
        long chunk = 32 << 10;
        SimulatedCall call = new SimulatedCall((ScheduledAlgorithm) Catalogue.find(collective, name), ranks, 0,
            400 * chunk * (name.equals("segmented-ring") ? ranks : 2) + 12345, chunk, 4,
            wiring.wires(ranks, chunk));
        Simulator simulator = new Simulator(wiring);
        double whole = simulator.run(call).seconds();
        assertEquals(whole, new SteadyState(simulator).seconds(call), 0.05 * whole);
    }
}
