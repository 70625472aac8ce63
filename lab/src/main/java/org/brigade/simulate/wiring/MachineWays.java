package org.brigade.simulate.wiring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.simulate.wiring.MachineResources.Use;
import org.brigade.topology.figure.Limit;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.NodePath;
import org.brigade.topology.machine.NodePaths;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.Locality;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/** The paths between components of a machine by its policy, written into {@link RouteSketch}es. */
public final class MachineWays {
    private static final int CACHED = 1 << 12;

    private final Machine machine;
    private final Topology topology;
    private final Locality locality;
    private final NodePaths paths;
    private final MachineResources resources;
    private final MachineNetwork network;
    /** For node 0, as all nodes are alike. */
    private final long[] keys = new long[CACHED];
    private final NodePath[] known = new NodePath[CACHED];
    /** For node 0: component and index to adapter. */
    private final Map<Long, Integer> nearest = new HashMap<>();
    /** For any two nodes: the adapters of a path by way of host memory. */
    private final Map<Bounce, int[]> fastest = new HashMap<>();

    /** The ends of a path between nodes, as components of node 0, and which of equally near adapters GPUs take. */
    private record Bounce(int from, int to, int fromIndex, int toIndex) {
    }

    MachineWays(Machine machine, MachineResources resources) {
        this.machine = machine;
        this.resources = resources;
        topology = machine.topology();
        locality = machine.locality();
        paths = new NodePaths(topology);
        network = new MachineNetwork(topology);
    }

    /** From one GPU of a node into another's memory; false if the policy does not allow it, or no path leads there. */
    public boolean peer(RouteSketch sketch, int from, int to, boolean nvlink) {
        NodePath path = path(from, to, nvlink);
        Limit limit = path == null ? null : machine.policy().peers().get(path.distance());
        if (limit == null) {
            return false;
        }
        follow(sketch, path, node(from));
        limit(sketch, limit, Use.PEER, path.distance(), locality.cpuOf(from));
        return true;
    }

    /** From one GPU of a node to another through host memory. */
    void staged(RouteSketch sketch, int from, int to) {
        int memory = locality.memoryOf(machine.policy().stageAtSender() ? from : to);
        within(sketch, from, memory);
        within(sketch, memory, to);
    }

    /** Between any two components of a node by the best path, which no policy limits. */
    public void within(RouteSketch sketch, int from, int to) {
        follow(sketch, path(from, to, true), node(from));
    }

    /**
     * From one node's memory or GPU to another's, with {@code direct} as far as the policy lets adapters access GPUs.
     * Returns whether host memory was needed in between.
     */
    public boolean between(RouteSketch sketch, int from, int to, int fromIndex, int toIndex, boolean direct) {
        return through(sketch, from, adapter(from, fromIndex), adapter(to, toIndex), to, direct);
    }

    /**
     * The same for data that pass host memory of the program's choice: {@code from} or {@code to}, or both, are such
     * memories. It uses the adapter by which this path is fastest; of equals the nearest.
     */
    public boolean bounced(RouteSketch sketch, int from, int to, int fromIndex, int toIndex) {
        int here = node(from) * machine.componentsPerNode();
        int there = node(to) * machine.componentsPerNode();
        int[] adapters = fastest.computeIfAbsent(new Bounce(from - here, to - there, fromIndex, toIndex),
            key -> findFastest(from, to, fromIndex, toIndex));
        return through(sketch, from, here + adapters[0], there + adapters[1], to, true);
    }

    private int[] findFastest(int from, int to, int fromIndex, int toIndex) {
        int[] best = null;
        double most = 0;
        for (int out : adapters(from, fromIndex)) {
            for (int in : adapters(to, toIndex)) {
                RouteSketch sketch = new RouteSketch();
                through(sketch, from, out, in, to, true);
                double rate = sketch.alone(resources);
                if (best == null || rate > most) {
                    best = new int[] {out - node(from) * machine.componentsPerNode(),
                        in - node(to) * machine.componentsPerNode()};
                    most = rate;
                }
            }
        }
        return best;
    }

