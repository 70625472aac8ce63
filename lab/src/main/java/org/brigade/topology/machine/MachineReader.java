package org.brigade.topology.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.topology.figure.Figure;
import org.brigade.topology.figure.FigureTable;
import org.brigade.topology.figure.MachineFormatException;
import org.brigade.topology.figure.Statement;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Locality;
import org.brigade.topology.model.Topology;

/**
 * Reads a machine file: lines of words, {@code #} before a remark. docs/machines.md describes them.
 *
 * <p>
 * Every number is in a {@code figure} line, with its unit and source; everything else refers to figures by name. Errors
 * name the line and a cure. No file can make the reader use much memory: sizes are checked before anything is built.
 */
public final class MachineReader {
    private static final int LONGEST_TEXT = 1 << 20;
    private static final int MOST_COMPONENTS = 400_000;

    private final String file;
    private final FigureTable figures;
    private final NodeTemplate template;
    private final PolicyReader policy;
    private String name;
    private String title;
    private boolean templateRead;
    private Statement nodesAt;
    private int nodes = 1;
    private Statement networkAt;
    private NetworkPlan network;

    private MachineReader(String file, Map<String, Double> changes) {
        this.file = file;
        figures = new FigureTable(changes);
        template = new NodeTemplate(figures);
        policy = new PolicyReader(figures);
    }

    /**
     * @param file for errors
     * @throws MachineFormatException naming the line, the fault, and the cure
     */
    public static Machine read(String file, String text) {
        return read(file, text, Map.of());
    }

    /** @param changes values in SI that replace the file's figures, by name */
    static Machine read(String file, String text, Map<String, Double> changes) {
        if (text.length() > LONGEST_TEXT) {
            throw new MachineFormatException(file, 1, "a file of " + text.length() + " characters",
                "machine files have at most " + LONGEST_TEXT);
        }
        MachineReader reader = new MachineReader(file, changes);
        String[] lines = text.split("\n", -1);
        reader.lines(lines);
        return reader.build(text, changes, lines.length);
    }

    private void lines(String[] lines) {
        int nodeFrom = 0;
        for (int i = 0; i < lines.length; i++) {
            Statement statement = new Statement(file, i + 1, lines[i]);
            if (statement.atEnd()) {
                continue;
            }
            String first = statement.word("a word that says what the line is about");
            if (nodeFrom > 0) {
                if (first.equals("end")) {
                    statement.end();
                    nodeFrom = 0;
                } else {
                    template.read(statement, first);
                }
            } else if (first.equals("node")) {
                statement.end();
                if (templateRead) {
                    throw statement.wrong("a second node", "describe one: all nodes of a machine are alike");
                }
                templateRead = true;
                nodeFrom = i + 1;
            } else {
                read(statement, first);
            }
        }
        if (nodeFrom > 0) {
            throw new MachineFormatException(file, lines.length,
                "the file ends within the node that begins on line " + nodeFrom,
                "write \"end\" after its last component or link");
        }
    }

    private void read(Statement statement, String first) {
        if (first.equals("machine")) {
            once(statement, name != null, first);
            name = statement.name("the machine's name");
            title = statement.text("description");
            statement.end();
        } else if (name == null) {
            throw statement.wrong("the file begins with " + Statement.shown(first),
                "begin with: machine NAME \"DESCRIPTION\"");
        } else if (first.equals("figure")) {
            figures.declare(statement);
        } else if (first.equals("nodes")) {
            once(statement, nodesAt != null, first);
            nodesAt = statement;
            nodes = figures.count(statement);
            statement.end();
        } else if (first.equals("network")) {
            once(statement, networkAt != null, first);
            networkAt = statement;
            network = new NetworkPlan(statement, figures);
        } else if (!policy.read(statement, first)) {
            throw statement.wrong("no line of a machine file begins with " + Statement.shown(first),
                "write machine, figure, node, nodes, network, peer, gpudirect, stage, adapters, transfer, local,"
                    + " shared-memory or congestion");
        }
    }

    private static void once(Statement statement, boolean again, String word) {
        if (again) {
            throw statement.wrong("a second line \"" + word + "\"", "remove one of them");
        }
    }

