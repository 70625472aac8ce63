package org.brigade.topology.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.brigade.topology.TopologyException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are wrong end in a sentence with file, line and cure. */
@Tag("once")
class NcclErrorsTest {
    /** Each piece on a line of its own, the broken one on line 4 or so. */
    private static final String GOOD = """
        <system version="1">
          <cpu numaid="0" affinity="0000ffff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85">
            <pci busid="0000:01:00.0" class="0x060400" link_speed="8 GT/s" link_width="16">
              <pci busid="0000:02:00.0" class="0x030200" vendor="0x10de" link_speed="8 GT/s" link_width="16">
                <gpu dev="0" sm="70" rank="0" gdr="1">
                  <nvlink target="0000:03:00.0" count="2" tclass="0x030200"/>
                  <c2c bw="1000" count="2"/>
                </gpu>
              </pci>
              <pci busid="0000:03:00.0" class="0x030200" link_speed="8 GT/s" link_width="16">
                <gpu dev="1" sm="70" rank="1" gdr="1"/>
              </pci>
              <pci busid="0000:04:00.0" class="0x020700" link_speed="8 GT/s" link_width="16">
                <nic>
                  <net name="mlx5_0" dev="0" speed="100000"/>
                </nic>
              </pci>
            </pci>
          </cpu>
          <cpu numaid="1" affinity="ffff0000" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85"/>
        </system>
        """;

