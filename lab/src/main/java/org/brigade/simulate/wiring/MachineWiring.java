package org.brigade.simulate.wiring;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.TransferRoute;
import org.brigade.topology.machine.LocalWork;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.SharedMemoryCosts;
import org.brigade.topology.machine.TransferCost;
import org.brigade.topology.machine.TransferKind;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.Topology;

/**
 * What the simulator knows of a {@link Machine}. Ranks fill node after node. In each they take the GPUs in order, or
 * the cores; with host memory on a machine without listed cores, one core at each GPU's CPU.
 *
 * <p>
 * Of the machine's congestion patterns it applies those of one memory's crowd; the others depend on who reads and who
 * writes, which {@code SimulatedMeter} handles.
 *
 * <p>
 * Routes are found on first use and kept in a cache of fixed size, so memory does not depend on the number of ranks.
 * Not for several threads at once.
 */
public final class MachineWiring implements RoutingModel {
    private static final int CACHED = 1 << 16;
    private static final int VIAS = RouteChoice.values().length;
    /** Memories of a node in which data may bounce, and none. */
    private static final int MEMORIES = 1 + 64;
    /** Paths beside these: by any memory of the sender's node and any of the receiver's. */
    private static final int WAYS = VIAS + MEMORIES * MEMORIES;
    /** Above the number of tiers that the reader allows: six kinds of transfer with eight each. */
    private static final int TIERS = 64;

    private final Machine machine;
    private final Topology topology;
    private final boolean devices;
    private final int[] places;
    private final int perNode;
    private final LocalWork local;
    private final MachineResources resources;
    private final MachineWays ways;
    private final Map<Distance, RouteChoice> choices;
    private final long[] tiers;
    private final long[] keys = new long[CACHED];
    private final Route[] routes = new Route[CACHED];

    private MachineWiring(Machine machine, boolean devices, Map<Distance, RouteChoice> choices) {
        this.machine = machine;
        this.devices = devices;
        this.choices = choices;
        topology = machine.topology();
        places = devices ? ids(topology.of(ComponentKind.GPU)) : hosts(machine);
        perNode = places.length / topology.nodes();
        local = machine.policy().local().get(devices ? ComponentKind.GPU : ComponentKind.CORE);
        resources = new MachineResources(machine, places.length, Math.max(local.copyRate(), local.reduceRate()));
        ways = new MachineWays(machine, resources);
        tiers = tiers(machine);
    }

    /** Ranks have their data in GPU memory if the machine has GPUs, else in host memory. */
    public static MachineWiring of(Machine machine) {
        return machine.topology().of(ComponentKind.GPU, 0).isEmpty() ? onHosts(machine) : onDevices(machine);
    }

    /**
     * Ranks with their data in GPU memory.
     *
     * @throws IllegalArgumentException if the machine has no GPUs
     */
    public static MachineWiring onDevices(Machine machine) {
        if (machine.topology().of(ComponentKind.GPU, 0).isEmpty()) {
            throw new IllegalArgumentException(
                "machine " + machine.name() + " has no GPUs; simulate ranks with host memory, or name another machine");
        }
        return new MachineWiring(machine, true, Map.of());
    }

    /** Ranks with their data in host memory. */
    public static MachineWiring onHosts(Machine machine) {
        return new MachineWiring(machine, false, Map.of());
    }

    /**
     * The same, but GPUs of a node at this distance use another path, if there is one: paths chosen by stage (Temucin
     * et al. 2021, section V.B).
     */
    public MachineWiring choosing(Distance distance, RouteChoice via) {
        Map<Distance, RouteChoice> more = new EnumMap<>(Distance.class);
        more.putAll(choices);
        more.put(distance, via);
        return new MachineWiring(machine, devices, more);
    }

    /** The same placement and choices on another machine, such as this one with a figure changed. */
    public MachineWiring on(Machine other) {
        return new MachineWiring(other, devices, choices);
    }

    private static int[] ids(List<Component> components) {
        int[] ids = new int[components.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = components.get(i).id();
        }
        return ids;
    }

