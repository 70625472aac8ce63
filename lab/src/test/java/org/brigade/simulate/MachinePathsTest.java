package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.brigade.simulate.flow.SimulatedMeter;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.BruteForce;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.Mover;
import org.brigade.topology.search.PathSearch;
import org.brigade.topology.search.StaticRing;
import org.brigade.topology.search.TransferMeter;
import org.brigade.topology.search.TransferSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The search for paths on all machines with GPUs that come with Brigade. */
@Tag("calculation")
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
                PathSearch search = new PathSearch(layout, cache, List.of(Mover.KERNEL), 0, warnings::add);
                for (int mask : sets(layout.gpus())) {
                    int start = 31 - Integer.numberOfLeadingZeros(mask);
                    BruteForce all = new BruteForce(layout, remembered);
                    MeasuredPath ring = search.ring(mask);
                    assertEquals(all.ring(mask), ring.bandwidth(), () -> "set " + mask + ": " + ring);
                    MeasuredPath chain = search.chain(mask, start);
                    assertEquals(all.chain(mask, start), chain.bandwidth(), () -> "set " + mask + ": " + chain);
                    assertEquals(ring.bandwidth(), remembered.bandwidth(TransferSet.of(ring.body())),
                        () -> "isomorphic sets are as fast as each other: " + ring);
                    for (Distance farthest : List.of(Distance.SWITCH, Distance.NODE)) {
                        double chosen = remembered.bandwidth(
                            TransferSet.of(new StaticRing(machine.topology(), layout, farthest, true).over(mask)));
                        assertTrue(chosen <= ring.bandwidth(),
                            () -> "the static choice is no better: " + chosen + ", " + ring);
                    }
                }
                assertEquals(List.of(), warnings, "more transfers are never faster");
            }));
        }
        return tests;
    }

    /** Of as many as eight the search is not exact, but it may not be worse than not searching. */
    @TestFactory
    List<DynamicTest> ringsOfWholeNodesAreNoWorseThanTheStaticChoice() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Machine machine : machines()) {
            tests.add(DynamicTest.dynamicTest(machine.name(), () -> {
                SimulatedMeter meter = new SimulatedMeter(machine);
                NodeLayout layout = meter.layout();
                int mask = (1 << Math.min(8, layout.gpus())) - 1;
                IsomorphismCache cache = new IsomorphismCache(layout, meter);
                MeasuredPath ring = new PathSearch(layout, cache).ring(mask);
                for (Distance farthest : List.of(Distance.SWITCH, Distance.NODE)) {
                    double chosen = meter.bandwidth(
                        TransferSet.of(new StaticRing(machine.topology(), layout, farthest, true).over(mask)));
                    assertTrue(chosen <= ring.bandwidth(), () -> "static: " + chosen + ", " + ring);
                }
                assertTrue(cache.measurements() < 5000, cache.measurements() + " sets measured");
            }));
        }
        return tests;
    }

    /** Some pairs of crossings of each machine that has a network, against all ways between them. */
    @TestFactory
    List<DynamicTest> waysThroughANodeAreAsFastAsTheFastestOfAll() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Machine machine : machines()) {
            if (machine.topology().nodes() > 1) {
                tests.add(DynamicTest.dynamicTest(machine.name(), () -> through(machine)));
            }
        }
        assertTrue(tests.size() > 4, "machines with a network: " + tests.size());
        return tests;
    }

    private static void through(Machine machine) {
        SimulatedMeter meter = new SimulatedMeter(machine);
        NodeLayout layout = meter.layout();
        Map<TransferSet, Double> known = new HashMap<>();
        TransferMeter remembered = new TransferMeter() {
            @Override
            public double bandwidth(TransferSet set) {
                return known.computeIfAbsent(set, meter::bandwidth);
            }

            @Override
            public boolean possible(Transfer transfer) {
                return meter.possible(transfer);
            }
        };
        PathSearch search = new PathSearch(layout, new IsomorphismCache(layout, remembered));
        List<Crossing> crossings = Crossing.all(layout);
        Random random = new Random(5);
        int found = 0;
        for (int i = 0; i < 60; i++) {
            int mask = List.of(1, 2, 3, layout.gpus() > 3 ? 0b1011 : 3).get(random.nextInt(4));
            Crossing head = crossings.get(random.nextInt(crossings.size()));
            Crossing tail = crossings.get(random.nextInt(crossings.size()));
            MeasuredPath path = search.through(mask, head, tail, -1);
            boolean possible = remembered.possible(head.head()) && remembered.possible(tail.tail())
                && !(head.toGpu() && (mask >> head.to() & 1) == 0);
            double best = possible ? new BruteForce(layout, remembered).through(mask, head, tail) : 0;
            assertEquals(best, path == null ? 0 : path.bandwidth(),
                () -> "set " + mask + " from " + head + " to " + tail + ": " + path);
            found += path == null ? 0 : 1;
        }
        assertTrue(found > 0, "none of the crossings tried is possible");
    }
}
