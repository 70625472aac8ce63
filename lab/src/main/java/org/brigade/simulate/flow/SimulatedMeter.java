package org.brigade.simulate.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.simulate.wiring.FairShare;
import org.brigade.simulate.wiring.MachineWays;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RouteSketch;
import org.brigade.topology.machine.CongestionPattern;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Traffic;
import org.brigade.topology.machine.TransferCost;
import org.brigade.topology.machine.TransferKind;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.profile.Footprint;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.brigade.topology.search.TransferMeter;
import org.brigade.topology.search.TransferSet;

/**
 * The speed of sets of transfers on a described machine: max-min fair shares of its links, memories and limits, less
 * its congestion patterns. Bandwidths only: the start-up of a transfer does not matter beside the tens of MiB that
 * profiles use.
 *
 * <p>
 * GPUs and NUMA nodes are numbered as in the machine's file. A transfer's three nodes are the machine's first three;
 * with two nodes, the next node is also the previous one.
 */
public final class SimulatedMeter implements TransferMeter {
    private final Machine machine;
    private final MachineWiring wiring;
    private final MachineWays ways;
    private final List<List<Component>> gpus = new ArrayList<>();
    private final List<List<Component>> memories = new ArrayList<>();
    private final Map<Transfer, Footprint> footprints = new HashMap<>();
    /** By all figures that matter: the numbers of kinds of resources and transfers. */
    private final Map<List<Object>, Integer> kinds = new HashMap<>();

    /** @throws IllegalArgumentException if the machine has no GPUs */
    public SimulatedMeter(Machine machine) {
        this.machine = machine;
        wiring = MachineWiring.onDevices(machine);
        ways = wiring.ways();
        for (int node = 0; node < Math.min(3, machine.topology().nodes()); node++) {
            gpus.add(machine.topology().of(ComponentKind.GPU, node));
            memories.add(machine.topology().of(ComponentKind.MEMORY, node));
        }
    }

    /** The machine's node for the search of paths: symmetries follow from the resources that transfers use. */
    public NodeLayout layout() {
        List<Component> cards = gpus.get(0);
        List<Component> places = memories.get(0);
        List<Component> nics = machine.topology().of(ComponentKind.NIC, 0);
        int[] numaOfGpu = new int[cards.size()];
        boolean[][] peers = new boolean[cards.size()][cards.size()];
        for (int from = 0; from < cards.size(); from++) {
            numaOfGpu[from] = numa(cards.get(from), places);
            for (int to = 0; to < cards.size(); to++) {
                peers[from][to] =
                    from != to && ways.peer(new RouteSketch(), cards.get(from).id(), cards.get(to).id(), true);
            }
        }
        int[] nicNuma = new int[nics.size()];
        for (int nic = 0; nic < nicNuma.length; nic++) {
            nicNuma[nic] = numa(nics.get(nic), places);
        }
        int[][] same = new int[cards.size()][cards.size()];
        return new NodeLayout(places.size(), numaOfGpu, nicNuma, peers, same, new int[places.size()][places.size()],
            this::footprint);
    }

    private int numa(Component device, List<Component> places) {
        int memory = machine.locality().memoryOf(device.id());
        for (int numa = 0; numa < places.size(); numa++) {
            if (places.get(numa).id() == memory) {
                return numa;
            }
        }
        throw new AssertionError(device + " has no memory, which the reader checks");
    }

    private Footprint footprint(Transfer transfer) {
        return footprints.computeIfAbsent(transfer, fresh -> {
            Component from = end(transfer, transfer.type().fromGpu(), transfer.fromNode(), transfer.from());
            Component to = end(transfer, transfer.type().toGpu(), transfer.toNode(), transfer.to());
            Route route = route(transfer, from, to);
            if (route == null) {
                return Footprint.UNKNOWN; // no set with it can be measured
            }
            int[] parts = route.resources();
            int[] alike = new int[parts.length];
            for (int i = 0; i < parts.length; i++) {
                alike[i] = kind(List.of(wiring.capacity(parts[i]), wiring.crowd(parts[i]), wiring.crowdFactor(parts[i]),
                    route.weights()[i]));
            }
            // Congestion patterns depend on whether the two ends are at one CPU.
            boolean near = machine.locality().cpuOf(from.id()) == machine.locality().cpuOf(to.id());
            return new Footprint(kind(List.of(route.most(), near)), parts, alike);
        });
    }

