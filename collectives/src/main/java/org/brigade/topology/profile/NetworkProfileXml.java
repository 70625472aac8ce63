package org.brigade.topology.profile;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.brigade.topology.TopologyException;
import org.brigade.topology.xml.XmlLimits;
import org.brigade.topology.xml.XmlNode;
import org.brigade.topology.xml.XmlReader;
import org.brigade.topology.xml.XmlWriter;

/**
 * The file of a {@link NetworkProfile}.
 *
 * <pre>
 *   &lt;network format="1" date="2026-11-26" fabric="mpi" bytes="8388608"&gt;
 *     &lt;node host="node1"/&gt; ...                            by index
 *     &lt;ring gbps="0.0118" nodes="0 2 1 3"/&gt;               gbps is 10^9 bytes/s
 *     &lt;chain gbps="0.0118" nodes="1 3 0 2"/&gt; ...          for each first node
 *   &lt;/network&gt;
 * </pre>
 */
public final class NetworkProfileXml {
    private static final String ROOT = "network";
    private static final String FORMAT = "1";
    private static final String PREFIX = "network-";
    private static final String SUFFIX = ".xml";
    private static final XmlLimits LIMITS = new XmlLimits(1 << 20, 1000, 4, 500, 16, 4096);

    private final String source;

    private NetworkProfileXml(String source) {
        this.source = source;
    }

    /** @throws TopologyException with line and cure if the file cannot be read or is not such a profile */
    public static NetworkProfile read(Path file) {
        return new NetworkProfileXml(file.toString()).profile(XmlReader.read(file, LIMITS));
    }

    /** Whether a file is a profile of a network, and not one of a machine. */
    public static boolean isOne(Path file) {
        return XmlReader.read(file, ProfileXml.LIMITS).name().equals(ROOT);
    }

    /** As {@link #read}, from a text that errors call {@code source}. */
    public static NetworkProfile parse(String source, String text) {
        return new NetworkProfileXml(source)
            .profile(XmlReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), source, LIMITS));
    }

    /** The file's text. */
    public static String text(NetworkProfile profile) {
        List<XmlNode> parts = new ArrayList<>();
        profile.hosts().forEach(host -> parts.add(element("node", List.of(), "host", host)));
        parts.add(visit("ring", profile.ring()));
        profile.chains().values().forEach(chain -> parts.add(visit("chain", chain)));
        return XmlWriter.write(element(ROOT, parts, "format", FORMAT, "date", profile.date(), "fabric",
            profile.fabric(), "bytes", profile.bytes()));
    }

    /** Writes a file atomically; makes missing folders. */
    public static void write(NetworkProfile profile, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, "network", ".part");
        try {
            Files.writeString(fresh, text(profile));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Where ranks look for the profile of these nodes: {@code .brigade/network-1f2e3d4c.xml}. */
    public static Path defaultFile(Path home, String fabric, List<String> hosts) {
        int hash = 31 * fabric.hashCode() + hosts.stream().sorted().toList().hashCode();
        return MachineFingerprint.folder(home).resolve(PREFIX + Integer.toHexString(hash) + SUFFIX);
    }

    /** Whether a file in the folder of profiles has the name of one of a network. */
    public static boolean isDefault(String name) {
        return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
    }

    private static XmlNode visit(String name, NetworkProfile.Visit visit) {
        return element(name, List.of(), "gbps", Math.max(1, Math.round(visit.bandwidth() / 1e3)) / 1e6, "nodes",
            visit.nodes().stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private static XmlNode element(String name, List<XmlNode> children, Object... attributes) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            pairs.put((String) attributes[i], String.valueOf(attributes[i + 1]));
        }
        return new XmlNode(name, pairs, children, 0);
    }

    private NetworkProfile profile(XmlNode root) {
        if (!root.name().equals(ROOT)) {
            throw wrong(root, "is no profile of a network; give a file that brigade profile --nodes has written");
        }
        if (!text(root, "format").equals(FORMAT)) {
            throw wrong(root, "format=\"" + text(root, "format") + "\" is not " + FORMAT
                + "; it was written by another version, take the profile again");
        }
        List<String> hosts = new ArrayList<>();
        root.children("node").forEach(node -> hosts.add(text(node, "host")));
        XmlNode ring = root.child("ring");
        if (ring == null) {
            throw wrong(root, "has no <ring>; take the profile again");
        }
        Map<Integer, NetworkProfile.Visit> chains = new TreeMap<>();
        for (XmlNode chain : root.children("chain")) {
            NetworkProfile.Visit visit = visit(chain);
            if (chains.put(visit.nodes().get(0), visit) != null) {
                throw wrong(chain, "is another one from node " + visit.nodes().get(0) + "; remove one of them");
            }
        }
        try {
            return new NetworkProfile(text(root, "fabric"), text(root, "date"), Long.parseLong(text(root, "bytes")),
                hosts, visit(ring), chains);
        } catch (NumberFormatException e) {
            throw wrong(root, "bytes=\"" + text(root, "bytes") + "\" is no number; correct it");
        } catch (IllegalArgumentException e) {
            throw wrong(root, e.getMessage() + "; take the profile again");
        }
    }

    private NetworkProfile.Visit visit(XmlNode node) {
        try {
            List<Integer> nodes = new ArrayList<>();
            for (String word : text(node, "nodes").strip().split(" +")) {
                nodes.add(Integer.parseInt(word));
            }
            return new NetworkProfile.Visit(Double.parseDouble(text(node, "gbps")) * 1e9, nodes);
        } catch (NumberFormatException e) {
            throw wrong(node, "has a number that is none (" + e.getMessage() + "); correct it");
        }
    }

    private String text(XmlNode node, String attribute) {
        String value = node.attribute(attribute);
        if (value == null) {
            throw wrong(node, "has no " + attribute + "; add it");
        }
        return value;
    }

    private TopologyException wrong(XmlNode node, String what) {
        return new TopologyException(
            source + (node.line() > 0 ? " line " + node.line() : "") + ": <" + node.name() + "> " + what);
    }
}
