package org.brigade.topology.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.figure.Dimension;
import org.brigade.topology.figure.FigureTable;
import org.brigade.topology.figure.Statement;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;

/** The parts of every node of a machine, as read between {@code node} and {@code end}. */
final class NodeTemplate {
    private static final int MOST_COMPONENTS = 4096;
    private static final int MOST_LINKS = 16384;

    private record Part(ComponentKind kind, String name) {
    }

    private record Wire(LinkKind kind, int a, int b, double forward, double backward, boolean halfDuplex,
        double latency) {
    }

    private final FigureTable figures;
    private final List<Part> parts = new ArrayList<>();
    private final List<Wire> wires = new ArrayList<>();
    private final Map<String, Integer> ids = new HashMap<>();

    NodeTemplate(FigureTable figures) {
        this.figures = figures;
    }

    int components() {
        return parts.size();
    }

    int links() {
        return wires.size();
    }

    /**
     * {@code KIND NAMES [under PARENTS [by LINK] rate FIGURE [back FIGURE] [half] latency FIGURE]} or
     * {@code link LINK NAMES NAMES rate ...}.
     */
    void read(Statement statement, String first) {
        if (first.equals("link")) {
            link(statement);
        } else {
            component(statement, kind(statement, first));
        }
        statement.end();
    }

    private static ComponentKind kind(Statement statement, String word) {
        for (ComponentKind kind : ComponentKind.values()) {
            if (kind.word().equals(word) && kind != ComponentKind.SWITCH) {
                return kind;
            }
        }
        throw statement.wrong(Statement.shown(word) + " is no part of a node",
            "write core, cache, cpu, memory, pci-switch, gpu, nic, ntb, nvswitch or link; \"end\" ends the node");
    }

    private void component(Statement statement, ComponentKind kind) {
        List<String> names = names(statement, statement.word("the name of a " + kind.word()));
        int first = parts.size();
        for (String name : names) {
            if (ids.containsKey(name)) {
                throw statement.wrong(name + " is already there", "give this " + kind.word() + " another name");
            }
            if (parts.size() == MOST_COMPONENTS) {
                throw statement.wrong("a node with more than " + MOST_COMPONENTS + " components", "model fewer");
            }
            ids.put(name, parts.size());
            parts.add(new Part(kind, name));
        }
        if (statement.take("under")) {
            List<Integer> parents = ends(statement, statement.word("the name of what it is under"), first);
            if (names.size() % parents.size() != 0) {
                throw statement.wrong(names.size() + " under " + parents.size(), "have as many under each");
            }
            Wire pattern = wire(statement, statement.take("by") ? linkKind(statement) : defaultLink(kind),
                kind == ComponentKind.MEMORY);
            int each = names.size() / parents.size();
            for (int i = 0; i < names.size(); i++) {
                add(statement, pattern, first + i, parents.get(i / each));
            }
        }
    }

    /** Links each of one set of components to each of another. */
    private void link(Statement statement) {
        LinkKind kind = linkKind(statement);
        List<Integer> left = ends(statement, statement.word("the name of one end"), parts.size());
        List<Integer> right = ends(statement, statement.word("the name of the other end"), parts.size());
        Wire pattern = wire(statement, kind, false);
        for (int a : left) {
            for (int b : right) {
                add(statement, pattern, a, b);
            }
        }
    }

    private void add(Statement statement, Wire pattern, int a, int b) {
        if (a == b) {
            throw statement.wrong(parts.get(a).name + " is linked to itself", "name two components");
        }
        if (wires.size() == MOST_LINKS) {
            throw statement.wrong("a node with more than " + MOST_LINKS + " links", "model fewer");
        }
        wires.add(new Wire(pattern.kind, a, b, pattern.forward, pattern.backward, pattern.halfDuplex, pattern.latency));
    }

