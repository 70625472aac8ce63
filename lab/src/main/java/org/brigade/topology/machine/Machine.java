package org.brigade.topology.machine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.figure.Figure;
import org.brigade.topology.figure.MachineFormatException;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Locality;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * A machine as a file describes it: its graph, its figures with their sources, how transfers go on it, and what
 * congests it. Component {@code i} of node {@code n} has the id {@code n * componentsPerNode() + i}, and likewise
 * links.
 *
 * @param text of the file
 * @param changes of figures, by name, to what the text says
 * @param title what it is, in a line
 * @param topology all nodes alike, one after the other, then the network
 * @param figures by name, in the file's order
 */
public record Machine(String file, String text, Map<String, Double> changes, String name, String title,
    Topology topology, int componentsPerNode, int linksPerNode, Map<String, Figure> figures, TransferPolicy policy,
    List<CongestionPattern> patterns, Locality locality) {
    /**
     * The same machine with one figure changed, for sweeps.
     *
     * @param value in SI units
     * @throws MachineFormatException if there is no such figure, or the value is impossible
     */
    public Machine with(String figure, double value) {
        Map<String, Double> more = new LinkedHashMap<>(changes);
        more.put(figure, value);
        return MachineReader.read(file, text, more);
    }

    /**
     * The same machine with one figure changed, as {@code name=value} with a unit: {@code core=20 GB/s}.
     *
     * @throws IllegalArgumentException if there is no such figure, or the value cannot be read
     */
    public Machine with(String change) {
        int equals = change.indexOf('=');
        Figure figure = equals < 0 ? null : figures.get(change.substring(0, equals).strip());
        if (figure == null) {
            throw new IllegalArgumentException("'" + change + "' changes no figure of " + name
                + "; write NAME=VALUE with one of " + String.join(", ", figures.keySet()));
        }
        String[] words = change.substring(equals + 1).strip().split("\\s+", 2);
        double scale = words.length == 2 ? figure.dimension().scale(words[1]) : Double.NaN;
        double value = Double.NaN;
        try {
            value = Double.parseDouble(words[0]) * scale;
        } catch (NumberFormatException e) {
            // reported below
        }
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("'" + change + "': " + figure.name() + " is "
                + figure.dimension().words() + ", as " + figure.written());
        }
        return with(figure.name(), value);
    }

    /**
     * The same machine, but the two directions of each link of this kind share one direction's rate. Must be the last
     * change: {@link #with} reads the file anew.
     */
    public Machine halfDuplex(LinkKind kind) {
        Topology.Builder builder = new Topology.Builder(topology.name());
        for (Component component : topology.components()) {
            builder.add(component.kind(), component.node(), component.name(), component.attributes());
        }
        for (TopologyLink link : topology.links()) {
            boolean half = link.halfDuplex() || link.kind() == kind && link.forward() == link.backward();
            builder.link(link.kind(), topology.component(link.a()), topology.component(link.b()), link.forward(),
                link.backward(), half, link.latency());
        }
        return new Machine(file, text, changes, name, title, builder.build(), componentsPerNode, linksPerNode, figures,
            policy, patterns, locality);
    }

    /**
     * The same machine, but adapters reach host memory only. Must be the last change: {@link #with} reads the file
     * anew.
     */
    public Machine withoutGpuDirect() {
        TransferPolicy staged = new TransferPolicy(policy.peers(), Map.of(), Map.of(), policy.stageAtSender(),
            policy.adapters(), policy.costs(), policy.local(), policy.memory());
        return new Machine(file, text, changes, name, title, topology, componentsPerNode, linksPerNode, figures, staged,
            patterns, locality);
    }

    @Override
    public String toString() {
        return name + ": " + title;
    }
}
