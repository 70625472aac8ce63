package org.brigade.topology.profile;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.brigade.topology.TopologyException;
import org.brigade.topology.xml.XmlLimits;
import org.brigade.topology.xml.XmlReader;
import org.brigade.topology.xml.XmlWriter;

/**
 * TCCL's merged file, read and written, with two more elements that TCCL ignores: {@code machine}, the origin of the
 * profile, and {@code chain}, the paths that begin or end in a node.
 *
 * <pre>
 *   &lt;root&gt;
 *   &lt;machine format="1" host="a1" cpu="..." processors="64" numa="4" driver="550.54" date="2026-11-21"
 *            space="device" bytes="33554432"&gt;
 *     &lt;gpu id="0000:1b:00.0 10de:1db6"/&gt; ...           all of the machine
 *     &lt;device index="0" id="0000:1b:00.0"/&gt; ...        the devices by index
 *   &lt;/machine&gt;
 *   &lt;metadata num_gpus="4" num_numa="4" num_bits_idx="2"/&gt;
 *   &lt;intra&gt; rings:
 *     &lt;subset gpus="3"&gt;&lt;transfers gbps="9.84"&gt;
 *       &lt;transfer type="GPU_WRITE_CPUMEM_KERNEL" src_idx="0" dst_idx="1"/&gt; ...
 *   &lt;inter&gt; paths through a node:
 *     &lt;subset gpus="3"&gt;&lt;transfers gbps="7.1" head_type= head_src_idx= head_dst_idx= tail_type= ...&gt;
 *   &lt;chain&gt; with tail_ or head_ attributes, and perhaps without start, if it leads to or from another node:
 *     &lt;subset gpus="3"&gt;&lt;transfers gbps="9.9" start="0"&gt; ...
 *   &lt;/root&gt;
 * </pre>
 *
 * Sets of GPUs are numbers whose bits are indices; gbps is 10^9 bytes/s.
 */
public final class ProfileXml {
    static final String FORMAT = "1";
    static final XmlLimits LIMITS = new XmlLimits(256L << 20, 4_000_000, 8, 1_000_000, 16, 4096);

    private ProfileXml() {
    }

    /**
     * Reads a file.
     *
     * @throws TopologyException with line and cure if it cannot be read or is not a profile
     */
    public static PathProfile read(Path file) {
        return new ProfileParser(file.toString()).profile(XmlReader.read(file, LIMITS));
    }

    /** As {@link #read}, from a text that errors call {@code source}. */
    public static PathProfile parse(String source, String text) {
        return new ProfileParser(source)
            .profile(XmlReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), source, LIMITS));
    }

    /**
     * Reads the profile of this machine.
     *
     * @param here this machine
     * @throws TopologyException also if it is another machine's (says how they differ), or names no machine
     */
    public static PathProfile readOwn(Path file, MachineFingerprint here) {
        PathProfile profile = read(file);
        if (profile.origin() == null) {
            throw new TopologyException(file
                + ": has no <machine>, so it may be another machine's; take a profile of this one with brigade"
                + " profile");
        }
        List<String> differences = profile.origin().machine().differencesTo(here);
        if (!differences.isEmpty()) {
            throw new TopologyException(file + ": is the profile of another machine: " + String.join("; ", differences)
                + "; take one of this machine with brigade profile, or name another file with"
                + " brigade.topology.profile");
        }
        return profile;
    }

    /** Writes a file atomically; makes missing folders. */
    public static void write(PathProfile profile, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, "profile", ".part");
        try {
            Files.writeString(fresh, text(profile));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** The file's text. */
    public static String text(PathProfile profile) {
        return XmlWriter.write(ProfileElements.of(profile));
    }
}
