package org.brigade.simulate;

import org.brigade.pattern.CommunicatorTopology;
import org.brigade.simulate.flow.SimulatedMeter;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.PlacedWiring;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.PathSearch;
import org.brigade.topology.search.ProfileSearch;

/** What a profile of a described machine's GPUs would find, for calls within one node. */
public final class FoundPaths {
    /** Beyond, a search takes seconds. */
    private static final int MOST = 8;

    private FoundPaths() {
    }

    /**
     * The known wires, with the fastest rings and chains of these ranks' GPUs; unchanged if they are not 2 to
     * {@value #MOST} GPUs, all of one node.
     */
    public static CommunicatorTopology followed(PlacedWiring wiring, CommunicatorTopology known) {
        MachineWiring machine = wiring.machine();
        int ranks = wiring.ranks();
        if (!machine.holdsDevices() || ranks < 2 || ranks > MOST || wiring.nodes() > 1) {
            return known;
        }
        SimulatedMeter meter = new SimulatedMeter(machine.machine());
        NodeLayout layout = meter.layout();
        ProfileSearch search =
            new ProfileSearch(layout, new PathSearch(layout, new IsomorphismCache(layout, meter)), null);
        search.within((1 << ranks) - 1);
        return wiring.following(search.profile(), known);
    }
}
