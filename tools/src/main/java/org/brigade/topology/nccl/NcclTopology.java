package org.brigade.topology.nccl;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.brigade.topology.TopologyException;
import org.brigade.topology.model.Topology;
import org.brigade.topology.xml.XmlNode;

/**
 * What an NCCL topology file says, as a graph.
 *
 * <p>
 * Both styles are read: dumps, which have {@code gpu} and {@code nic} elements, and stubs, whose devices are known by
 * their class only. Rates are NCCL's constants ({@link NcclRates}), latencies estimates. Several hosts in one file
 * ({@code host_hash}) become nodes 0, 1, ... in the order in which they appear; NVSwitches are one component, as all
 * GPUs have links to all of them.
 *
 * @param document all that the file says
 * @param topology what Brigade makes of it
 * @param notes what was left out, and where it stands
 */
public record NcclTopology(XmlNode document, Topology topology, List<String> notes) {
    public NcclTopology {
        notes = List.copyOf(notes);
    }

    /** @throws TopologyException with file, line and cure */
    public static NcclTopology read(Path file) {
        return of(NcclXml.read(file), file.toString());
    }

    /** @param source what errors call it */
    public static NcclTopology read(InputStream in, String source) {
        return of(NcclXml.read(in, source), source);
    }

    /** @param source what errors and the topology are called, unless the document has a name */
    public static NcclTopology of(XmlNode document, String source) {
        NcclGraph graph = new NcclGraph(NcclXml.checked(document, source), source);
        return new NcclTopology(document, graph.build(), graph.notes());
    }
}
