package org.brigade.simulate.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.simulate.SimulatedMeter;
import org.brigade.topology.Distance;
import org.brigade.topology.Machine;
import org.brigade.topology.Machines;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.PathSearch;
import org.brigade.topology.profile.StaticRing;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferSet;
import org.junit.jupiter.api.Test;

class PathSearchGainTest {
    @Test
    void theGainIsWithinWhatCountsAndSaysWhosePenaltyItRestsOn() {
        List<Reproduction> results = new PathSearchGain().results();
        assertTrue(results.get(0).hit(), results::toString);
        assertTrue(results.get(0).remark().contains("our estimate") && results.get(0).remark().contains("GPUs 0123"), results.get(0).remark());
    }

    /** The static ring puts all bounce buffers where GPUs are, and nothing but the crowds there makes it slow. */
    @Test
    void withoutCrowdsTheStaticChoiceIsAsGoodAsTheSearch() {
        Machine machine = Machines.find("intel-v100");
        assertTrue(gain(machine) > 1.8, gain(machine) + " times");
        assertEquals(1, gain(machine.with("crowded", 1)), 1e-9);
    }

    private static double gain(Machine machine) {
        SimulatedMeter meter = new SimulatedMeter(machine);
        MeasuredPath found = new PathSearch(meter.layout(), meter).ring(15);
        List<Transfer> chosen = new StaticRing(machine.topology(), meter.layout(), Distance.SWITCH, false).over(15);
        assertTrue(chosen.stream().noneMatch(transfer -> transfer.type().peer()), chosen::toString);
        return found.bandwidth() / meter.bandwidth(TransferSet.of(chosen));
    }
}