    private static int[] hosts(Machine machine) {
        List<Component> cores = machine.topology().of(ComponentKind.CORE);
        if (!cores.isEmpty()) {
            return ids(cores);
        }
        int[] places = ids(machine.topology().of(ComponentKind.GPU));
        for (int i = 0; i < places.length; i++) {
            places[i] = machine.locality().cpuOf(places[i]);
        }
        return places;
    }

    public Machine machine() {
        return machine;
    }

    public MachineWays ways() {
        return ways;
    }

    /** Bytes/s that one long transfer of a kind can reach. */
    public double most(TransferKind kind) {
        return cost(kind, Long.MAX_VALUE).most();
    }

    /** The kind of transfer that {@link #route(int, int, long)} uses for a message. */
    TransferKind kind(int from, int to) {
        return draw(new RouteSketch(), from, to, RouteChoice.POLICY);
    }

    /** Bytes/s of a route with nothing else on the machine. */
    public double alone(Route route) {
        double rate = route.most();
        for (int i = 0; i < route.resources().length; i++) {
            rate = Math.min(rate, capacity(route.resources()[i]) / route.weights()[i]);
        }
        return rate;
    }

    /** Whether ranks have their data in GPU memory. */
    public boolean holdsDevices() {
        return devices;
    }

    /** Ranks of a node. */
    public int perNode() {
        return perNode;
    }

    /** The node that a rank is on. */
    int node(int rank) {
        return rank / perNode;
    }

    /** The component that a rank sits on: a GPU, a core, or a CPU. */
    public Component place(int rank) {
        return topology.component(places[rank]);
    }

    @Override
    public int ranks() {
        return places.length;
    }

    @Override
    public int resources() {
        return resources.count();
    }

    @Override
    public double capacity(int resource) {
        return resources.capacity(resource);
    }

    @Override
    public String name(int resource) {
        return resources.name(resource);
    }

    @Override
    public int crowd(int resource) {
        return resources.crowd(resource);
    }

    @Override
    public double crowdFactor(int resource) {
        return resources.crowdFactor(resource);
    }

    @Override
    public Route route(int from, int to, long bytes) {
        return route(from, to, bytes, RouteChoice.POLICY);
    }

    /**
     * As {@link #route(int, int, long)}, by this path; {@link RouteChoice#POLICY} if the ranks are not on GPUs, or
     * there is no such path.
     */
    public Route route(int from, int to, long bytes, RouteChoice via) {
        return route(from, to, bytes, via, null);
    }

    /**
     * @throws IllegalArgumentException if the machine has no such memory, or no path leads from one GPU to the other
     */
    @Override
    public Route route(int from, int to, long bytes, TransferRoute way) {
        boolean network = way != null && way.by() == TransferRoute.By.NETWORK;
        return !devices || network == (node(from) == node(to)) ? route(from, to, bytes)
            : route(from, to, bytes, RouteChoice.POLICY, way);
    }

    private Route route(int from, int to, long bytes, RouteChoice via, TransferRoute way) {
        int chosen = way == null ? via.ordinal() : VIAS + (1 + way.memory()) * MEMORIES + 1 + way.far();
        long key = 1 + (((long) from * places.length + to) * TIERS + tier(bytes)) * WAYS + chosen;
        int slot = (int) (key * 0x9E3779B97F4A7C15L >>> 48);
        if (keys[slot] != key) {
            routes[slot] = way == null ? find(from, to, bytes, via) : measured(from, to, bytes, way);
            keys[slot] = key;
        }
        return routes[slot];
    }

