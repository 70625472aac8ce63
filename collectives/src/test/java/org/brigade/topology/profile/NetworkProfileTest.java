package org.brigade.topology.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.NetworkProfile.Visit;
import org.junit.jupiter.api.Test;

class NetworkProfileTest {
    private static final String TEXT = """
        <network format="1" date="2026-11-26" fabric="mpi" bytes="8388608">
          <node host="a"/>
          <node host="b"/>
          <node host="c"/>
          <node host="d"/>
          <node host="e"/>
          <ring gbps="0.125" nodes="0 3 1 4 2"/>
          <chain gbps="0.25" nodes="2 0 1 3 4"/>
          <chain gbps="0.125" nodes="4 2 0 3 1"/>
        </network>
        """;

    private static NetworkProfile profile() {
        return new NetworkProfile("mpi", "2026-11-26", 8 << 20, List.of("a", "b", "c", "d", "e"),
            new Visit(0.125e9, List.of(0, 3, 1, 4, 2)),
            Map.of(4, new Visit(0.125e9, List.of(4, 2, 0, 3, 1)), 2, new Visit(0.25e9, List.of(2, 0, 1, 3, 4))));
    }

    @Test
    void theFileIsReadAsItIsWritten() {
        assertEquals(TEXT, NetworkProfileXml.text(profile()));
        assertEquals(TEXT, NetworkProfileXml.text(NetworkProfileXml.parse("test", TEXT)));
    }

    @Test
    void someOfTheNodesFollowEachOtherAsAmongAll() {
        NodeOrder order = profile().over(new int[] {3, 2, 4, 0}); // d, c, e and a
        assertArrayEquals(new int[] {0, 2, 1, 3}, order.ring(), "d e c a");
        assertArrayEquals(new int[] {1, 3, 0, 2}, order.from(1), "from c by its own chain: c a d e");
        assertArrayEquals(new int[] {3, 0, 2, 1}, order.from(3), "from a along the ring: a d e c");
    }

    @Test
    void nodesMayFollowEachOtherByTheirNumbers() {
        assertArrayEquals(new int[] {0, 1, 2}, NodeOrder.byNumber(3).ring());
        assertArrayEquals(new int[] {2, 0, 1}, NodeOrder.byNumber(3).from(2));
    }

    @Test
    void aFileThatIsWrongSaysWhereAndWhatToDo() {
        refused("line 1: <network> has no fabric", TEXT.replace(" fabric=\"mpi\"", ""));
        refused("another version, take the profile again", TEXT.replace("format=\"1\"", "format=\"2\""));
        refused("has no <ring>", TEXT.replace("ring", "rung"));
        refused("must visit each of 5 nodes once", TEXT.replace("0 3 1 4 2", "0 3 1 4 4"));
        refused("must visit each of 5 nodes once", TEXT.replace("0 3 1 4 2", "0 3 1 4 5"));
        refused("the chain from node 4 visits", TEXT.replace("4 2 0 3 1", "4 2 0 3"));
        refused("line 9: <chain> is another one from node 2", TEXT.replace("4 2 0 3 1", "2 4 0 3 1"));
        refused("give a positive number", TEXT.replace("0.125", "-1"));
        refused("line 7: <ring> has a number that is none", TEXT.replace("\"0 3 1", "\"0 x 1"));
        refused("of different names", TEXT.replace("\"b\"", "\"a\""));
        refused("bytes=\"many\" is no number", TEXT.replace("8388608", "many"));
        refused("no profile of a network", "<root/>");
    }

    private static void refused(String part, String text) {
        String message =
            assertThrows(TopologyException.class, () -> NetworkProfileXml.parse("test", text)).getMessage();
        assertTrue(message.startsWith("test line ") && message.contains(part), message);
    }
}
