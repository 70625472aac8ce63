package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.brigade.simulate.flow.SimulatedMeter;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.MachineReader;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.Mover;
import org.brigade.topology.search.PathSearch;
import org.brigade.topology.search.TransferSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a cache of isomorphic sets says where devices are not alike, against measuring every set. */
@Tag("calculation")
@net.jqwik.api.Tag("calculation")
class UnequalMachinesTest {
    private static final int SETS = 60;
    /** Shares are added up in another order. */
    private static final double ROUNDING = 1e-9;

    @Property(tries = 100)
    void inTreesTheCacheSaysWhatIsMeasured(@ForAll long seed) {
        compared(UnequalMachines.tree(seed), seed);
    }

    @Property(tries = 60)
    void inRingsOfSwitchesTheCacheSaysWhatIsMeasured(@ForAll long seed) {
        compared(UnequalMachines.ring(seed), seed);
    }

    private static void compared(Machine machine, long seed) {
        SimulatedMeter meter = new SimulatedMeter(machine);
        NodeLayout layout = meter.layout();
        IsomorphismCache cache = new IsomorphismCache(layout, meter);
        Random random = new Random(seed);
        for (int i = 0; i < SETS; i++) {
            TransferSet set = some(meter, layout, machine.topology().nodes() > 1, random);
            double measured = meter.bandwidth(set);
            assertEquals(measured, cache.bandwidth(set), ROUNDING * measured, () -> set.toString());
        }
    }

    /** Few transfers, so that many sets look alike. */
    private static TransferSet some(SimulatedMeter meter, NodeLayout layout, boolean network, Random random) {
        List<Crossing> crossings = network ? Crossing.all(layout) : List.of();
        List<Transfer> transfers = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        while (transfers.size() < count) {
            int gpu = random.nextInt(layout.gpus());
            int other = random.nextInt(layout.gpus());
            int numa = random.nextInt(layout.numaNodes());
            Mover mover = Mover.KERNEL;
            Crossing crossing = network ? crossings.get(random.nextInt(crossings.size())) : null;
            Transfer transfer = switch (random.nextInt(network ? 6 : 4)) {
                case 0 -> mover.toHost(gpu, numa);
                case 1 -> mover.fromHost(numa, gpu);
                case 2 -> gpu == other ? mover.toHost(gpu, numa) : mover.write(gpu, other);
                case 3 -> gpu == other ? mover.fromHost(numa, gpu) : mover.read(gpu, other);
                case 4 -> crossing.head();
                default -> crossing.tail();
            };
            if (meter.possible(transfer)) {
                transfers.add(transfer);
            }
        }
        return TransferSet.of(transfers);
    }

    @Property(tries = 40)
    void inTreesNoPathIsSlowerThanOneFoundByMeasuringAll(@ForAll long seed) {
        searched(UnequalMachines.tree(seed));
    }

    @Property(tries = 25)
    void inRingsOfSwitchesNoPathIsSlowerThanOneFoundByMeasuringAll(@ForAll long seed) {
        searched(UnequalMachines.ring(seed));
    }

    private static void searched(Machine machine) {
        SimulatedMeter meter = new SimulatedMeter(machine);
        NodeLayout layout = meter.layout();
        PathSearch byCache = new PathSearch(layout, new IsomorphismCache(layout, meter));
        PathSearch byMeasuring = new PathSearch(layout, meter);
        int most = (1 << Math.min(4, layout.gpus())) - 1;
        for (int mask = 3; mask <= most; mask++) {
            if (Integer.bitCount(mask) > 1) {
                better(meter, byCache.ring(mask), byMeasuring.ring(mask));
                for (int start = 0; start < layout.gpus(); start++) {
                    if ((mask >> start & 1) != 0) {
                        better(meter, byCache.chain(mask, start), byMeasuring.chain(mask, start));
                    }
                }
            }
        }
    }

    private static void better(SimulatedMeter meter, MeasuredPath found, MeasuredPath best) {
        double real = meter.bandwidth(TransferSet.of(found.body()));
        assertEquals(real, found.bandwidth(), ROUNDING * real, found::toString);
        assertTrue(real >= best.bandwidth() * (1 - ROUNDING), () -> found + ", but there is " + best);
    }

    /** GPUs 0 and 1 below a switch in a slot of four lanes, 2 and 3 below one of sixteen. */
    @Test
    void aSlowSlotIsNotTakenForAFastOne() {
        SimulatedMeter meter = new SimulatedMeter(MachineReader.read("slots.machine", """
            machine slots "one socket"
            figure n 1 count "made up"
            figure x4 3 GB/s "made up"
            figure x16 12 GB/s "made up"
            figure hop 1 us "made up"
            node
              cpu cpu0
              memory mem0 under cpu0 rate x16 latency hop
              pci-switch narrow under cpu0 rate x4 latency hop
              pci-switch wide under cpu0 rate x16 latency hop
              gpu gpu0..1 under narrow rate x4 latency hop
              gpu gpu2..3 under wide rate x16 latency hop
            end
            nodes n
            peer switch free
            peer cpu free
            transfer peer startup hop latency hop
            transfer staged startup hop latency hop
            transfer host startup hop latency hop
            local gpu copy x16 startup hop reduce x16 startup hop
            local core copy x16 startup hop reduce x16 startup hop
            """));
        IsomorphismCache cache = new IsomorphismCache(meter.layout(), meter);
        assertEquals(3e9, cache.bandwidth(TransferSet.of(Mover.KERNEL.toHost(0, 0))));
        assertEquals(12e9, cache.bandwidth(TransferSet.of(Mover.KERNEL.toHost(2, 0))));
        assertEquals(12e9, cache.bandwidth(TransferSet.of(Mover.KERNEL.toHost(3, 0))));
        assertEquals(2, cache.measurements(), "the two of one slot are alike");
    }
}
