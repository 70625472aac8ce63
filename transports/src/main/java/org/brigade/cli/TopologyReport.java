package org.brigade.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.CpuSet;
import org.brigade.topology.Machines;
import org.brigade.topology.Topology;
import org.brigade.topology.TopologyException;
import org.brigade.topology.TopologySummary;
import org.brigade.topology.discovery.Discovery;
import org.brigade.topology.drawing.TopologyDrawing;
import org.brigade.topology.nccl.NcclTopology;
import org.brigade.topology.nccl.NcclXml;
import org.brigade.topology.place.RankPlace;
import org.brigade.topology.xml.XmlNode;

/**
 * A topology for {@code brigade info}: this machine's, an NCCL file's or a machine's, in words and as a file.
 *
 * @param document null for a machine by name, which NCCL's format has no words for
 */
record TopologyReport(Topology topology, XmlNode document, List<String> notes) {
    static TopologyReport ofThisMachine() {
        NcclTopology found = Discovery.thisMachine();
        return new TopologyReport(found.topology(), found.document(), found.notes());
    }

    /** @param source an NCCL file ({@code .xml}), or what {@link Machines} knows */
    static TopologyReport from(String source) {
        if (source.endsWith(".xml")) {
            NcclTopology read = NcclTopology.read(Path.of(source));
            return new TopologyReport(read.topology(), read.document(), read.notes());
        }
        try {
            return new TopologyReport(Machines.find(source).topology(), null, List.of());
        } catch (IllegalArgumentException e) {
            throw new TopologyException("--from " + source + ": " + e.getMessage() + "; an NCCL topology is known by .xml", e);
        }
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(TopologySummary.lines(topology));
        notes.forEach(note -> lines.add("note: " + note));
        return lines;
    }

    /** Where this process may run, of this machine. */
    String placeOfThisProcess() {
        CpuSet allowed = RankPlace.allowedProcessors();
        RankPlace place = RankPlace.on(topology, allowed, 0);
        return "may run on processors " + allowed + ": " + (place.cpu() < 0 ? "of several CPUs" : "of " + topology.component(place.cpu()).name())
            + (place.near() < 0 ? "" : ", " + topology.component(place.near()).name());
    }

    /** Writes a picture ({@code .svg}) or NCCL's XML ({@code .xml}). */
    void write(Path file) {
        String name = file.toString();
        String text;
        if (name.endsWith(".svg")) {
            text = TopologyDrawing.svg(topology);
        } else if (name.endsWith(".xml")) {
            if (document == null) {
                throw new TopologyException("--topology " + name + ": a machine's file says more than NCCL's format can; draw it (.svg)");
            }
            text = NcclXml.write(document);
        } else {
            throw new TopologyException("--topology " + name + ": a picture ends in .svg, NCCL's format in .xml; name the file so");
        }
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new TopologyException("--topology " + name + ": cannot be written: " + e + "; name a file in a folder that is there and yours", e);
        }
    }
}