    private static NcclTopology read(String text) {
        return NcclTopology.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "t.xml");
    }

    private static String refused(String text) {
        return assertThrows(TopologyException.class, () -> read(text), text).getMessage();
    }

    @Test
    void theFileTheyAreMadeOfIsRight() {
        assertEquals(List.of(), read(GOOD).notes());
        assertEquals(6, read(GOOD).topology().components().size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "version=\"1\"            | version=\"3\"           | line 1: version 3; 1 (NCCL) and 2 (RCCL) are known",
        "version=\"1\"            |                         | line 1: <system> has no version",
        "version=\"1\"            | version=\"one\"         | line 1: version=\"one\" of <system> is no number;"
            + " correct it",
        "<cpu numaid=\"0\"        | <cpu                    | line 2: <cpu> has no numaid",
        "numaid=\"1\"             | numaid=\"0\"            | line 20: numaid 0 is already that of line 2; write one"
            + " <cpu> for each NUMA node",
        "affinity=\"0000ffff\"    | affinity=\"all\"        | line 2: affinity of <cpu>: \"all\" is no set of"
            + " processors",
        "familyid=\"6\"           | familyid=\"six\"        | line 2: familyid=\"six\" of <cpu> is no number",
        "familyid=\"6\"           |                         | line 2: <cpu> has no familyid",
        "0000:01:00.0             | 0000:01                 | line 3: busid=\"0000:01\" of <pci> is no PCI address;"
            + " write it as 0000:1b:00.0",
        "0000:01:00.0             | 0000:zz:00.0            | line 3: busid=\"0000:zz:00.0\" of <pci> is no PCI"
            + " address",
        "busid=\"0000:01:00.0\"   |                         | line 3: <pci> has no busid, which NCCL requires, too;"
            + " add one",
        "class=\"0x060400\"       |                         | line 3: <pci> has no class, which NCCL would look up for"
            + " 0000:01:00.0 on the machine itself; add it (0x060400",
        "link_width=\"16\"        | link_width=\"wide\"     | line 3: link_width=\"wide\" of <pci> is no number",
        "link_width=\"16\"        | link_width=\"-16\"      | line 3: link_width=\"-16\": PCI has 1 to 32 lanes",
        "link_width=\"16\"        | link_width=\"9999999999\" | line 3: link_width=\"9999999999\" of <pci> is no"
            + " number",
        "0000:02:00.0             | 0000:03:00.0            | line 10: busid 0000:03:00.0 is already that of line 4;"
            + " no two devices of a host share one",
        "0000:02:00.0             | 0000:04:00.0            | line 13: busid 0000:04:00.0 is already that of line 4",
        "vendor=\"0x10de\"        | vendor=\"NVIDIA\"       | line 4: vendor=\"NVIDIA\" of <pci> is no number",
        "dev=\"0\" sm             | dev=\"first\" sm        | line 5: dev=\"first\" of <gpu> is no number",
        "sm=\"70\"                |                         | line 5: <gpu> has no sm",
        "count=\"2\" tclass       | tclass                  | line 6: <nvlink> has no count",
        "count=\"2\" tclass       | count=\"0\" tclass      | line 6: count=\"0\" of <nvlink> must be at least 1",
        "count=\"2\" tclass       | count=\"-2\" tclass     | line 6: count=\"-2\" of <nvlink> must be at least 1",
        "target=\"0000:03:00.0\"  | target=\"nowhere\"      | line 6: target=\"nowhere\" of <nvlink> is no PCI address",
        "target=\"0000:03:00.0\" count=\"2\" tclass=\"0x030200\" | target=\"0000:09:00.0\" count=\"2\" | line 6: a"
            + " link to 0000:09:00.0 without tclass",
        "bw=\"1000\"              |                         | line 7: <c2c> has no bw",
        "speed=\"100000\"         | speed=\"fast\"          | line 15: speed=\"fast\" of <net> is no number",
        "<system                  | <graphs                 | line 1: a graph file (NCCL_GRAPH_FILE)",
        "<system                  | <topology               | line 1: a topology of hwloc",
        "<system                  | <machine                | line 1: the first element is <machine>, and NCCL"
            + " topologies begin with <system>"})
    void everyErrorNamesTheLineAndTheCure(String right, String wrong, String message) {
        String root = wrong != null && wrong.startsWith("<") && right.equals("<system") ? wrong.substring(1) : "system";
        String text = GOOD
            .replaceFirst(java.util.regex.Pattern.quote(right),
                java.util.regex.Matcher.quoteReplacement(wrong == null ? "" : wrong))
            .replace("</system>", "</" + root + ">");
        assertTrue(!text.equals(GOOD), "the file has no " + right);
        String found = refused(text);
        assertTrue(found.startsWith("t.xml " + message), found);
    }

    @Test
    void aSystemWithoutCpusIsNone() {
        assertTrue(refused("<system version=\"1\"/>").contains("no <cpu>"));
    }

    @Test
    void ncclsOwnLimitsHold() {
        StringBuilder cpus = new StringBuilder("<system version=\"1\">");
        for (int i = 0; i <= 640; i++) {
            cpus.append("<cpu numaid=\"").append(i).append("\"/>");
        }
        assertTrue(refused(cpus + "</system>").contains("more than 640 children"));
        assertTrue(refused("<system version=\"1\" name=\"" + "n".repeat(254) + "\"/>").contains("254 characters"));
    }

    /** A reader that looks through all for each would not come to its end. */
    @Test
    void theLargestFileThatIsReadIsRead() {
        StringBuilder text = new StringBuilder("<system version=\"1\">");
        int part = 0;
        for (int cpu = 0; cpu < 64; cpu++) {
            text.append("<cpu numaid=\"").append(cpu).append("\" arch=\"arm64\">");
            for (int i = 0; i < 380; i++) {
                String busId = String.format("%04x:%02x:%02x.", part >> 13, part >> 5 & 0xff, part & 0x1f);
                part++;
                text.append("<pci busid=\"").append(busId).append("0\" class=\"0x060400\"><pcilink target=\"")
                    .append(busId).append("0\"/><pci busid=\"").append(busId)
                    .append("1\" class=\"0x0200\"><nic/></pci></pci>");
            }
            text.append("</cpu>");
        }
        NcclTopology largest = read(text + "</system>");
        assertEquals(64 + 2 * 64 * 380, largest.topology().components().size());
        assertEquals(100, largest.notes().size(), "a hundred notes are enough");
        assertTrue(refused(text.toString().replace("<nic/>", "<nic/><gpu/>") + "</system>")
            .contains("more than 100000 elements"));
    }

    /** Whatever is done to a file, the answer is a graph or a sentence with its name, never another exception. */
    @Test
    void brokenFilesNeverBreakTheReader() {
        Random random = new Random(4);
        List<String> words = new ArrayList<>(List.of("\"", "<", ">", "/", "=", "0", "-1", "pci", "gpu", "nic",
            "999999999999", "&amp;", "<pci/>", "<gpu/>", "<nic/>", "<net/>",
            "<nvlink/>", " keep=\"1\"", "0x068001", "0x068000", "0x11c8"));
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder(GOOD);
            for (int change = 1 + random.nextInt(3); change > 0; change--) {
                int at = random.nextInt(text.length());
                int end = Math.min(text.length(), at + random.nextInt(12));
                text.replace(at, end, random.nextBoolean() ? "" : words.get(random.nextInt(words.size())));
            }
            try {
                read(text.toString());
                read++;
            } catch (TopologyException e) {
                assertTrue(e.getMessage().startsWith("t.xml"), e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("round " + round + ":\n" + text, e);
            }
        }
        assertTrue(read > 100, "only " + read + " were still topologies: the changes are too coarse to test anything");
    }
}
