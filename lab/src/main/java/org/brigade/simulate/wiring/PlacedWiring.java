package org.brigade.simulate.wiring;

import java.util.Arrays;
import org.brigade.pattern.ChainSearch;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;
import org.brigade.select.FabricNames;
import org.brigade.topology.model.TopologyLevels;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfiledOrder;

/**
 * A machine on which ranks have other places than node after node. Algorithms know the nodes, as they do in a job:
 * chains and rings go node after node, wherever the ranks are.
 */
public final class PlacedWiring extends DerivedWiring {
    private final MachineWiring machine;
    /** By rank: its place in the machine's order. */
    private final int[] places;

    /** @param places by rank: a rank of the machine's own order, each at most once */
    public PlacedWiring(MachineWiring machine, int[] places) {
        super(machine);
        this.machine = machine;
        this.places = places.clone();
    }

    public MachineWiring machine() {
        return machine;
    }

    /** Number of nodes that have a rank. */
    public int nodes() {
        return (int) Arrays.stream(places).map(place -> place / machine.perNode()).distinct().count();
    }

    @Override
    public int ranks() {
        return places.length;
    }

    @Override
    public Route route(int from, int to, long bytes) {
        return machine.route(places[from], places[to], bytes);
    }

    @Override
    public Route route(int from, int to, long bytes, TransferRoute way) {
        return machine.route(places[from], places[to], bytes, way);
    }

    @Override
    public Route reduction(int rank, long bytes) {
        return machine.reduction(places[rank], bytes);
    }

    @Override
    public Route copy(int rank, long bytes) {
        return machine.copy(places[rank], bytes);
    }

    @Override
    public MemoryModel memory(int ranks) {
        return machine.memory(Arrays.copyOf(places, ranks));
    }

    /** Levels are CPUs and nodes; rings go node after node; chains come from a search over fair shares. */
    @Override
    public CommunicatorTopology wires(int ranks, long bytes) {
        return ranks == places.length ? searched(levels().order(ranks), bytes)
            : new PlacedWiring(machine, Arrays.copyOf(places, ranks)).wires(ranks, bytes);
    }

    /**
     * The wires with this order of rings.
     *
     * @param order null: rank order
     */
    CommunicatorTopology searched(Order order, long bytes) {
        Order plain = order == null ? Order.identity(places.length) : order;
        int nodes = nodes();
        CommunicatorTopology wires =
            new CommunicatorTopology(order, levels(),
                new ChainSearch(new WiringBandwidth(this, bytes), plain, levels()), nodes);
        return nodes == 1 ? wires : wires.at(MachineSpeed.of(machine))
            .joinedBy(machine.holdsDevices() ? FabricNames.GPUDIRECT : wires.fabric());
    }

    private Levels levels() {
        int[] components = new int[places.length];
        for (int rank = 0; rank < places.length; rank++) {
            components[rank] = machine.place(places[rank]).id();
        }
        return TopologyLevels.of(machine.machine().topology(), machine.machine().locality(), components);
    }

    /**
     * What ranks know if they follow a profile of this machine's GPUs. Where the known orders or the machine's usual
     * ways are faster, they keep those.
     *
     * @throws IllegalArgumentException if the profile has fewer GPUs, or no ring for this many
     */
    public CommunicatorTopology following(PathProfile profile, CommunicatorTopology known) {
        int perNode = machine.perNode();
        if (!machine.holdsDevices() || profile.gpus() != perNode) {
            throw new IllegalArgumentException("a profile of " + profile.gpus() + " GPUs, and "
                + (machine.holdsDevices() ? "a node of machine " + machine.machine().name() + " has " + perNode
                    : "the ranks' data are in host memory")
                + "; give a profile of this machine's GPUs");
        }
        int[] nodeOf = new int[places.length];
        int[] deviceOf = new int[places.length];
        for (int rank = 0; rank < places.length; rank++) {
            nodeOf[rank] = places[rank] / perNode;
            deviceOf[rank] = places[rank] % perNode;
        }
        ProfiledOrder order = new ProfiledOrder(profile, nodeOf, deviceOf);
        if (order.ring() == null) {
            throw new IllegalArgumentException("the profile has no ring over the GPUs of " + places.length
                + " ranks; make one with brigade profile, with --across for several nodes");
        }
        FasterOrders faster = new FasterOrders(this, order, known);
        return known.knowing(faster.ring(order.ring()), known.levels(), faster);
    }
}
