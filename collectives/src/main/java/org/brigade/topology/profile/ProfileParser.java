package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.TopologyException;
import org.brigade.topology.xml.XmlNode;

/**
 * Reads a profile from the elements of its file, as {@link ProfileXml} describes them. Checks everything: paths visit
 * each GPU of their set once, and each transfer begins where the last one ended.
 */
final class ProfileParser {
    private final String source;
    private int gpus;
    private int numaNodes;

    ProfileParser(String source) {
        this.source = source;
    }

    /** @throws TopologyException with line and cure if the elements are not a profile */
    PathProfile profile(XmlNode root) {
        XmlNode metadata = root.child("metadata");
        if (!root.name().equals("root") || metadata == null) {
            throw wrong(root,
                "is no profile of TCCL's or Brigade's: <root> with <metadata> is missing; give the merged file");
        }
        gpus = number(metadata, "num_gpus", 0, 30);
        numaNodes = number(metadata, "num_numa", 1, Transfer.MOST);
        int bits = number(metadata, "num_bits_idx", 1, 6);
        if (1 << bits < Math.max(gpus, numaNodes)) {
            throw wrong(metadata,
                bits + " bits cannot name " + gpus + " GPUs and " + numaNodes + " NUMA nodes; correct num_bits_idx");
        }
        XmlNode machine = root.child("machine");
        PathProfile.Builder builder =
            new PathProfile.Builder(machine == null ? null : origin(machine), gpus, numaNodes, bits);
        for (XmlNode part : root.children()) {
            switch (part.name()) {
                case "intra" -> paths(part, (mask, node) -> {
                    if (Integer.bitCount(mask) > 1) { // TCCL writes sets of one GPU without a path
                        builder.ring(mask, path(node, mask, true));
                    }
                });
                case "inter" -> paths(part, (mask, node) -> builder.crossed(mask,
                    through(node, mask, required(node, "head"), required(node, "tail"))));
                case "chain" -> paths(part, (mask, node) -> chain(builder, mask, node));
                default -> {}
            }
        }
        return builder.build();
    }

    private interface Taker {
        void take(int mask, XmlNode transfers);
    }

    private void paths(XmlNode part, Taker taker) {
        for (XmlNode subset : part.children("subset")) {
            int mask = number(subset, "gpus", 1, gpus == 0 ? 1 : (1 << gpus) - 1);
            for (XmlNode transfers : subset.children("transfers")) {
                taker.take(mask, transfers);
            }
        }
    }

    private void chain(PathProfile.Builder builder, int mask, XmlNode node) {
        Crossing head = optional(node, "head");
        Crossing tail = optional(node, "tail");
        if (head != null && tail != null) {
            throw wrong(node, "has a head and a tail, so it belongs in <inter>; move it");
        }
        CrossedPath found = through(node, mask, head, tail);
        int start = head == null ? number(node, "start", 0, gpus - 1) : found.path().gpus().get(0);
        if (found.path().gpus().get(0) != start) {
            throw wrong(node, "begins at GPU " + found.path().gpus().get(0) + ", and says start=\"" + start
                + "\"; correct one of them");
        }
        if (head == null && tail == null) {
            builder.chain(mask, found.path());
        } else {
            builder.crossed(mask, found);
        }
    }

    private CrossedPath through(XmlNode node, int mask, Crossing head, Crossing tail) {
        MeasuredPath path = path(node, mask, false);
        int last = path.gpus().get(path.gpus().size() - 1);
        Transfer begins = path.body().isEmpty() ? null : path.body().get(0);
        Transfer ends = path.body().isEmpty() ? null : path.body().get(path.body().size() - 1);
        boolean fromHost = begins != null && !begins.type().fromGpu();
        boolean toHost = ends != null && !ends.type().toGpu();
        boolean joinsHead = head == null ? !fromHost
            : head.toGpu() ? !fromHost && head.to() == path.gpus().get(0) : fromHost && head.to() == begins.from();
        boolean joinsTail = tail == null ? !toHost
            : tail.fromGpu() ? !toHost && tail.from() == last : toHost && tail.from() == ends.to();
        if (!joinsHead || !joinsTail) {
            throw wrong(node, "its transfers do not "
                + (joinsHead ? "end where its tail begins" : "begin where its head ends") + "; correct them");
        }
        return new CrossedPath(head, tail, path);
    }