    private Machine build(String text, Map<String, Double> changes, int lastLine) {
        if (name == null) {
            throw new MachineFormatException(file, lastLine, "the file is empty",
                "begin with: machine NAME \"DESCRIPTION\"");
        }
        boolean gpus = template.has(ComponentKind.GPU);
        boolean cores = template.has(ComponentKind.CORE);
        if (!gpus && !cores) {
            throw new MachineFormatException(file, lastLine, "a machine without a place for ranks",
                "give its node a gpu or a core");
        }
        if (nodes > 1 && network == null) {
            throw nodesAt.wrong(nodes + " nodes and no network", "add a line \"network\"");
        }
        if (network != null && !template.has(network.adapters())) {
            throw networkAt.wrong("a network of adapters (" + network.adapters().word() + ") that no node has",
                "give the node one");
        }
        if ((long) nodes * template.components() > MOST_COMPONENTS) {
            throw nodesAt.wrong(
                nodes + " nodes of " + template.components() + " components are more than " + MOST_COMPONENTS,
                "have fewer");
        }
        policy.check(file, lastLine, gpus, cores, network != null);
        Map<String, Figure> table = figures.finish(file, lastLine);
        Topology.Builder topology = new Topology.Builder(name);
        List<Component> components = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            template.expand(topology, node, components);
        }
        if (network != null) {
            network.expand(topology, networkAt, nodes, components);
        }
        Topology built = topology.build();
        checkConnected(built, lastLine);
        return new Machine(file, text, changes, name, title, built, template.components(), template.links(), table,
            policy.policy(), policy.patterns(), new Locality(built));
    }

    /** Every component must be reachable from the first, and every GPU and adapter needs a CPU and memory. */
    private void checkConnected(Topology topology, int lastLine) {
        boolean[] reached = new boolean[topology.components().size()];
        int[] queue = new int[reached.length];
        int end = 0;
        queue[end++] = 0;
        reached[0] = true;
        for (int at = 0; at < end; at++) {
            for (int id : topology.linksOf(queue[at])) {
                int other = topology.link(id).other(queue[at]);
                if (!reached[other]) {
                    reached[other] = true;
                    queue[end++] = other;
                }
            }
        }
        for (Component component : topology.components()) {
            if (!reached[component.id()]) {
                throw new MachineFormatException(file, lastLine,
                    "nothing links " + component + " to " + topology.component(0),
                    "put it under something, or add a link");
            }
        }
        checkWays(topology, lastLine);
    }

    /**
     * Within a node (all are alike) every device must reach its CPU and host memory, and every CPU the others, without
     * passing a device.
     */
    private void checkWays(Topology topology, int lastLine) {
        Locality locality = new Locality(topology);
        NodePaths paths = new NodePaths(topology);
        int firstCpu = -1;
        for (int id = 0; id < template.components(); id++) {
            Component component = topology.component(id);
            ComponentKind kind = component.kind();
            int cpu = locality.cpuOf(id);
            if (kind == ComponentKind.NVSWITCH) {
                continue;
            }
            if (cpu < 0) {
                throw new MachineFormatException(file, lastLine, component.name() + " belongs to no cpu",
                    "link it to one, or to something that is");
            }
            boolean device = kind == ComponentKind.GPU || kind == ComponentKind.NIC || kind == ComponentKind.NTB;
            if (device && locality.memoryOf(id) < 0) {
                throw new MachineFormatException(file, lastLine, component.name() + " has no host memory near it",
                    "put a memory under " + topology.component(cpu).name());
            }
            if (kind == ComponentKind.CPU) {
                firstCpu = firstCpu < 0 ? id : firstCpu;
            }
            int needed = kind == ComponentKind.CPU ? firstCpu : cpu;
            if (needed != id && paths.best(id, needed) == null) {
                throw new MachineFormatException(file, lastLine,
                    "all paths from " + component.name() + " to " + topology.component(needed).name()
                        + " lead through devices",
                    "link them by cpus, caches or switches");
            }
        }
    }
}