    private Wire wire(Statement statement, LinkKind kind, boolean halfDuplex) {
        statement.expect("rate");
        double forward = figures.use(statement, Dimension.RATE);
        double backward = statement.take("back") ? figures.use(statement, Dimension.RATE) : forward;
        boolean half = statement.take("half") || halfDuplex;
        if (half && forward != backward) {
            throw statement.wrong("a half-duplex link with two rates",
                "leave out \"back\": both directions share one rate");
        }
        statement.expect("latency");
        return new Wire(kind, 0, 0, forward, backward, half, figures.use(statement, Dimension.TIME));
    }

    private static LinkKind linkKind(Statement statement) {
        String word = statement.word("the kind of a link");
        for (LinkKind kind : LinkKind.values()) {
            if (kind.word().equals(word) && kind != LinkKind.NETWORK && kind != LinkKind.NTB) {
                return kind;
            }
        }
        throw statement.wrong(Statement.shown(word) + " is no kind of link within a node",
            "write chip, memory, pci, nvlink, cpu or c2c");
    }

    private static LinkKind defaultLink(ComponentKind kind) {
        return switch (kind) {
            case CORE, CACHE -> LinkKind.CHIP;
            case MEMORY -> LinkKind.MEMORY;
            case CPU -> LinkKind.CPU;
            case NVSWITCH -> LinkKind.NVLINK;
            default -> LinkKind.PCI;
        };
    }

    /** {@code gpu0} or {@code gpu0..7}. */
    private static List<String> names(Statement statement, String word) {
        int dots = word.indexOf("..");
        if (dots < 0) {
            if (!Statement.isName(word)) {
                throw statement.wrong(Statement.shown(word) + " is no name",
                    "use up to 64 small letters, digits, dots and hyphens, the first a letter");
            }
            return List.of(word);
        }
        int digits = dots;
        while (digits > 0 && Character.isDigit(word.charAt(digits - 1))) {
            digits--;
        }
        String stem = word.substring(0, digits);
        int from = index(statement, word, word.substring(digits, dots));
        int to = index(statement, word, word.substring(dots + 2));
        if (!Statement.isName(stem) || to < from) {
            throw statement.wrong(Statement.shown(word) + " is no range of names", "write gpu0..7 for gpu0 to gpu7");
        }
        List<String> names = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            names.add(stem + i);
        }
        return names;
    }

    private static int index(Statement statement, String word, String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9 || digits.length() > 4) {
                throw statement.wrong(Statement.shown(word) + " is no range of names",
                    "write gpu0..7 for gpu0 to gpu7, with numbers of up to four digits");
            }
            value = 10 * value + digit;
        }
        if (digits.isEmpty()) {
            throw statement.wrong(Statement.shown(word) + " is no range of names", "write gpu0..7 for gpu0 to gpu7");
        }
        return value;
    }

    /**
     * Existing components, with ids below {@code before}: a component cannot be under itself, so there are no cycles.
     */
    private List<Integer> ends(Statement statement, String word, int before) {
        List<Integer> found = new ArrayList<>();
        for (String name : names(statement, word)) {
            Integer id = ids.get(name);
            if (id == null || id >= before) {
                throw statement.wrong("there is no " + name + " above",
                    "name a component of an earlier line of this node");
            }
            found.add(id);
        }
        return found;
    }

    /**
     * Adds node {@code node}: components and links get the ids from {@code node * components()} and
     * {@code node * links()} on.
     */
    void expand(Topology.Builder topology, int node, List<Component> made) {
        int offset = made.size();
        for (Part part : parts) {
            made.add(topology.add(part.kind, node, part.name));
        }
        for (Wire wire : wires) {
            topology.link(wire.kind, made.get(offset + wire.a), made.get(offset + wire.b), wire.forward, wire.backward,
                wire.halfDuplex, wire.latency);
        }
    }

    /** Whether the template has any component of a kind. */
    boolean has(ComponentKind kind) {
        for (Part part : parts) {
            if (part.kind == kind) {
                return true;
            }
        }
        return false;
    }
}