    private MeasuredPath path(XmlNode node, int mask, boolean ring) {
        double bandwidth = decimal(node, "gbps") * 1e9;
        List<Transfer> body = new ArrayList<>();
        for (XmlNode child : node.children("transfer")) {
            TransferType type = TransferType.named(text(child, "type"));
            if (type == null || type.inter()) {
                throw wrong(child, "type=\"" + shown(child.attribute("type"))
                    + "\" is no transfer within a node; the types are GPU_READ_CPUMEM_KERNEL and the like");
            }
            int from = number(child, "src_idx", 0, (type.fromGpu() ? gpus : numaNodes) - 1);
            int to = number(child, "dst_idx", 0, (type.toGpu() ? gpus : numaNodes) - 1);
            if (type.peer() && from == to) {
                throw wrong(child, "a GPU does not send to itself; correct src_idx or dst_idx");
            }
            body.add(Transfer.local(type, from, to));
        }
        try {
            return MeasuredPath.of(bandwidth, mask, body, ring);
        } catch (IllegalArgumentException e) {
            throw wrong(node, e.getMessage() + "; correct the transfers");
        }
    }

    private Crossing required(XmlNode node, String end) {
        Crossing crossing = optional(node, end);
        if (crossing == null) {
            throw wrong(node, "has no " + end + "_type; a path between nodes needs head and tail");
        }
        return crossing;
    }

    private Crossing optional(XmlNode node, String end) {
        if (node.attribute(end + "_type") == null) {
            return null;
        }
        TransferType type = TransferType.named(node.attribute(end + "_type"));
        if (type == null || !type.inter()) {
            throw wrong(node,
                end + "_type=\"" + shown(node.attribute(end + "_type")) + "\" is no transfer between nodes; they are"
                    + " GPU_GPU_INTER, GPU_CPU_INTER, CPU_GPU_INTER and CPU_CPU_INTER");
        }
        return new Crossing(type.fromGpu(), number(node, end + "_src_idx", 0, (type.fromGpu() ? gpus : numaNodes) - 1),
            type.toGpu(),
            number(node, end + "_dst_idx", 0, (type.toGpu() ? gpus : numaNodes) - 1));
    }

    private PathProfile.Origin origin(XmlNode machine) {
        if (!text(machine, "format").equals(ProfileXml.FORMAT)) {
            throw wrong(machine, "format=\"" + shown(machine.attribute("format")) + "\" is not " + ProfileXml.FORMAT
                + "; it was written by another version, take the profile again");
        }
        List<String> cards = new ArrayList<>();
        for (XmlNode gpu : machine.children("gpu")) {
            cards.add(text(gpu, "id"));
        }
        List<String> devices = new ArrayList<>();
        for (XmlNode device : machine.children("device")) {
            if (number(device, "index", 0, Transfer.MOST) != devices.size()) {
                throw wrong(device, "devices are numbered from 0 without a gap; correct index");
            }
            devices.add(text(device, "id"));
        }
        if (devices.size() != gpus) {
            throw wrong(machine, devices.size() + " devices, but num_gpus=\"" + gpus + "\"; correct one of them");
        }
        MachineFingerprint fingerprint = new MachineFingerprint(text(machine, "host"), text(machine, "cpu"),
            number(machine, "processors", 1, Integer.MAX_VALUE),
            number(machine, "numa", 1, Integer.MAX_VALUE), text(machine, "driver"), cards);
        return new PathProfile.Origin(fingerprint, text(machine, "date"), text(machine, "space"),
            number(machine, "bytes", 1, Integer.MAX_VALUE), devices);
    }

    private String text(XmlNode node, String attribute) {
        String value = node.attribute(attribute);
        if (value == null) {
            throw wrong(node, "has no " + attribute + "; add it");
        }
        return value;
    }

    private int number(XmlNode node, String attribute, int least, int most) {
        String value = text(node, attribute);
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // treated as out of range
        }
        throw wrong(node,
            attribute + "=\"" + shown(value) + "\" is no number from " + least + " to " + most + "; correct it");
    }

    private double decimal(XmlNode node, String attribute) {
        String value = text(node, attribute);
        try {
            double number = Double.parseDouble(value.strip());
            if (number > 0 && number < 1e9) {
                return number;
            }
        } catch (NumberFormatException e) {
            // treated as out of range
        }
        throw wrong(node, attribute + "=\"" + shown(value) + "\" is no positive number of 10^9 bytes/s; correct it");
    }

    private static String shown(String value) {
        return value.length() > 40 ? value.substring(0, 40) + "..." : value;
    }

    private TopologyException wrong(XmlNode node, String what) {
        return new TopologyException(
            source + (node.line() > 0 ? " line " + node.line() : "") + ": <" + node.name() + "> " + what);
    }
}