    private Route measured(int from, int to, long bytes, TransferRoute way) {
        RouteSketch sketch = new RouteSketch();
        if (way.by() == TransferRoute.By.BOUNCE) {
            int memory = memory(from, to, node(from), way, way.memory());
            ways.within(sketch, places[from], memory);
            ways.within(sketch, memory, places[to]);
            return sketch.route(cost(TransferKind.STAGED, bytes));
        }
        if (way.by() == TransferRoute.By.NETWORK) {
            int source = way.memory() < 0 ? places[from] : memory(from, to, node(from), way, way.memory());
            int target = way.far() < 0 ? places[to] : memory(from, to, node(to), way, way.far());
            if (source != places[from]) {
                ways.within(sketch, places[from], source);
            }
            boolean bounced = source != places[from] || target != places[to];
            boolean staged = bounced
                ? ways.bounced(sketch, source, target, source == places[from] ? from % perNode : 0,
                    target == places[to] ? to % perNode : 0)
                : ways.between(sketch, source, target, from % perNode, to % perNode, true);
            if (target != places[to]) {
                ways.within(sketch, target, places[to]);
            }
            return sketch.route(cost(ofDevices(sketch, staged || bounced), bytes));
        }
        if (!ways.peer(sketch, places[from], places[to], true)) {
            throw new IllegalArgumentException(
                way + " between ranks " + from + " and " + to + ", and on machine " + machine.name()
                    + " no path leads into GPU memory; give a profile of this machine");
        }
        return sketch.route(cost(TransferKind.PEER, bytes));
    }

    private int memory(int from, int to, int node, TransferRoute way, int index) {
        List<Component> memories = topology.of(ComponentKind.MEMORY, node);
        if (index >= memories.size()) {
            throw new IllegalArgumentException(
                way + " between ranks " + from + " and " + to + ", and a node of machine "
                    + machine.name() + " has " + memories.size() + "; give a profile of this machine");
        }
        return memories.get(index).id();
    }

    /**
     * Messages of the same tier take the same routes: the number of limits, of all kinds of transfer, that they exceed.
     */
    private int tier(long bytes) {
        int tier = 0;
        while (tier < tiers.length && bytes > tiers[tier]) {
            tier++;
        }
        return tier;
    }

    private static long[] tiers(Machine machine) {
        long[] limits = new long[0];
        for (List<TransferCost> costs : machine.policy().costs().values()) {
            for (TransferCost cost : costs) {
                if (cost.upTo() < Long.MAX_VALUE) {
                    limits = Arrays.copyOf(limits, limits.length + 1);
                    limits[limits.length - 1] = cost.upTo();
                }
            }
        }
        Arrays.sort(limits);
        return limits;
    }

    private Route find(int from, int to, long bytes, RouteChoice via) {
        RouteSketch sketch = new RouteSketch();
        return sketch.route(cost(draw(sketch, from, to, via), bytes));
    }

    private TransferKind draw(RouteSketch sketch, int from, int to, RouteChoice via) {
        if (node(from) != node(to)) {
            return network(sketch, from, to, via);
        }
        return devices ? device(sketch, places[from], places[to], via) : host(sketch, places[from], places[to]);
    }

    private TransferKind device(RouteSketch sketch, int from, int to, RouteChoice via) {
        RouteChoice wanted = via;
        if (via == RouteChoice.POLICY && !choices.isEmpty()) {
            wanted = choices.getOrDefault(ways.path(from, to, true).distance(), RouteChoice.POLICY);
        }
        if (wanted != RouteChoice.HOST
            && (wanted == RouteChoice.PCI && ways.peer(sketch, from, to, false) || ways.peer(sketch, from, to, true))) {
            return TransferKind.PEER;
        }
        ways.staged(sketch, from, to);
        return TransferKind.STAGED;
    }

    /** The sender's memory is read, the receiver's written; on machines with listed cores, both cores copy. */
    private TransferKind host(RouteSketch sketch, int from, int to) {
        int read = machine.locality().memoryOf(from);
        int written = machine.locality().memoryOf(to);
        if (read >= 0 && written >= 0) {
            ways.within(sketch, read, machine.locality().cpuOf(from));
            ways.within(sketch, machine.locality().cpuOf(to), written);
        }
        if (from != to) {
            ways.within(sketch, from, to);
        }
        return TransferKind.HOST;
    }

