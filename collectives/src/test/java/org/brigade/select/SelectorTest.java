package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.FusedAlgorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.junit.jupiter.api.Test;

class SelectorTest {
    private record Named(String name, Collective collective, Restrictions restrictions, boolean pipelined,
        boolean radixed) implements ScheduledAlgorithm {
        @Override
        public void build(Geometry geometry, ScheduleBuilder schedule) {
            throw new UnsupportedOperationException("selection builds nothing");
        }
    }

    private static Named plain(String name, Restrictions restrictions) {
        return new Named(name, Collective.ALLREDUCE, restrictions, false, false);
    }

    private static final Named SAFE = plain("safe", Restrictions.NONE);
    private static final Named COMMUTING = plain("commuting", Restrictions.COMMUTATIVE);
    private static final Named PAIRED =
        plain("paired", new Restrictions(false, true, Integer.MAX_VALUE, Long.MAX_VALUE));
    private static final Named PIPE = new Named("pipe", Collective.ALLREDUCE, Restrictions.NONE, true, true);
    private static final FusedAlgorithm PACKET =
        new FusedAlgorithm("packet", SAFE, new Restrictions(false, false, 8, 48));
    private static final List<Algorithm> ALL = List.of(SAFE, COMMUTING, PAIRED, PIPE, PACKET);

    private final Properties properties = new Properties();

    private Selector selector(String table) {
        return new Selector(collective -> ALL, TuningTable.parse("t", table), new Settings(properties, Map.of()));
    }

    private SizeThresholds ladder(String table, int ranks, boolean commutative) {
        return selector(table).ladder(Collective.ALLREDUCE, ranks, commutative);
    }

    private static String at(SizeThresholds ladder, long bytes) {
        return ladder.choice(ladder.step(bytes)).algorithm().name();
    }

    @Test
    void theFirstRuleThatMatchesWins() {
        SizeThresholds ladder = ladder(
            "allreduce bytes ..100 packet\nallreduce bytes 1K.. pipe chunk 1K\nbcast bytes 200 paired\nallreduce"
                + " paired",
            4, true);
        assertEquals(List.of("packet", "paired", "pipe"), names(ladder));
        assertEquals("packet", at(ladder, 48));
        assertEquals("paired", at(ladder, 49), "the packet rule reaches to 100 bytes, the algorithm does not");
        assertEquals("paired", at(ladder, 1023));
        assertEquals("pipe", at(ladder, 1024));
        assertEquals("pipe", at(ladder, Long.MAX_VALUE));
    }

