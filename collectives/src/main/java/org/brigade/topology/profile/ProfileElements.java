package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.topology.xml.XmlNode;

/** Writes a profile as the elements of its file, as {@link ProfileXml} describes them. */
final class ProfileElements {
    private ProfileElements() {
    }

    /** The root of the file. */
    static XmlNode of(PathProfile profile) {
        List<XmlNode> parts = new ArrayList<>();
        if (profile.origin() != null) {
            parts.add(machine(profile.origin()));
        }
        parts.add(element("metadata", attributes("num_gpus", profile.gpus(), "num_numa", profile.numaNodes(),
            "num_bits_idx", profile.indexBits()), List.of()));
        List<XmlNode> intra = new ArrayList<>();
        profile.rings()
            .forEach((mask, path) -> intra.add(subset(mask, List.of(transfers(path, new LinkedHashMap<>())))));
        parts.add(element("intra", Map.of(), intra));
        List<XmlNode> inter = new ArrayList<>();
        Map<Integer, List<XmlNode>> chains = new TreeMap<>();
        profile.chains()
            .forEach((mask, byStart) -> byStart
                .forEach((start, path) -> chains.computeIfAbsent(mask, set -> new ArrayList<>()).add(
                    transfers(path, attributes("start", start)))));
        for (int mask : profile.crossedSets()) {
            List<XmlNode> through = new ArrayList<>();
            for (CrossedPath path : profile.crossed(mask)) {
                Map<String, String> ends = new LinkedHashMap<>();
                if (path.head() == null) {
                    ends.put("start", Integer.toString(path.path().gpus().get(0)));
                }
                crossing(ends, "head", path.head());
                crossing(ends, "tail", path.tail());
                boolean both = path.head() != null && path.tail() != null;
                (both ? through : chains.computeIfAbsent(mask, set -> new ArrayList<>()))
                    .add(transfers(path.path(), ends));
            }
            inter.add(subset(mask, through));
        }
        parts.add(element("inter", Map.of(), inter));
        List<XmlNode> chain = new ArrayList<>();
        chains.forEach((mask, paths) -> chain.add(subset(mask, paths)));
        if (!chain.isEmpty()) {
            parts.add(element("chain", Map.of(), chain));
        }
        return element("root", Map.of(), parts);
    }

    private static XmlNode machine(PathProfile.Origin origin) {
        MachineFingerprint machine = origin.machine();
        List<XmlNode> parts = new ArrayList<>();
        for (String gpu : machine.gpus()) {
            parts.add(element("gpu", attributes("id", gpu), List.of()));
        }
        for (int index = 0; index < origin.devices().size(); index++) {
            parts.add(element("device", attributes("index", index, "id", origin.devices().get(index)), List.of()));
        }
        return element("machine",
            attributes("format", ProfileXml.FORMAT, "host", machine.host(), "cpu", machine.cpu(), "processors",
                machine.processors(), "numa", machine.numaNodes(),
                "driver", machine.driver(), "date", origin.date(), "space", origin.space(), "bytes", origin.bytes()),
            parts);
    }

    private static XmlNode subset(int mask, List<XmlNode> paths) {
        return element("subset", attributes("gpus", mask), paths);
    }

    private static XmlNode transfers(MeasuredPath path, Map<String, String> ends) {
        Map<String, String> attributes = attributes("gbps", Math.max(1, Math.round(path.bandwidth() / 1e3)) / 1e6);
        attributes.putAll(ends);
        List<XmlNode> body = new ArrayList<>();
        for (Transfer transfer : path.body()) {
            body.add(element("transfer",
                attributes("type", transfer.type(), "src_idx", transfer.from(), "dst_idx", transfer.to()), List.of()));
        }
        return element("transfers", attributes, body);
    }

    private static void crossing(Map<String, String> ends, String end, Crossing crossing) {
        if (crossing != null) {
            ends.putAll(attributes(end + "_type", crossing.type(), end + "_src_idx", crossing.from(), end + "_dst_idx",
                crossing.to()));
        }
    }

    private static Map<String, String> attributes(Object... pairs) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            attributes.put((String) pairs[i], String.valueOf(pairs[i + 1]));
        }
        return attributes;
    }

    private static XmlNode element(String name, Map<String, String> attributes, List<XmlNode> children) {
        return new XmlNode(name, attributes, children, 0);
    }
}
