package org.brigade.topology.nccl;

import java.io.InputStream;
import java.nio.file.Path;
import org.brigade.topology.TopologyException;
import org.brigade.topology.xml.XmlLimits;
import org.brigade.topology.xml.XmlNode;
import org.brigade.topology.xml.XmlReader;
import org.brigade.topology.xml.XmlWriter;

/**
 * Files as NCCL takes them by NCCL_TOPO_FILE and leaves them by NCCL_TOPO_DUMP_FILE, and RCCL's. Read whole: what NCCL
 * skips (elements that it does not know) stays in the {@link XmlNode}, so writing gives back what was read, but for
 * comments. What the file means is {@link NcclTopology}'s.
 */
public final class NcclXml {
    /**
     * NCCL's own limits for attributes, children and characters (a buffer of 255 with closing quote and end); its
     * memory bounds the rest, ours does here.
     */
    private static final XmlLimits LIMITS = new XmlLimits(16L << 20, 100_000, 64, 640, 16, 253);

    private NcclXml() {
    }

    /** @throws TopologyException if it is no topology file of version 1 (NCCL) or 2 (RCCL) */
    public static XmlNode read(Path file) {
        return checked(XmlReader.read(file, LIMITS), file.toString());
    }

    /** @param source what errors call it */
    public static XmlNode read(InputStream in, String source) {
        return checked(XmlReader.read(in, source, LIMITS), source);
    }

    public static String write(XmlNode system) {
        return XmlWriter.write(system);
    }

    static XmlNode checked(XmlNode root, String source) {
        NcclAttributes here = new NcclAttributes(source, root);
        switch (root.name()) {
            case "system" -> {}
            case "graphs" -> throw here.wrong(
                "a graph file (NCCL_GRAPH_FILE), which says how NCCL goes through a machine and not what it is; give the topology file");
            case "topology" ->
                throw here.wrong("a topology of hwloc (lstopo); give NCCL's, which NCCL_TOPO_DUMP_FILE makes");
            default -> throw here.wrong("the first element is <" + root.name()
                + ">, and NCCL topologies begin with <system>; give such a file");
        }
        int version = here.integer("version");
        if (version != 1 && version != 2) {
            throw here.wrong("version " + version + "; 1 (NCCL) and 2 (RCCL) are known");
        }
        return root;
    }
}
