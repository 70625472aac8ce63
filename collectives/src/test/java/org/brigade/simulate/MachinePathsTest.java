package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.ComponentKind;
import org.brigade.topology.Machine;
import org.brigade.topology.Machines;
import org.brigade.topology.profile.BruteForce;
import org.brigade.topology.profile.IsomorphismCache;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathSearch;
import org.brigade.topology.profile.StaticRing;
import org.brigade.topology.profile.TransferMeter;
import org.brigade.topology.profile.TransferSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The search for paths on all machines with GPUs that come with Brigade. */
class MachinePathsTest {
    private static List<Machine> machines() {
        List<Machine> machines = new ArrayList<>();
        for (String name : Machines.names()) {
            Machine machine = Machines.find(name);
            if (machine.topology().of(ComponentKind.GPU, 0).size() > 1) {
                machines.add(machine);
            }
        }
        assertTrue(machines.size() > 8, "machines with GPUs: " + machines.size());
        return machines;
    }

    /** All sets of two to four GPUs of the first four; of larger machines some that are further apart. */
    private static List<Integer> sets(int gpus) {
        List<Integer> sets = new ArrayList<>();
        for (int mask = 3; mask < 1 << Math.min(4, gpus); mask++) {
            if (Integer.bitCount(mask) > 1) {
                sets.add(mask);
            }
        }
        if (gpus >= 8) {
            sets.addAll(List.of(0b10010011, 0b01010101, 0b11000011, 0b00110000));
        }
        return sets;
    }

    @TestFactory
    List<DynamicTest> ringsAndChainsAreAsFastAsTheFastestOfAll() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Machine machine : machines()) {
            tests.add(DynamicTest.dynamicTest(machine.name(), () -> {
                SimulatedMeter meter = new SimulatedMeter(machine);
                NodeLayout layout = meter.layout();
                Map<TransferSet, Double> known = new HashMap<>();
                TransferMeter remembered = set -> known.computeIfAbsent(set, meter::bandwidth);
                IsomorphismCache cache = new IsomorphismCache(layout, remembered);
                List<String> warnings = new ArrayList<>();
                PathSearch search = new PathSearch(layout, cache, List.of(org.brigade.topology.profile.Mover.KERNEL), 0, warnings::add);
                for (int mask : sets(layout.gpus())) {
                    int start = 31 - Integer.numberOfLeadingZeros(mask);
                    BruteForce all = new BruteForce(layout, remembered);
                    MeasuredPath ring = search.ring(mask);
                    assertEquals(all.ring(mask), ring.bandwidth(), () -> "set " + mask + ": " + ring);
                    MeasuredPath chain = search.chain(mask, start);
                    assertEquals(all.chain(mask, start), chain.bandwidth(), () -> "set " + mask + ": " + chain);
                    assertEquals(ring.bandwidth(), remembered.bandwidth(TransferSet.of(ring.body())), () -> "isomorphic sets are as fast as each other: " + ring);
                    double chosen = remembered.bandwidth(TransferSet.of(new StaticRing(machine.topology(), layout).over(mask)));
                    assertTrue(chosen <= ring.bandwidth() * (1 + 1e-12), () -> "the static choice is no better: " + chosen + ", " + ring);
                }
                assertEquals(List.of(), warnings, "more transfers are never faster");
            }));
        }
        return tests;
    }
}