    private TransferKind network(RouteSketch sketch, int from, int to, RouteChoice via) {
        int source = devices ? places[from] : machine.locality().memoryOf(places[from]);
        int target = devices ? places[to] : machine.locality().memoryOf(places[to]);
        boolean staged = ways.between(sketch, source, target, from % perNode, to % perNode, via != RouteChoice.HOST);
        return devices ? ofDevices(sketch, staged) : TransferKind.HOST_NET;
    }

    /** The kind of a transfer between GPUs of two nodes: staged ones are copied to or from host memory by a GPU. */
    private TransferKind ofDevices(RouteSketch sketch, boolean staged) {
        if (!staged) {
            return TransferKind.DEVICE_NET;
        }
        sketch.atMost(most(TransferKind.STAGED));
        return TransferKind.DEVICE_NET_STAGED;
    }

    private TransferCost cost(TransferKind kind, long bytes) {
        List<TransferCost> costs = machine.policy().costs().get(kind);
        for (TransferCost cost : costs) {
            if (bytes <= cost.upTo()) {
                return cost;
            }
        }
        throw new AssertionError(kind + " of " + bytes + " bytes has no cost, which the reader checks");
    }

    @Override
    public Route reduction(int rank, long bytes) {
        return work(rank, local.reduceRate(), local.reduceStartup());
    }

    @Override
    public Route copy(int rank, long bytes) {
        return work(rank, local.copyRate(), local.copyStartup());
    }

    /**
     * The whole rate of a rank's core or GPU, whatever it does: two tasks at once each take twice as long. A core moves
     * messages by the same resource.
     */
    private Route work(int rank, double rate, double startup) {
        int hands = resources.hands(rank);
        int[] links = topology.linksOf(places[rank]);
        if (place(rank).kind() == ComponentKind.CORE && topology.link(links[0]).halfDuplex()) {
            hands = resources.link(links[0], places[rank]);
        }
        return new Route(new int[] {hands}, new double[] {resources.capacity(hands) / rate}, Double.POSITIVE_INFINITY,
            startup, 0);
    }

    @Override
    public MemoryModel memory(int ranks) {
        return memory(IntStream.range(0, ranks).toArray());
    }

    /** @param ranks by rank: a rank of this machine's own order */
    MemoryModel memory(int[] ranks) {
        SharedMemoryCosts costs = devices ? null : machine.policy().memory();
        boolean together = IntStream.of(ranks).map(this::node).distinct().count() == 1;
        return costs == null || !together ? null : new MachineMemory(this, costs, ranks);
    }

    /** Seconds of a cache line from one rank's core to another's. */
    double lineLatency(int from, int to) {
        RouteSketch sketch = new RouteSketch();
        if (places[from] != places[to]) {
            ways.within(sketch, places[from], places[to]);
        }
        return sketch.route(new TransferCost(Long.MAX_VALUE, 0, 0, Double.POSITIVE_INFINITY)).latency();
    }

    /** A rank's work in memory at a rate of its own. @param together rate of all ranks at its CPU; may be infinite */
    Route inMemory(int rank, double rate, double startup, double together) {
        int hands = resources.hands(rank);
        double weight = resources.capacity(hands) / rate;
        if (together == Double.POSITIVE_INFINITY) {
            return new Route(new int[] {hands}, new double[] {weight}, Double.POSITIVE_INFINITY, startup, 0);
        }
        return new Route(new int[] {hands, resources.sharedMemory(machine.locality().cpuOf(places[rank]))},
            new double[] {weight, resources.memoryRate() / together}, Double.POSITIVE_INFINITY, startup, 0);
    }

    /** Levels are CPUs and nodes; chains come from a search over fair shares. */
    @Override
    public CommunicatorTopology wires(int ranks, long bytes) {
        return new PlacedWiring(this, NodePlacement.blocks(this, ranks)).searched(null, bytes);
    }

    @Override
    public int nodes(int ranks) {
        return (ranks + perNode() - 1) / perNode();
    }
}