    private int kind(List<Object> figures) {
        Integer known = kinds.putIfAbsent(figures, 1 + kinds.size());
        return known == null ? kinds.size() : known;
    }

    /**
     * Bytes/s of the slowest transfer of the set.
     *
     * @throws IllegalArgumentException if one of them is impossible on the machine: no such GPU or NUMA node, no
     * network, or GPU memory that no path reaches
     */
    @Override
    public double bandwidth(TransferSet set) {
        List<Transfer> transfers = set.transfers();
        List<Traffic> traffic = new ArrayList<>();
        Route[] routes = new Route[transfers.size()];
        for (int i = 0; i < routes.length; i++) {
            Transfer transfer = transfers.get(i);
            TransferType type = transfer.type();
            Component from = end(transfer, type.fromGpu(), transfer.fromNode(), transfer.from());
            Component to = end(transfer, type.toGpu(), transfer.toNode(), transfer.to());
            traffic.add(new Traffic(from, to, type.read()));
            routes[i] = route(transfer, from, to);
            if (routes[i] == null) {
                throw new IllegalArgumentException(
                    transfer + ": machine " + machine.name() + " has no path for it into GPU memory");
            }
        }
        for (int i = 0; i < routes.length; i++) {
            routes[i] = congested(routes[i], traffic, i);
        }
        double slowest = Double.POSITIVE_INFINITY;
        for (double rate : FairShare.rates(wiring, routes)) {
            slowest = Math.min(slowest, rate);
        }
        return slowest;
    }

    /**
     * The route, limited by the congestion patterns. They cap rates instead of scaling shares, so another transfer
     * cannot make the slowest one faster.
     */
    private Route congested(Route route, List<Traffic> traffic, int index) {
        double alone = wiring.alone(route);
        double most = alone;
        for (CongestionPattern pattern : machine.patterns()) {
            most = Math.min(most, pattern.most(machine, traffic, index, alone));
        }
        return new Route(route.resources(), route.weights(), most, route.startup(), route.latency());
    }

    private Component end(Transfer transfer, boolean gpu, int node, int index) {
        int known = gpus.size();
        if (known < 2 && node > 0) {
            throw new IllegalArgumentException(
                transfer + ": machine " + machine.name() + " has one node; look for paths within it only");
        }
        List<Component> candidates = (gpu ? gpus : memories).get(Math.min(node, known - 1));
        if (index >= candidates.size()) {
            throw new IllegalArgumentException(transfer + ": a node of machine " + machine.name() + " has "
                + candidates.size() + (gpu ? " GPUs" : " NUMA nodes"));
        }
        return candidates.get(index);
    }

    @Override
    public boolean possible(Transfer transfer) {
        Component from = end(transfer, transfer.type().fromGpu(), transfer.fromNode(), transfer.from());
        return route(transfer, from, end(transfer, transfer.type().toGpu(), transfer.toNode(), transfer.to())) != null;
    }

    /** Null if no path leads into GPU memory. */
    private Route route(Transfer transfer, Component from, Component to) {
        RouteSketch sketch = new RouteSketch();
        TransferKind kind;
        boolean possible = true;
        if (from.node() != to.node()) {
            boolean device = from.kind() == ComponentKind.GPU && to.kind() == ComponentKind.GPU;
            possible = !(device ? ways.between(sketch, from.id(), to.id(), index(from), index(to), true)
                : ways.bounced(sketch, from.id(), to.id(), index(from), index(to)));
            kind = device ? TransferKind.DEVICE_NET : TransferKind.DEVICE_NET_STAGED;
        } else if (transfer.type().peer()) {
            possible = ways.peer(sketch, from.id(), to.id(), true);
            kind = TransferKind.PEER;
        } else {
            ways.within(sketch, from.id(), to.id());
            kind = TransferKind.STAGED;
        }
        return !possible ? null : sketch.route(new TransferCost(Long.MAX_VALUE, 0, 0, wiring.most(kind)));
    }

    /** Chooses among equally near adapters: GPUs take turns. */
    private int index(Component component) {
        return component.kind() == ComponentKind.GPU
            ? gpus.get(Math.min(component.node(), gpus.size() - 1)).indexOf(component) : 0;
    }
}
