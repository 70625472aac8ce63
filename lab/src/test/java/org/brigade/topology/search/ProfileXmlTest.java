package org.brigade.topology.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.CrossedPath;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileXmlTest {
    private static final MachineFingerprint A1 = new MachineFingerprint("a1", "Xeon \"Gold\" & <more>", 64, 2, "550.54",
        List.of("0000:1b:00.0 10de:1db6", "0000:3b:00.0 10de:1db6"));
    private static final NodeLayout LAYOUT = NodeLayout.uniform(2, new int[] {0, 1}, 0);

    /** As TCCL's merged files look. */
    private static final String TCCL = """
        <root>
          <metadata num_gpus="4" num_numa="4" num_bits_idx="2"/>
          <intra>
            <subset gpus="9">
              <transfers gbps="8.82">
                <transfer type="GPU_WRITE_CPUMEM_KERNEL" src_idx="0" dst_idx="2"/>
                <transfer type="GPU_READ_CPUMEM_KERNEL" src_idx="2" dst_idx="3"/>
                <transfer type="GPU_WRITE_GPUMEM_KERNEL" src_idx="3" dst_idx="0"/>
              </transfers>
            </subset>
          </intra>
          <inter>
            <subset gpus="9">
              <transfers gbps="7.5" head_type="GPU_CPU_INTER" head_src_idx="3" head_dst_idx="1" tail_type="GPU_GPU_INTER" tail_src_idx="3" tail_dst_idx="0">
                <transfer type="GPU_READ_CPUMEM_KERNEL" src_idx="1" dst_idx="0"/>
                <transfer type="GPU_READ_GPUMEM_KERNEL" src_idx="0" dst_idx="3"/>
              </transfers>
            </subset>
            <subset gpus="2">
              <transfers gbps="11.1" head_type="GPU_GPU_INTER" head_src_idx="0" head_dst_idx="1" tail_type="GPU_GPU_INTER" tail_src_idx="1" tail_dst_idx="0"/>
            </subset>
          </inter>
        </root>
        """;

    private static final String WRITTEN = ProfileXml.text(profile(7, true));

    static PathProfile profile(long seed, boolean across) {
        ProfileSearch search = new ProfileSearch(LAYOUT, new PathSearch(LAYOUT, new SharedWires(LAYOUT, seed, false)),
            new PathProfile.Origin(A1, "2026-11-21", "device", 32 << 20, List.of("0000:1b:00.0", "0000:3b:00.0")));
        search.within(3);
        if (across) {
            search.across(3);
            search.across(1);
        }
        return search.profile();
    }

    @Test
    void aFileOfTcclsIsRead() {
        PathProfile profile = ProfileXml.parse("merged.xml", TCCL);
        assertNull(profile.origin());
        assertEquals(List.of(0, 3), profile.ring(9).gpus());
        assertEquals(8.82e9, profile.ring(9).bandwidth(), 1);
        CrossedPath through = profile.crossed(9).get(0);
        assertEquals(new Crossing(true, 3, false, 1), through.head());
        assertEquals(new Crossing(true, 3, true, 0), through.tail());
        assertEquals(List.of(0, 3), through.path().gpus());
        assertEquals(List.of(1), profile.crossed(2).get(0).path().gpus(), "one GPU, no transfers");
        assertNull(profile.ring(3));
    }

    @Property(tries = 20)
    void whatIsWrittenReadsBackTheSame(@ForAll long seed, @ForAll boolean across) {
        PathProfile profile = profile(seed, across);
        String text = ProfileXml.text(profile);
        PathProfile back = ProfileXml.parse("back.xml", text);
        assertEquals(text, ProfileXml.text(back));
        assertEquals(profile.origin(), back.origin());
        assertEquals(profile.ring(3).body(), back.ring(3).body());
        assertEquals(profile.chain(3, 1).gpus(), back.chain(3, 1).gpus());
        assertEquals(profile.crossed(3).size(), back.crossed(3).size());
        assertEquals(across, !back.crossed(1).isEmpty());
    }

    @Test
    void anotherMachinesProfileIsForeignAndTheMessageSaysHow(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("sub/profile.xml");
        ProfileXml.write(profile(1, false), file);
        assertEquals(2, ProfileXml.readOwn(file, A1).gpus());
        MachineFingerprint other = new MachineFingerprint("b2", A1.cpu(), 64, 2, "550.90",
            List.of("0000:1b:00.0 10de:1db6", "0000:5e:00.0 10de:2335"));
        String message = assertThrows(TopologyException.class, () -> ProfileXml.readOwn(file, other)).getMessage();
        assertTrue(message.startsWith(file + ": is the profile of another machine: ")
            && message.contains("host is a1, and here it is b2") && message.contains("NVIDIA driver is 550.54")
            && message.contains("its GPU 0000:3b:00.0 10de:1db6 is not here")
            && message.contains("GPU 0000:5e:00.0 10de:2335 was not there")
            && message.endsWith("name another file with brigade.topology.profile"), message);
        Path nameless = folder.resolve("tccl.xml");
        Files.writeString(nameless, TCCL);
        message = assertThrows(TopologyException.class, () -> ProfileXml.readOwn(nameless, A1)).getMessage();
        assertTrue(message.contains("so it may be another machine's"), message);
        assertEquals(2, folder.toFile().list().length, "no temporary file is left");
    }

    private static void refused(String from, String to, int line, String part) {
        String text =
            TCCL.replaceFirst(java.util.regex.Pattern.quote(from), java.util.regex.Matcher.quoteReplacement(to));
        assertTrue(!text.equals(TCCL), from);
        String message = assertThrows(TopologyException.class, () -> ProfileXml.parse("bad.xml", text)).getMessage();
        assertTrue(message.startsWith("bad.xml line " + line + ": ") && message.contains(part), message);
    }

    @Test
    void whatAFileSaysWrongIsSaidWithItsLine() {
        refused("num_gpus=\"4\"", "num_gpus=\"31\"", 2, "from 0 to 30");
        refused("num_bits_idx=\"2\"", "num_bits_idx=\"1\"", 2, "1 bits cannot name 4 GPUs");
        refused("gpus=\"9\"", "gpus=\"16\"", 4, "from 1 to 15");
        refused("gpus=\"9\"", "gpus=\"13\"", 5, "misses GPU 2");
        refused("gpus=\"9\"", "gpus=\"3\"", 5, "visits GPU 3, which is not in the set 3");
        refused("gbps=\"8.82\"", "gbps=\"-1\"", 5, "no positive number");
        refused("gbps=\"8.82\"", "gbps=\"NaN\"", 5, "no positive number");
        refused("gbps=\"8.82\"", "", 5, "has no gbps");
        refused("GPU_WRITE_CPUMEM_KERNEL", "GPU_WRITE", 6, "no transfer within a node");
        refused("src_idx=\"0\"", "src_idx=\"4\"", 6, "from 0 to 3");
        refused("src_idx=\"2\"", "src_idx=\"1\"", 5, "does not begin where");
        refused("src_idx=\"3\" dst_idx=\"0\"", "src_idx=\"3\" dst_idx=\"3\"", 8, "does not send to itself");
        refused("<transfer type=\"GPU_WRITE_GPUMEM_KERNEL\" src_idx=\"3\" dst_idx=\"0\"/>", "", 5,
            "does not end where it begins");
        refused("head_dst_idx=\"1\"", "head_dst_idx=\"2\"", 14, "begin where its head ends");
        refused("tail_src_idx=\"3\"", "tail_src_idx=\"0\"", 14, "end where its tail begins");
        refused("tail_type=\"GPU_GPU_INTER\"", "", 14, "has no tail_type");
        refused("<metadata num_gpus=\"4\" num_numa=\"4\" num_bits_idx=\"2\"/>", "", 1, "no profile");
    }

    @Test
    void aHostileFileIsRefused() {
        String laughs = "<!DOCTYPE root [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<root>&b;</root>";
        String message = assertThrows(TopologyException.class, () -> ProfileXml.parse("x.xml", laughs)).getMessage();
        assertTrue(message.startsWith("x.xml line 1: ") && message.contains("DOCTYPE"), message);
        assertThrows(TopologyException.class, () -> ProfileXml.parse("x.xml", "<root>".repeat(100)));
        assertThrows(TopologyException.class, () -> ProfileXml.parse("x.xml", ""));
        assertThrows(TopologyException.class, () -> ProfileXml.parse("x.xml", TCCL.substring(0, 300)));
    }

    /** Whatever byte of a file is changed: an error that names the file, or a profile. */
    @Property(tries = 500)
    void noChangedByteCausesAnythingButAnErrorWithASentence(@ForAll @IntRange(min = 0) int at, @ForAll char c) {
        int position = at % WRITTEN.length();
        try {
            ProfileXml.parse("changed.xml", WRITTEN.substring(0, position) + c + WRITTEN.substring(position + 1));
        } catch (TopologyException e) {
            assertTrue(e.getMessage().startsWith("changed.xml"), e.getMessage());
        }
    }
}
