package org.brigade.topology.nccl;

import java.io.InputStream;
import java.nio.file.Path;
import org.brigade.topology.TopologyException;
import org.brigade.topology.xml.XmlLimits;
import org.brigade.topology.xml.XmlNode;
import org.brigade.topology.xml.XmlReader;
import org.brigade.topology.xml.XmlWriter;

/**
 * The files that NCCL reads by NCCL_TOPO_FILE and writes by NCCL_TOPO_DUMP_FILE, and RCCL's. Elements unknown to NCCL
 * stay in the {@link XmlNode}, so writing reproduces the file, except for comments. {@link NcclTopology} interprets the
 * file.
 */
public final class NcclXml {
    /**
     * NCCL's own limits for attributes, children and characters (a buffer of 255 with closing quote and end); the other
     * limits bound our memory.
     */
    private static final XmlLimits LIMITS = new XmlLimits(16L << 20, 100_000, 64, 640, 16, 253);

    private NcclXml() {
    }

    /** @throws TopologyException if it is no topology file of version 1 (NCCL) or 2 (RCCL) */
    public static XmlNode read(Path file) {
        return checked(XmlReader.read(file, LIMITS), file.toString());
    }

    /** @param source its name in errors */
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
                "a graph file (NCCL_GRAPH_FILE), which describes NCCL's paths and not the machine; give the topology"
                    + " file");
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
