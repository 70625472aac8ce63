package org.brigade.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.cli.Ended;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.RuleScope;
import org.brigade.select.Settings;
import org.brigade.select.TuningRule;
import org.brigade.select.TuningTable;
import org.junit.jupiter.api.Test;

class HostTuningTest {
    private static final TunedWay CHAIN = new TunedWay("chain", 0, 0);
    private static final TunedWay TREE = new TunedWay("knomial", 0, 4);

    private static Turns turns(double... ratios) {
        Turns turns = new Turns(Turns.COUNT);
        for (int turn = 0; turn < Turns.COUNT; turn++) {
            turns.set(turn, ratios[turn % ratios.length], 1);
        }
        return turns;
    }

    @Test
    void onlyAWayThatIsClearlyFasterWins() {
        assertTrue(turns(0.9).win());
        assertFalse(turns(0.95).win(), "5 % are noise");
        assertFalse(turns(1.2).win());
        assertTrue(turns(0.8, 0.8, 0.8, 0.8, 0.8, 3).win(), "a turn in which something else ran");
        assertFalse(turns(0.8, 0.8, 1.3).win(), "in a third of the turns it is slower");
        assertEquals(0.8, turns(0.8, 0.8, 1.3).median());
    }

    @Test
    void aWayThatIsSlowerAtItsBestDoesNotWinWhateverHappensMeanwhile() {
        Turns turns = new Turns(Turns.COUNT);
        for (int turn = 0; turn < Turns.COUNT; turn++) {
            turns.set(turn, 2, turn == 5 ? 1 : 20); // once nothing delayed the default
        }
        assertFalse(turns.win());
    }

    private static List<TuningRule> rules(TunedRules.Winner... winners) {
        return TuningTable.parse("tuned",
            String.join("\n", TunedRules.of(Collective.BCAST, "ranks 4 nodes 1", false, List.of(winners)))).rules();
    }

    @Test
    void aRuleReachesHalfWayToItsNeighboursAndNotBeyondTheLargestSize() {
        List<TuningRule> rules = rules(new TunedRules.Winner(16, CHAIN, 0.5), new TunedRules.Winner(1024, null, 1),
            new TunedRules.Winner(65536, TREE, 0.7), new TunedRules.Winner(1 << 20, TREE, 0.8));
        assertEquals(2, rules.size());
        assertEquals(List.of(0L, 128L), List.of(rules.get(0).minBytes(), rules.get(0).maxBytes()));
        assertEquals("chain", rules.get(0).algorithm());
        assertEquals(List.of(8193L, 1L << 20), List.of(rules.get(1).minBytes(), rules.get(1).maxBytes()));
        assertEquals(4, rules.get(1).radix());
        for (TuningRule rule : rules) {
            assertEquals(RuleScope.of(new RuleScope.Range(4, 4), new RuleScope.Range(1, 1)), rule.scope());
        }
    }

    @Test
    void betweenNodesARuleHoldsBeyondTheLargestSize() {
        assertEquals(List.of("bcast ranks 4 nodes 2 bytes 1025.. chain   # takes 0.70 of the default's time"),
            TunedRules.of(Collective.BCAST, "ranks 4 nodes 2", true,
                List.of(new TunedRules.Winner(16, null, 1), new TunedRules.Winner(65536, CHAIN, 0.7))));
    }

    @Test
    void waysBetweenNodesAreThoseOfMessages() {
        CommunicatorTopology wires = CommunicatorTopology.ofNodes(null, new int[] {0, 0, 1, 1}).joinedBy("mpi");
        List<String> names = TunedWay.between(Collective.BCAST, 4, 1 << 20, wires).stream().map(TunedWay::algorithm)
            .distinct().toList();
        assertTrue(names.containsAll(List.of("direct", "pipelined-chain", "hierarchical", "opposite-chains")),
            names.toString());
        assertFalse(names.contains("copy-in-copy-out") || names.contains("reflective-memory"), names.toString());
    }

    @Test
    void whereTheDefaultStaysThereIsNoRule() {
        assertEquals(List.of(), rules(new TunedRules.Winner(16, null, 1), new TunedRules.Winner(1024, null, 1)));
    }

