package org.brigade.topology.machine;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.figure.Dimension;
import org.brigade.topology.figure.FigureTable;
import org.brigade.topology.figure.Statement;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;

/**
 * How a machine's nodes are connected: {@code network switch|cable|fat-tree of nic|ntb ...}.
 *
 * <p>
 * A fat tree has two levels: leaf switches with some hosts each, and spines. Every leaf has one link to each spine, of
 * as many ports as the oversubscription allows.
 */
final class NetworkPlan {
    private static final int MOST_SWITCH_LINKS = 1 << 20;

    private final String shape;
    private final ComponentKind adapters;
    private final double rate;
    private final double latency;
    private final int hostsPerLeaf;
    private final int spines;
    private final double oversubscription;

    /** Reads the rest of a {@code network} line. */
    NetworkPlan(Statement statement, FigureTable figures) {
        shape = statement.word("the network's shape");
        if (!shape.equals("switch") && !shape.equals("cable") && !shape.equals("fat-tree")) {
            throw statement.wrong(Statement.shown(shape) + " is no shape of a network",
                "write switch (one for all nodes), cable (between two nodes) or fat-tree");
        }
        statement.expect("of");
        String word = statement.word("the kind of adapter");
        if (!word.equals("nic") && !word.equals("ntb")) {
            throw statement.wrong(Statement.shown(word) + " is no kind of adapter", "write nic or ntb");
        }
        adapters = word.equals("nic") ? ComponentKind.NIC : ComponentKind.NTB;
        boolean tree = shape.equals("fat-tree");
        if (tree) {
            statement.expect("leaf");
            hostsPerLeaf = figures.count(statement);
            statement.expect("spines");
            spines = figures.count(statement);
            statement.expect("oversubscription");
            oversubscription = figures.use(statement, Dimension.RATIO);
        } else {
            hostsPerLeaf = 0;
            spines = 0;
            oversubscription = 1;
        }
        statement.expect("rate");
        rate = figures.use(statement, Dimension.RATE);
        statement.expect("latency");
        latency = figures.use(statement, Dimension.TIME);
        statement.end();
    }

    ComponentKind adapters() {
        return adapters;
    }

    /** Adds switches and links after the complete nodes. Half the latency is on either side of a switch. */
    void expand(Topology.Builder topology, Statement statement, int nodes, List<Component> components) {
        LinkKind kind = adapters == ComponentKind.NTB ? LinkKind.NTB : LinkKind.NETWORK;
        List<Component> ports = new ArrayList<>();
        for (Component component : components) {
            if (component.kind() == adapters) {
                ports.add(component);
            }
        }
        if (shape.equals("cable")) {
            int each = ports.size() / 2;
            if (nodes != 2) {
                throw statement.wrong("a cable between " + nodes + " nodes",
                    "write \"network switch\", or have two nodes");
            }
            for (int i = 0; i < each; i++) {
                topology.link(kind, ports.get(i), ports.get(each + i), rate, latency);
            }
        } else if (shape.equals("switch")) {
            Component only = topology.add(ComponentKind.SWITCH, Component.NETWORK, "switch");
            for (Component port : ports) {
                topology.link(kind, port, only, rate, latency / 2);
            }
        } else {
            fatTree(topology, statement, kind, nodes, ports);
        }
    }

    private void fatTree(Topology.Builder topology, Statement statement, LinkKind kind, int nodes,
        List<Component> ports) {
        int leaves = (nodes + hostsPerLeaf - 1) / hostsPerLeaf;
        if ((long) leaves * spines > MOST_SWITCH_LINKS) {
            throw statement.wrong(
                leaves + " leaves and " + spines + " spines are more than " + MOST_SWITCH_LINKS + " links",
                "have more hosts on a leaf, or fewer spines");
        }
        List<Component> tops = new ArrayList<>();
        for (int spine = 0; spine < spines && leaves > 1; spine++) {
            tops.add(topology.add(ComponentKind.SWITCH, Component.NETWORK, "spine" + spine));
        }
        List<Component> bottoms = new ArrayList<>();
        for (int leaf = 0; leaf < leaves; leaf++) {
            bottoms.add(topology.add(ComponentKind.SWITCH, Component.NETWORK, "leaf" + leaf));
        }
        for (Component port : ports) {
            topology.link(kind, port, bottoms.get(port.node() / hostsPerLeaf), rate, latency / 2);
        }
        double portsPerLeaf = (double) hostsPerLeaf * ports.size() / nodes;
        for (Component leaf : bottoms) {
            for (Component spine : tops) {
                topology.link(kind, leaf, spine, portsPerLeaf * rate / oversubscription / spines, latency / 2);
            }
        }
    }
}
