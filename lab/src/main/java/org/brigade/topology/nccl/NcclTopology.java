package org.brigade.topology.nccl;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.brigade.topology.TopologyException;
import org.brigade.topology.model.Topology;
import org.brigade.topology.xml.XmlNode;

/**
 * An NCCL topology file as a graph.
 *
 * <p>
 * Reads both styles: dumps, which have {@code gpu} and {@code nic} elements, and stubs, which give only the devices'
 * classes. Rates are NCCL's constants ({@link NcclRates}), latencies estimates. Several hosts in one file
 * ({@code host_hash}) become nodes 0, 1, ... in order of appearance. NVSwitches are one component, as all GPUs have
 * links to all of them.
 *
 * @param document the whole file
 * @param topology Brigade's graph of it
 * @param notes what was left out, and its place
 */
public record NcclTopology(XmlNode document, Topology topology, List<String> notes) {
    public NcclTopology {
        notes = List.copyOf(notes);
    }

    /** @throws TopologyException with file, line and cure */
    public static NcclTopology read(Path file) {
        return of(NcclXml.read(file), file.toString());
    }

    /** @param source its name in errors */
    public static NcclTopology read(InputStream in, String source) {
        return of(NcclXml.read(in, source), source);
    }

    /** @param source its name in errors, and the topology's unless the document has a name */
    public static NcclTopology of(XmlNode document, String source) {
        NcclGraph graph = new NcclGraph(NcclXml.checked(document, source), source);
        return new NcclTopology(document, graph.build(), graph.notes());
    }
}