    /** All adapters that the policy uses, the nearest first, or that of a GPU. */
    private int[] adapters(int component, int index) {
        int near = adapter(component, index);
        if (topology.component(component).kind() == ComponentKind.GPU) {
            return new int[] {near};
        }
        List<Component> all = network.adapters(node(component));
        int[] found = new int[Math.min(all.size(), machine.policy().adapters())];
        found[0] = near;
        int count = 1;
        for (int i = 0; i < found.length; i++) {
            if (all.get(i).id() != near) {
                found[count++] = all.get(i).id();
            }
        }
        return found;
    }

    private boolean through(RouteSketch sketch, int from, int out, int wanted, int to, boolean direct) {
        int in = network.across(out, wanted);
        boolean staged = reach(sketch, from, out, true, direct);
        for (int at = out; at != in;) {
            int link = network.next(at, in);
            step(sketch, link, at);
            at = topology.link(link).other(at);
        }
        return reach(sketch, to, in, false, direct) | staged;
    }

    /**
     * Between a GPU or memory and an adapter of its node, in either direction; returns whether the path uses host
     * memory.
     */
    private boolean reach(RouteSketch sketch, int device, int adapter, boolean outwards, boolean direct) {
        if (topology.component(device).kind() != ComponentKind.GPU) {
            within(sketch, outwards ? device : adapter, outwards ? adapter : device);
            return false;
        }
        NodePath path = outwards ? path(device, adapter, true) : path(adapter, device, true);
        Map<Distance, Limit> rules = outwards ? machine.policy().reads() : machine.policy().writes();
        Limit limit = direct ? rules.get(path.distance()) : null;
        if (limit != null) {
            follow(sketch, path, node(device));
            limit(sketch, limit, outwards ? Use.READ : Use.WRITE, path.distance(), locality.cpuOf(device));
            return false;
        }
        int memory = locality.memoryOf(device);
        within(sketch, outwards ? device : adapter, memory);
        within(sketch, memory, outwards ? adapter : device);
        return true;
    }

    /**
     * The adapter that a component uses: the nearest of the policy's first ones, by distance, then by links; of equals
     * the {@code index}-th in turn.
     */
    private int adapter(int component, int index) {
        int node = node(component);
        int local = component - node * machine.componentsPerNode();
        int offset = node * machine.componentsPerNode();
        return offset + nearest.computeIfAbsent((long) local << 32 | index, key -> findAdapter(local, index));
    }

    private int findAdapter(int component, int index) {
        List<Component> adapters = network.adapters(0);
        int usable = Math.min(adapters.size(), machine.policy().adapters());
        int best = Integer.MAX_VALUE;
        int equals = 0;
        int[] chosen = new int[usable];
        for (int i = 0; i < usable; i++) {
            NodePath path = path(component, adapters.get(i).id(), true);
            int far = path.distance().ordinal() * topology.components().size() + path.links().length;
            if (far < best) {
                best = far;
                equals = 0;
            }
            if (far == best) {
                chosen[equals++] = adapters.get(i).id();
            }
        }
        return chosen[index % equals];
    }

    private int node(int component) {
        return topology.component(component).node();
    }

    /**
     * The path between two components of a node, in the ids of node 0; null if there is none, which is possible only
     * without NVLinks.
     */
    public NodePath path(int from, int to, boolean nvlink) {
        int offset = node(from) * machine.componentsPerNode();
        long key = 1 + 2 * ((long) (from - offset) * machine.componentsPerNode() + to - offset) + (nvlink ? 1 : 0);
        int slot = (int) (key * 0x9E3779B97F4A7C15L >>> 52);
        if (keys[slot] != key) {
            known[slot] =
                nvlink ? paths.best(from - offset, to - offset) : paths.withoutNvlink(from - offset, to - offset);
            keys[slot] = key;
        }
        return known[slot];
    }

    private void limit(RouteSketch sketch, Limit limit, Use use, Distance distance, int cpu) {
        if (limit.shared()) {
            sketch.use(resources.limit(use, distance, cpu), 1);
        } else {
            sketch.atMost(limit.rate());
        }
    }

    private void follow(RouteSketch sketch, NodePath path, int node) {
        for (int i = 0; i < path.links().length; i++) {
            step(sketch, path.links()[i] + node * machine.linksPerNode(),
                path.components()[i] + node * machine.componentsPerNode());
        }
    }

    private void step(RouteSketch sketch, int id, int from) {
        TopologyLink link = topology.link(id);
        sketch.use(resources.link(id, from), 1);
        sketch.late(link.latency());
    }
}