    private static List<String> names(SizeThresholds ladder) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < ladder.steps(); i++) {
            names.add(ladder.choice(i).algorithm().name());
        }
        return names;
    }

    @Test
    void aRuleWhoseAlgorithmIsExcludedIsPassedOver() {
        String table = "allreduce commuting\nallreduce paired\nallreduce pipe";
        assertEquals("commuting", at(ladder(table, 3, true), 8));
        assertEquals("paired", at(ladder(table, 4, false), 8));
        assertEquals("pipe", at(ladder(table, 3, false), 8));
    }

    @Test
    void withoutAnyRuleTheCataloguesFirstThatMayRunIsTheLastResort() {
        Choice choice = ladder("allreduce ranks 5.. paired", 3, false).choice(0);
        assertEquals(SAFE, choice.algorithm());
        assertTrue(choice.rule().startsWith("no rule of t serves this"), choice.rule());
    }

    @Test
    void parametersComeFromTheUserThenTheRuleThenTheDefault() {
        Choice ruled = ladder("allreduce pipe chunk 1K radix 8", 3, true).choice(0);
        assertEquals(List.of(1024L, 8), List.of(ruled.chunkBytes(), ruled.radix()));
        Choice plain = ladder("allreduce pipe", 3, true).choice(0);
        assertEquals(List.of(Selector.DEFAULT_CHUNK, Selector.DEFAULT_RADIX),
            List.of(plain.chunkBytes(), plain.radix()));
        properties.setProperty("brigade.allreduce.chunk", "2K");
        properties.setProperty("brigade.allreduce.radix", "3");
        Choice forced = ladder("allreduce pipe chunk 1K radix 8", 3, true).choice(0);
        assertEquals(List.of(2048L, 3), List.of(forced.chunkBytes(), forced.radix()));
        Choice neither = ladder("allreduce safe chunk 1K radix 8", 3, true).choice(0);
        assertEquals(List.of(0L, 2), List.of(neither.chunkBytes(), neither.radix()), "safe has no windows and no tree");
    }

    @Test
    void aForcedAlgorithmRunsAtAllSizes() {
        properties.setProperty("brigade.allreduce.algorithm", "pipe");
        SizeThresholds ladder = ladder("allreduce safe", 4, true);
        assertEquals(List.of("pipe"), names(ladder));
        assertEquals("forced by -Dbrigade.allreduce.algorithm=pipe", ladder.choice(0).rule());
    }

    @Test
    void theEnvironmentForcesTooButThePropertyComesFirst() {
        Settings settings = new Settings(properties,
            Map.of("BRIGADE_ALLREDUCE_ALGORITHM", "pipe", "BRIGADE_REDUCE_SCATTER_CHUNK", "1K"));
        assertEquals("1K", settings.get("reduce-scatter.chunk"));
        Selector selector = new Selector(collective -> ALL, TuningTable.parse("t", ""), settings);
        assertEquals("pipe", at(selector.ladder(Collective.ALLREDUCE, 2, true), 8));
        properties.setProperty("brigade.allreduce.algorithm", "paired");
        assertEquals("paired", at(selector.ladder(Collective.ALLREDUCE, 2, true), 8));
    }

    @Test
    void anUnknownForcedAlgorithmIsAnErrorThatListsTheNames() {
        properties.setProperty("brigade.allreduce.algorithm", "quick");
        assertEquals(
            "-Dbrigade.allreduce.algorithm=quick names no algorithm of allreduce; there are: safe, commuting, paired,"
                + " pipe, packet",
            assertThrows(TuningException.class, () -> ladder("", 4, true)).getMessage());
    }

    @Test
    void aForcedAlgorithmThatTheRanksOrTheOperationExcludeIsAnErrorWithTheReason() {
        properties.setProperty("brigade.allreduce.algorithm", "commuting");
        String message = assertThrows(TuningException.class, () -> ladder("", 4, false)).getMessage();
        assertTrue(message.contains("cannot be followed on 4 ranks: commuting needs a commutative operation"), message);
        properties.setProperty("brigade.allreduce.algorithm", "paired");
        message = assertThrows(TuningException.class, () -> ladder("", 3, false)).getMessage();
        assertTrue(message.contains("needs a power of two ranks"), message);
    }

    @Test
    void aForcedAlgorithmThatOnlySomeSizesExcludeIsAnErrorAtThoseOnly() {
        properties.setProperty("brigade.allreduce.algorithm", "packet");
        SizeThresholds ladder = ladder("", 4, true);
        assertEquals("packet", at(ladder, 48));
        Choice refused = ladder.choice(ladder.step(49));
        assertFalse(refused.served());
        assertTrue(refused.rule().contains("packet serves at most 48 bytes"), refused.rule());
    }

    @Test
    void badForcedParametersAreErrorsThatNameTheSetting() {
        properties.setProperty("brigade.allreduce.chunk", "big");
        String message = assertThrows(TuningException.class, () -> ladder("", 4, true)).getMessage();
        assertTrue(message.startsWith("-Dbrigade.allreduce.chunk=big must be a number from 64"), message);
    }

    @Test
    void aTableThatNamesAnUnknownAlgorithmIsAnErrorThatNamesTheLine() {
        String message = assertThrows(TuningException.class, () -> ladder("\nallreduce quick", 4, true)).getMessage();
        assertEquals("t, line 2: quick is no algorithm of allreduce; there are: safe, commuting, paired, pipe, packet",
            message);
    }

    private static Choice bcast(String table, long bytes, CommunicatorTopology wires, String... forced) {
        Properties properties = new Properties();
        for (int i = 0; i < forced.length; i += 2) {
            properties.setProperty(forced[i], forced[i + 1]);
        }
        Selector selector = new Selector(Catalogue::of, TuningTable.parse("t", "latency 2000\nbandwidth 6.8\n" + table),
            new Settings(properties, Map.of()));
        SizeThresholds ladder = selector.ladder(Collective.BCAST, 64, true, Placement.ALIGNED, wires);
        return ladder.choice(ladder.step(bytes));
    }

    private static final CommunicatorTopology LEVELS =
        new CommunicatorTopology(null, new Levels(new int[][] {IntStream.range(0, 64).map(rank -> rank / 8).toArray()}),
            null);

    @Test
    void whereNothingSaysTheWindowIsTheModels() {
        assertEquals(128 << 10, bcast("bcast pipelined-chain", 64 << 20, CommunicatorTopology.NONE).chunkBytes());
        assertEquals(256 << 10, bcast("bcast pipelined-chain", 256 << 20, CommunicatorTopology.NONE).chunkBytes(),
            "four times the bytes, twice the window");
        assertEquals(256 << 10, bcast("bcast hierarchical", 64 << 20, LEVELS).chunkBytes(),
            "7 + 7 hops: sqrt(64 MiB x 2 us x 6.8 GB/s / 13) = 265 KB");
        assertEquals(8 << 10, bcast("bcast pipelined-chain chunk 8K", 64 << 20, CommunicatorTopology.NONE).chunkBytes(),
            "the rule says");
        assertEquals(1 << 20,
            bcast("bcast pipelined-chain chunk 8K", 64 << 20, CommunicatorTopology.NONE, "brigade.bcast.chunk", "1M")
                .chunkBytes(),
            "the user says");
        assertEquals(Selector.DEFAULT_CHUNK, bcast("bcast knomial", 64 << 20, CommunicatorTopology.NONE).chunkBytes(),
            "the model knows no windows of trees");
    }

    @Test
    void rulesForLevelsAreForCommunicatorsThatHaveSome() {
        String table = "bcast bytes 1M.. hierarchical\nbcast binomial";
        assertEquals("binomial", bcast(table, 1 << 20, CommunicatorTopology.NONE).algorithm().name());
        assertTrue(bcast(table, 1 << 20, CommunicatorTopology.NONE).wired(), "it might be another if wires were known");
        assertFalse(bcast(table, 1 << 10, CommunicatorTopology.NONE).wired(), "no wires matter here");
        assertEquals("hierarchical", bcast(table, 1 << 20, LEVELS).algorithm().name());
        CommunicatorTopology alone =
            new CommunicatorTopology(null, new Levels(new int[][] {IntStream.range(0, 64).toArray()}), null);
        assertEquals("binomial", bcast(table, 1 << 20, alone).algorithm().name(), "levels that divide nothing");
    }

    @Test
    void rulesForChainsAreForWiresThatKnowSome() {
        String table = "bcast topology-aware-chain\nbcast binomial";
        assertEquals("binomial", bcast(table, 1 << 20, LEVELS).algorithm().name());
        Order order = Order.of(IntStream.range(0, 64).map(rank -> 63 - rank).toArray());
        assertEquals("topology-aware-chain",
            bcast(table, 1 << 20, new CommunicatorTopology(order, Levels.NONE, null)).algorithm().name());
        assertEquals("topology-aware-chain",
            bcast(table, 1 << 20, new CommunicatorTopology(null, Levels.NONE, root -> order)).algorithm().name());
    }

    @Test
    void whatIsForcedRunsWithoutWiresToo() {
        Choice forced =
            bcast("bcast binomial", 1 << 20, CommunicatorTopology.NONE, "brigade.bcast.algorithm", "multi-leader");
        assertEquals("multi-leader", forced.algorithm().name());
        assertTrue(forced.wired());
    }

    @Test
    void anExplanationSaysWhichAlgorithmsWiresAreMissingFor() {
        Selector selector =
            new Selector(Catalogue::of, TuningTable.parse("t", "latency 250\nbandwidth 12\nbcast binomial"),
                new Settings(new Properties(), Map.of()));
        String without = Explanation.of(selector, Collective.BCAST, 64, 1 << 20, true);
        assertTrue(without.contains("hierarchical, multi-leader"), without);
        assertTrue(without.contains("topology-aware-chain (knows nothing of the wires between these ranks)"), without);
        String with = Explanation.of(selector, Collective.BCAST, 64, 1 << 20, true, LEVELS);
        assertTrue(with.contains("hierarchical (") && !with.contains("knows no levels"), with);
    }

    @Test
    void aRuleForSeveralNodesIsPassedOverOnOne() {
        String table = "bcast nodes 2.. bytes 1K.. hierarchical\nbcast nodes 2 bytes ..512 direct\nbcast binomial";
        CommunicatorTopology twoNodes = new CommunicatorTopology(null, LEVELS.levels(), null, 2);
        assertEquals("binomial", bcast(table, 1 << 20, LEVELS).algorithm().name());
        assertEquals("hierarchical", bcast(table, 1 << 20, twoNodes).algorithm().name());
        assertEquals("direct", bcast(table, 512, twoNodes).algorithm().name());
        assertEquals("binomial", bcast(table, 513, twoNodes).algorithm().name());
        assertEquals("binomial",
            bcast(table, 512, new CommunicatorTopology(null, LEVELS.levels(), null, 3)).algorithm().name());
    }
}
