package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.NetworkSpeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuningTableTest {
    private static TuningRule only(String line) {
        TuningTable table = TuningTable.parse("t", line);
        assertEquals(1, table.rules().size());
        return table.rules().get(0);
    }

    @Test
    void aRuleForAFabricThatThereIsNotIsAnErrorAsItWouldNeverServe() {
        String said =
            assertThrows(TuningException.class, () -> TuningTable.parse("t", "bcast nodes 2.. fabric sisi chain"))
                .getMessage();
        assertEquals("t, line 1: no fabric is called 'sisi'; did you mean sisci? there are: sisci, mpi, ucx", said);
    }

    private static final NetworkSpeed SLOW = new NetworkSpeed(30_000, 200_000_000, 1, "a test");

    private static RuleScope ranks(long least, long most) {
        return RuleScope.of(new RuleScope.Range(least, most), RuleScope.Range.ANY);
    }

    @Test
    void aRuleIsReadWithItsBoundsAndParameters() {
        assertEquals(
            new TuningRule(Collective.BCAST, ranks(2, 8), 0, 48, "fused-flat", 0, 0, 0, 0, 1, "", CallMode.ALL),
            only("bcast ranks 2..8 bytes 0..48 fused-flat"));
        assertEquals(
            new TuningRule(Collective.BCAST, ranks(3, Long.MAX_VALUE), 1 << 20, Long.MAX_VALUE, "pipelined-chain",
                65536, 0, 0, 0, 2, "", CallMode.ALL),
            only("\n  bcast ranks 3.. bytes 1M.. pipelined-chain chunk 64K  # why\r"));
        assertEquals(
            new TuningRule(Collective.REDUCE_SCATTER, ranks(4, 4), 0, 1024, "x", 0, 8, 0, 0, 1, "", CallMode.ALL),
            only("reduce-scatter ranks 4 bytes ..1K x radix 8"));
    }

    @Test
    void aRuleOfDeviceMemoryHasBlocksAndAShareButNoRadix() {
        assertEquals(
            new TuningRule(Collective.BCAST, ranks(1, 2), 0, Long.MAX_VALUE, "copy-engine", 1 << 20, 0, 16, 10, 1, "",
                CallMode.ALL),
            TuningTable.parse(MemorySpace.DEVICE, "t", "bcast ranks ..2 copy-engine chunk 1M blocks 16 share 10")
                .rules()
                .get(0));
        for (String line : new String[] {
            "bcast chain radix 4; belongs in a table of host memory, and this is a table of device memory",
            "bcast chain blocks 0; must be 1 to 512",
            "bcast chain share 51; must be 0 to 50", "bcast chain ring; blocks NUMBER, share PERCENT"}) {
            String[] parts = line.split("; ");
            String message =
                assertThrows(TuningException.class, () -> TuningTable.parse(MemorySpace.DEVICE, "t", parts[0]))
                    .getMessage();
            assertTrue(message.contains(parts[1]), message);
        }
        String message =
            assertThrows(TuningException.class, () -> TuningTable.parse("t", "bcast chain share 10")).getMessage();
        assertTrue(message.contains("'share' belongs in a table of device memory"), message);
    }

    @Test
    void aRuleOfDeviceMemoryMayBeForCallsOnStreamsOrForTheOthers() {
        assertEquals(CallMode.STREAMS,
            TuningTable.parse(MemorySpace.DEVICE, "t", "bcast streams bytes ..4K packets").rules().get(0).calls());
        assertEquals("ranks 2..2, bytes 0.., blocking",
            TuningTable.parse(MemorySpace.DEVICE, "t", "bcast ranks 2 push blocking").rules().get(0).conditions());
        assertTrue(assertThrows(TuningException.class,
            () -> TuningTable.parse(MemorySpace.DEVICE, "t", "bcast streams blocking push")).getMessage()
            .contains("a rule for all calls has neither"));
        assertTrue(assertThrows(TuningException.class, () -> TuningTable.parse("t", "bcast streams x")).getMessage()
            .contains("'streams' belongs in a table of device memory"));
    }

    @Test
    void theHeaderGivesCostsAndWhereItsRulesWereMeasured() {
        TuningTable table = TuningTable.parse("t",
            "bcast a\nlatency 300\nbandwidth 12.5\nmeasured 2026-11-20 on 2 cores # as a test\nbcast b\nsimulated on"
                + " rx1\nbcast c");
        assertEquals(300, table.latencyNanos());
        assertEquals(12.5, table.gigabytesPerSecond());
        assertEquals("", table.rules().get(0).provenance());
        assertEquals("measured 2026-11-20 on 2 cores", table.rules().get(1).provenance());
        assertEquals("simulated on rx1", table.rules().get(2).provenance());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "broadcast direct; no collective",
        "bcast; names no algorithm",
        "bcast ranks; needs a range",
        "bcast ranks 8..2 direct; empty range",
        "bcast ranks 0..2 direct; ranks are 1 to",
        "bcast ranks 1..3000000000 direct; ranks are 1 to",
        "bcast bytes x..9 direct; no number",
        "bcast bytes 99999999999999999999 direct; no number",
        "bcast direct chunk; needs a number",
        "bcast direct chunk 1; must be 64 to",
        "bcast direct radix 1; must be 2 to",
        "bcast direct binomial; after the algorithm direct",
        "alltoallv bytes 1K.. linear; give ranks and nodes only",
        "latency fast; positive number of nanoseconds",
        "latency -1; positive number",
        "bandwidth NaN; positive number",
        "bandwidth 1 2; one word too many"})
    void aBadLineIsNamedWithItsCure(String line, String expected) {
        String message =
            assertThrows(TuningException.class, () -> TuningTable.parse("my.table", "# first\n" + line)).getMessage();
        assertTrue(message.startsWith("my.table, line 2: "), message);
        assertTrue(message.contains(expected), message);
    }

    @Property
    void hostileTextIsReadOrRefusedButNeverMore(
        @ForAll @Chars({'b', 'c', 'a', 's', 't', ' ', '.', '0', '9', 'K', '#', '\n', '\0', '\u00e4'}) @StringLength(
            max = 200) String text) {
        try {
            TuningTable.parse("t", text);
        } catch (TuningException e) {
            for (char c : e.getMessage().toCharArray()) {
                assertTrue(c >= ' ' && c <= '~', e.getMessage());
            }
        }
    }

    @Test
    void aLongWordIsNotEchoedInFull() {
        String message =
            assertThrows(TuningException.class, () -> TuningTable.parse("t", "x".repeat(100_000))).getMessage();
        assertTrue(message.length() < 1000, () -> message.length() + " characters");
    }

    @Test
    void theFileThatIsNamedReplacesTheTableInTheJar(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.table"), "bcast chain\n");
        Properties properties = new Properties();
        assertEquals(TuningSource.DEFAULT, TuningSource.load(new Settings(properties, Map.of())).source());
        assertEquals(file.toString(),
            TuningSource.load(new Settings(properties, Map.of("BRIGADE_TUNING", file.toString()))).source());
        assertEquals("cuda-default.table", TuningSource
            .load(MemorySpace.DEVICE, new Settings(properties, Map.of("BRIGADE_TUNING", file.toString()))).source());
        assertEquals(file.toString(), TuningSource
            .load(MemorySpace.DEVICE, new Settings(properties, Map.of("BRIGADE_DEVICE_TUNING", file.toString())))
            .source());
        properties.setProperty("brigade.tuning", directory + "/none");
        String message = assertThrows(TuningException.class,
            () -> TuningSource.load(new Settings(properties, Map.of("BRIGADE_TUNING", file.toString()))))
            .getMessage();
        assertTrue(message.startsWith("-Dbrigade.tuning=" + directory + "/none: the file cannot be read"), message);
    }

    @Test
    void aRuleMayBeForRanksOnSoManyNodes() {
        RuleScope some = RuleScope.of(new RuleScope.Range(3, Long.MAX_VALUE), new RuleScope.Range(2, 8));
        assertEquals(
            new TuningRule(Collective.BCAST, some, 0, Long.MAX_VALUE, "hierarchical", 0, 0, 0, 0, 1, "", CallMode.ALL),
            only("bcast nodes 2..8 ranks 3.. hierarchical"));
        assertEquals("ranks 3.., nodes 2..8, bytes 0..", only("bcast nodes 2..8 ranks 3.. hierarchical").conditions());
        assertEquals(1, only("alltoallv nodes 1 pairwise").scope().nodes().most(),
            "all ranks know on how many nodes they are");
        assertTrue(assertThrows(TuningException.class, () -> only("bcast nodes 0..2 chain")).getMessage()
            .contains("nodes 0..2 is out of range"));
    }

    @Test
    void aRuleMayBeForANetworksSpeedAndForRanksOfANode() {
        TuningRule rule = only("bcast local 2..4 rate 100M..1G latency ..50us ports 1 domains ..2 chain");
        assertEquals("ranks 1.., local 2..4, domains 1..2, rate 100M..1G, latency ..50us, ports 1..1, bytes 0..",
            rule.conditions());
        CommunicatorTopology two = CommunicatorTopology.ofNodes(null, new int[] {0, 0, 1, 1});
        assertEquals(2, two.local());
        assertTrue(rule.scope().has(4, two, SLOW));
        assertFalse(rule.scope().has(4, CommunicatorTopology.ofNodes(null, new int[] {0, 1, 2, 3}), SLOW),
            "one rank a node");
        assertFalse(rule.scope().has(4, two, SLOW.at(99_999_999, "a test")), "too slow");
        assertFalse(rule.scope().has(4, two, new NetworkSpeed(50_001, 200_000_000, 1, "a test")), "too late");
        assertFalse(rule.scope().has(4, two, new NetworkSpeed(30_000, 200_000_000, 2, "a test")), "two ports");
        assertFalse(rule.scope().has(4, CommunicatorTopology.NONE, SLOW), "there is no network");
        Levels numa = Levels.dividing(new int[] {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
            new int[] {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
        CommunicatorTopology three = new CommunicatorTopology(null, numa, null, 2);
        assertEquals(List.of(6, 3), List.of(three.local(), three.domains()));
        for (String line : new String[] {"bcast rate 1T.. chain; no number of rate", "bcast rate; such as 300M..10G",
            "bcast latency 9..1us chain; no number of latency", "bcast rate 0..5M chain; is out of range",
            "bcast local 0 chain; is out of range", "gatherv predicted; ranks know different byte counts",
            "bcast predicted chunk 64K; the equations find chunk and radix"}) {
            String[] parts = line.split("; ");
            String message = assertThrows(TuningException.class, () -> only(parts[0])).getMessage();
            assertTrue(message.contains(parts[1]), message);
        }
    }

    @Test
    void aRuleMayBeForWhatJoinsTheNodes() {
        TuningRule rule = only("bcast nodes 2.. fabric sisci chain");
        assertEquals("ranks 1.., nodes 2.., fabric sisci, bytes 0..", rule.conditions());
        CommunicatorTopology nodes = CommunicatorTopology.ofNodes(null, new int[] {0, 1, 1});
        assertTrue(rule.scope().has(3, nodes.joinedBy("sisci"), SLOW));
        assertFalse(rule.scope().has(3, nodes.joinedBy("mpi"), SLOW));
        assertFalse(rule.scope().has(3, nodes, SLOW), "nobody knows what joins them");
        assertFalse(only("bcast fabric sisci chain").scope().has(3, CommunicatorTopology.NONE.joinedBy("sisci"), SLOW),
            "there is nothing to join");
        assertTrue(only("bcast nodes 2.. chain").scope().has(3, nodes.joinedBy("mpi"), SLOW));
        assertTrue(assertThrows(TuningException.class, () -> only("bcast chain fabric")).getMessage()
            .contains("'fabric' names none"));
    }
}