    @Test
    void aBarrierHasNoBytes() {
        assertEquals(List.of("barrier ranks 4 nodes 1 chain   # takes 0.50 of the default's time"),
            TunedRules.of(Collective.BARRIER, "ranks 4 nodes 1", false, List.of(new TunedRules.Winner(0, CHAIN, 0.5))));
    }

    @Test
    void waysAreWhatMayRunOnOneMachineAndCanBeWrittenAsRules() {
        for (Collective collective : Collective.values()) {
            for (TunedWay way : TunedWay.all(collective, 8, 4096, true)) {
                assertTrue(Catalogue.find(collective, way.algorithm()).restrictions().violatedBy(8, 4096, true) == null,
                    way.words());
                String bytes = collective == Collective.BARRIER ? " " : " ranks 8 ";
                TuningRule rule = TuningTable.parse("way", collective.key() + bytes + way.words()).rules().get(0);
                assertEquals(way, new TunedWay(rule.algorithm(), rule.chunkBytes(), rule.radix()));
            }
        }
        List<String> names =
            TunedWay.all(Collective.ALLREDUCE, 8, 1 << 20, false).stream().map(TunedWay::algorithm).distinct().toList();
        assertTrue(names.containsAll(List.of("ring", "rabenseifner", "segmented-ring")), names.toString());
        assertFalse(names.contains("fused-flat") || names.contains("in-network") || names.contains("hierarchical"),
            names.toString());
        assertTrue(TunedWay.all(Collective.ALLREDUCE, 8, 1 << 20, true).stream()
            .anyMatch(way -> way.algorithm().equals("hierarchical")), "ranks that are bound may be on levels");
        assertEquals(3, TunedWay.all(Collective.BCAST, 8, 1 << 20, false).stream()
            .filter(way -> way.algorithm().equals("pipelined-chain")).count());
        assertEquals(1, TunedWay.all(Collective.BCAST, 8, 1024, false).stream()
            .filter(way -> way.algorithm().equals("pipelined-chain")).count(), "one window is no pipeline");
    }

    @Test
    void numbersOfRanksArePowersOfTwoAndAllProcessors() {
        assertEquals(List.of(2), HostTuning.ranks(1));
        assertEquals(List.of(2), HostTuning.ranks(2));
        assertEquals(List.of(2, 4, 6), HostTuning.ranks(6));
        assertEquals(List.of(2, 4, 8, 16, 32, 64), HostTuning.ranks(64));
    }

    @Test
    void whatIsForcedAlreadyIsNamed() {
        Settings settings = new Settings(new Properties(),
            Map.of("BRIGADE_BCAST_ALGORITHM", "chain", "BRIGADE_REDUCE_CHUNK", "4K"));
        assertEquals("BRIGADE_BCAST_ALGORITHM=chain", HostTuning.forced(settings, "bcast,allreduce"));
        assertEquals("", HostTuning.forced(settings, "allreduce"));
    }

    private static void assertAsked(String part, String... options) {
        String[] words = new String[options.length + 1];
        words[0] = "tune";
        System.arraycopy(options, 0, words, 1, options.length);
        Ended ended = Ended.brigade(words);
        assertEquals(2, ended.code(), ended.err());
        assertTrue(ended.err().contains(part), ended.err());
    }

    @Test
    void wrongOptionsAreNamed() {
        assertAsked("give 2 or more", "--space", "host", "--np", "1");
        assertAsked("is not a time", "--space", "host", "--time", "soon");
        assertAsked("no algorithms to choose by size", "--space", "host", "--ops", "gatherv");
        assertAsked("several numbers of ranks", "--space", "device", "--np", "2,4");
        assertAsked("leave out --space and --np", "--nodes", "--np", "4");
        assertAsked("leave out --space and --np", "--nodes", "--space", "device");
        assertAsked("are on one node of ideal:4", "--nodes", "--simulate", "ideal:4", "--sizes", "8");
        assertAsked("--sizes", "--space", "host", "--sizes", "x");
    }
}
