package org.brigade.cli.info;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.nativ.Affinity;
import org.brigade.topology.CpuSet;
import org.brigade.topology.TopologyException;
import org.brigade.topology.discovery.Discovery;
import org.brigade.topology.drawing.TopologyDrawing;
import org.brigade.topology.machine.MachineWriter;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologySummary;
import org.brigade.topology.nccl.NcclTopology;
import org.brigade.topology.nccl.NcclXml;
import org.brigade.topology.xml.XmlNode;

/**
 * A topology for {@code brigade info}: of this machine, an NCCL file or a machine file, in words and as a file.
 *
 * @param document null for a machine by name, which NCCL's format cannot express
 */
record TopologyReport(Topology topology, XmlNode document, List<String> notes) {
    static TopologyReport ofThisMachine() {
        NcclTopology found = Discovery.thisMachine();
        return new TopologyReport(found.topology(), found.document(), found.notes());
    }

    /** @param source an NCCL file ({@code .xml}), or a name that {@link Machines} knows */
    static TopologyReport from(String source) {
        if (source.endsWith(".xml")) {
            NcclTopology read = NcclTopology.read(Path.of(source));
            return new TopologyReport(read.topology(), read.document(), read.notes());
        }
        try {
            return new TopologyReport(Machines.find(source).topology(), null, List.of());
        } catch (IllegalArgumentException e) {
            throw new TopologyException(
                "--from " + source + ": " + e.getMessage() + "; an NCCL topology must be named *.xml", e);
        }
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(TopologySummary.lines(topology));
        notes.forEach(note -> lines.add("note: " + note));
        return lines;
    }

    /** Where this process may run on this machine: the CPU, and the shared cache, that contain all its processors. */
    String placeOfThisProcess() {
        CpuSet allowed;
        try {
            allowed = CpuSet.of(Affinity.current().stream().toArray());
        } catch (LinkageError e) {
            return "may run on unknown processors: " + e.getMessage();
        }
        String cpu = holder(ComponentKind.CPU, allowed);
        return "may run on processors " + allowed + ": " + (cpu == null ? "of several CPUs" : "of " + cpu)
            + (cpu == null || holder(ComponentKind.CACHE, allowed) == null ? ""
                : ", " + holder(ComponentKind.CACHE, allowed));
    }

    private String holder(ComponentKind kind, CpuSet allowed) {
        for (Component component : topology.of(kind)) {
            if (CpuSet.parseList(component.attributes().getOrDefault("cpus", "")).containsAll(allowed)) {
                return component.name();
            }
        }
        return null;
    }

    /**
     * Writes a picture ({@code .svg}), NCCL's XML ({@code .xml}) or a machine file ({@code .machine}).
     *
     * @param nodes number of such nodes in a machine file
     */
    void write(Path file, int nodes) {
        String name = file.toString();
        String text;
        if (name.endsWith(".svg")) {
            text = TopologyDrawing.svg(topology);
        } else if (name.endsWith(".xml")) {
            if (document == null) {
                throw new TopologyException(
                    "--topology " + name + ": a machine's file says more than NCCL's format can; draw it (.svg)");
            }
            text = NcclXml.write(document);
        } else if (name.endsWith(".machine")) {
            if (document == null) {
                throw new TopologyException(
                    "--topology " + name + ": " + topology.name() + " is a machine already; copy its file");
            }
            text = MachineWriter.write(topology, nodes);
        } else {
            throw new TopologyException("--topology " + name
                + ": a picture ends in .svg, NCCL's format in .xml, a machine to simulate in .machine; name the file"
                + " so");
        }
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new TopologyException("--topology " + name + ": cannot be written: " + e
                + "; name a file in an existing folder that you may write to", e);
        }
    }
}
