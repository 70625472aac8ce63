package org.brigade.simulate.wiring;

import org.brigade.pattern.NetworkSpeed;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/** The speed of the network between a machine's nodes, as its adapters would tell a job. */
final class MachineSpeed {
    private static final double BITS = 8;
    private static final double NANOS = 1e9;

    private MachineSpeed() {
    }

    /** @param machine of several nodes */
    static NetworkSpeed of(MachineWiring machine) {
        Topology topology = machine.machine().topology();
        double rate = Double.POSITIVE_INFINITY;
        int ports = 0;
        for (ComponentKind kind : new ComponentKind[] {ComponentKind.NIC, ComponentKind.NTB}) {
            for (Component adapter : topology.of(kind, 0)) {
                for (int id : topology.linksOf(adapter.id())) {
                    TopologyLink link = topology.link(id);
                    if (link.kind() == LinkKind.NETWORK || link.kind() == LinkKind.NTB) {
                        rate = Math.min(rate, link.rateFrom(adapter.id()));
                        ports++;
                    }
                }
            }
        }
        Route message = machine.route(0, machine.perNode(), 1);
        return new NetworkSpeed(Math.max(1, Math.round(NANOS * (message.startup() + message.latency()))),
            Math.round(BITS * rate), ports, "the figures of machine " + machine.machine().name());
    }
}
