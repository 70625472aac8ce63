package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import mpi.spi.Collective;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Device memory's table in the jar against its catalogue. */
@Tag("once")
class DeviceTableTest {
    private static final long[] SIZES =
        {0, 1, 8, 1000, 64 << 10, 256 << 10, (256 << 10) + 1, 1 << 20, 16 << 20, 64 << 20, 1L << 30, 1L << 40};

    private static Selector selector(String... forced) {
        Properties properties = new Properties();
        for (int i = 0; i < forced.length; i += 2) {
            properties.setProperty(forced[i], forced[i + 1]);
        }
        return Selector.of(MemorySpace.DEVICE, new Settings(properties, Map.of()));
    }

    private static Choice choice(Selector selector, Collective collective, int ranks, long bytes, boolean commutative) {
        SizeThresholds ladder = selector.ladder(collective, ranks, commutative);
        return ladder.choice(ladder.step(bytes));
    }

    @Test
    void everyRuleNamesAnAlgorithmOfTheCatalogueAndIsReached() {
        Selector selector = selector();
        Set<String> taken = new HashSet<>();
        for (Collective collective : Collective.values()) {
            for (int ranks = 1; ranks <= 9; ranks++) {
                for (Placement placement : Placement.values()) {
                    SizeThresholds ladder = selector.ladder(collective, ranks, true, placement);
                    for (int step = 0; step < ladder.steps(); step++) {
                        taken.add(ladder.choice(step).rule());
                    }
                }
                SizeThresholds ladder = selector.onStreams(Registration.BOTH).ladder(collective, ranks, true);
                for (int step = 0; step < ladder.steps(); step++) {
                    taken.add(ladder.choice(step).rule());
                }
            }
        }
        for (TuningRule rule : selector.table().rules()) {
            assertNotNull(DeviceCatalogue.find(rule.collective(), rule.algorithm()),
                () -> "line " + rule.line() + ": " + rule.algorithm() + " is no algorithm of "
                    + rule.collective().key());
            assertTrue(taken.stream().anyMatch(why -> why.startsWith("line " + rule.line() + " of ")),
                () -> "no call comes to line " + rule.line());
        }
    }

    @ParameterizedTest
    @EnumSource
    void thereIsAlwaysAnAlgorithmThatMayRun(Collective collective) {
        for (int ranks = 1; ranks <= 64; ranks++) {
            for (boolean commutative : new boolean[] {true, false}) {
                for (long bytes : SIZES) {
                    Choice choice = choice(selector(), collective, ranks, bytes, commutative);
                    assertNull(choice.algorithm().restrictions().violatedBy(ranks, bytes, commutative),
                        collective.key() + " on " + ranks + " ranks, " + bytes + " bytes: "
                            + choice.algorithm().name());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneRankAndMoreThanAKernelAddressesAreStaged(Collective collective) {
        for (int ranks : new int[] {1, DeviceKernel.RANKS + 1, 64}) {
            for (long bytes : SIZES) {
                assertEquals(DeviceAlgorithm.STAGED,
                    choice(selector(), collective, ranks, bytes, true).algorithm().name(),
                    ranks + " ranks, " + bytes + " bytes");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDUCE", "ALLREDUCE", "REDUCE_SCATTER", "SCAN", "EXSCAN"})
    void whatDoesNotCommuteIsTheUsersAndStaged(Collective collective) {
        for (long bytes : SIZES) {
            assertEquals(DeviceAlgorithm.STAGED, choice(selector(), collective, 4, bytes, false).algorithm().name());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ALLTOALLV", "GATHERV", "SCATTERV"})
    void whereCountsAreLocalRanksAloneDecide(Collective collective) {
        for (int ranks = 1; ranks <= 64; ranks++) {
            assertEquals(1, selector().ladder(collective, ranks, true).steps(),
                "ranks could choose differently by their own counts");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyAlgorithmCanBeForcedAndMeansASchedule(Collective collective) {
        for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
            Choice choice = choice(selector("brigade." + collective.key() + ".device.algorithm", algorithm.name()),
                collective, 2, 8, true);
            assertEquals(algorithm, choice.algorithm());
            assertEquals(algorithm.staged(), algorithm.meaning() == null);
            if (!algorithm.staged()) {
                assertEquals(collective, algorithm.meaning().collective());
            }
        }
    }

    @Test
    void aRuleForStreamsIsForNoOtherCallsAndTheOtherWayRound(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.table"),
            "bcast streams bytes ..4K packets\nbcast blocking scatter-allgather\nbcast copy-engine\nbcast push");
        Selector selector = selector("brigade.device.tuning", file.toString());
        assertEquals("scatter-allgather", choice(selector, Collective.BCAST, 2, 8, true).algorithm().name());
        Selector streams = selector.onStreams(Registration.BOTH);
        assertEquals("packets", choice(streams, Collective.BCAST, 2, 8, true).algorithm().name());
        assertEquals("push", choice(streams, Collective.BCAST, 2, 8 << 10, true).algorithm().name(),
            "the copy engine is not for streams");
        Selector anywhere = selector.onStreams(Registration.NEITHER);
        assertEquals("lines", choice(anywhere, Collective.BCAST, 2, 1 << 20, true).algorithm().name());
        assertEquals("staged", choice(anywhere, Collective.BCAST, 2, 8 << 20, true).algorithm().name());
        String text = Explanation.of(streams, Collective.BCAST, 2, 8, true);
        assertTrue(text.contains("device memory, on a stream, 8 bytes: packets")
            && text.contains("bytes 0..4K, streams") && text.contains("copy-engine (not on streams)"), text);
        text = Explanation.of(streams, Collective.BCAST, 2, 1 << 20, true);
        assertTrue(text.contains("where buffers are not registered: lines"), text);
        text = Explanation.of(streams, Collective.BCAST, 2, 8 << 20, true);
        assertTrue(text.contains("where buffers are not registered: in pieces"), text);
    }

    @Test
    void tuningDoesNotPassWhatAnAlgorithmCannot(@TempDir Path directory) throws IOException {
        Path file =
            Files.writeString(directory.resolve("own.table"), "bcast copy-engine\nbcast packets\nbcast push blocks 3");
        Selector selector = selector("brigade.device.tuning", file.toString());
        assertEquals("copy-engine", choice(selector, Collective.BCAST, 2, 1 << 20, true).algorithm().name());
        assertEquals("packets", choice(selector, Collective.BCAST, 3, 256 << 10, true).algorithm().name());
        Choice push = choice(selector, Collective.BCAST, 3, (256 << 10) + 1, true);
        assertEquals("push, 3 blocks", push.words());
        assertEquals("staged", choice(selector, Collective.BCAST, 9, 8, true).algorithm().name());
        assertTrue(assertThrows(TuningException.class,
            () -> choice(selector("brigade.bcast.device.algorithm", "copy-engine"), Collective.BCAST, 4, 8, true))
            .getMessage()
            .contains(
                "-Dbrigade.bcast.device.algorithm=copy-engine cannot be followed on 4 ranks: copy-engine serves at"
                    + " most 2 ranks"));
        Choice refused =
            choice(selector("brigade.bcast.device.algorithm", "packets"), Collective.BCAST, 4, 1 << 20, true);
        assertFalse(refused.served());
    }

    @Test
    void whatDoesNotServeHowBuffersLieIsPassedOver(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.table"),
            "allreduce ring\nallreduce two-shot\nreduce-scatter push-two-phase\nreduce-scatter pull\nreduce-scatter"
                + " packets\nscan pull");
        Selector selector = selector("brigade.device.tuning", file.toString(), "brigade.allreduce.device.blocks", "5");
        assertEquals("ring, 5 blocks", choice(selector, Collective.ALLREDUCE, Placement.ALIGNED_IN_PLACE).words());
        assertEquals("two-shot, 5 blocks", choice(selector, Collective.ALLREDUCE, Placement.UNALIGNED).words());
        assertEquals("push-two-phase", choice(selector, Collective.REDUCE_SCATTER, Placement.ALIGNED).words());
        assertEquals("pull", choice(selector, Collective.REDUCE_SCATTER, Placement.UNALIGNED).words());
        assertEquals("packets", choice(selector, Collective.REDUCE_SCATTER, Placement.ALIGNED_IN_PLACE).words());
        assertEquals("packets", choice(selector, Collective.SCAN, Placement.ALIGNED_IN_PLACE).words(),
            "no rule serves it, so the catalogue does");
        Selector forced =
            selector("brigade.device.tuning", file.toString(), "brigade.allreduce.device.algorithm", "push-two-phase");
        assertEquals("push-two-phase", choice(forced, Collective.ALLREDUCE, Placement.ALIGNED).words());
        assertEquals("two-shot", choice(forced, Collective.ALLREDUCE, Placement.UNALIGNED).words(),
            "what is forced is not followed where it cannot be");
    }

    private static Choice choice(Selector selector, Collective collective, Placement placement) {
        SizeThresholds ladder = selector.ladder(collective, 4, true, placement);
        return ladder.choice(ladder.step(1000));
    }

    @Test
    void howBuffersLieIsTrueOfAllRanks() {
        assertEquals(Placement.UNALIGNED_IN_PLACE, Placement.ALIGNED_IN_PLACE.and(Placement.UNALIGNED));
        for (Placement one : Placement.values()) {
            assertEquals(one, Placement.of(one.aligned, one.inPlace));
            assertEquals(one, Placement.numbered(one.ordinal()));
            assertEquals(one, one.and(Placement.ALIGNED));
        }
    }

    @Test
    void parametersComeFromTheUserThenTheRuleAndOnlyWhereTheyMatter(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.table"),
            "bcast bytes ..8 push chunk 1K share 20\nbcast chain chunk 2M blocks 8 share 12");
        String own = file.toString();
        assertEquals("push", choice(selector("brigade.device.tuning", own), Collective.BCAST, 4, 8, true).words(),
            "push has no windows, and nothing goes through host memory");
        assertEquals("chain, chunk 2 MiB, 8 blocks, 12 % through host memory",
            choice(selector("brigade.device.tuning", own), Collective.BCAST, 4, 9, true).words());
        assertEquals("chain, chunk 64 KiB, 4 blocks",
            choice(selector("brigade.device.tuning", own, "brigade.bcast.device.share", "0",
                "brigade.bcast.device.blocks", "4",
                "brigade.bcast.device.chunk", "64K"), Collective.BCAST, 4, 9, true).words());
        assertEquals("ring",
            choice(selector("brigade.allreduce.device.algorithm", "ring", "brigade.allreduce.radix", "3"),
                Collective.ALLREDUCE, 4, 9, true).words());
    }

    @Test
    void ranksThatWereGivenOtherTablesDifferInTheirSettings(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.table"), "bcast push");
        Settings settings = new Settings(new Properties(), Map.of("BRIGADE_DEVICE_TUNING", file.toString()));
        long first = settings.fingerprint();
        assertNotEquals(new Settings(new Properties(), Map.of()).fingerprint(), first);
        Files.writeString(file, "bcast packets");
        assertNotEquals(first, settings.fingerprint());
    }

    @Test
    void theModelKnowsEveryAlgorithm() {
        CostModel model = new CostModel(9300, 365);
        for (Collective collective : Collective.values()) {
            for (DeviceAlgorithm algorithm : DeviceCatalogue.of(collective)) {
                double cost = algorithm.cost(model, new PredictedCall(4, 1 << 20, 64 << 10, 2));
                assertTrue(cost > 9000 && cost < 1e9, () -> collective.key() + " " + algorithm.name() + ": " + cost);
            }
        }
    }

    @Test
    void anExplanationSaysWhatRunsWhyWhatElseAndWhatNot(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.table"), "bcast bytes ..64K packets\nbcast push");
        String text =
            Explanation.of(selector("brigade.device.tuning", file.toString()), Collective.BCAST, 4, 1 << 10, true);
        assertTrue(text.startsWith("bcast, 4 ranks on 1 node, device memory, 1 KiB: packets\n"), text);
        assertTrue(text.contains("line 1 of ") && text.contains("own.table: ranks 1.., bytes 0..64K"), text);
        text = Explanation.of(selector(), Collective.BCAST, 4, 1 << 10, true);
        assertTrue(text.contains(" of cuda-default.table: ranks "), text);
        text = Explanation.of(selector("brigade.bcast.device.algorithm", "chain", "brigade.bcast.device.share", "10"),
            Collective.BCAST, 4, 1L << 30, true);
        assertTrue(text.startsWith("bcast, 4 ranks on 1 node, device memory, 1 GiB: chain, 10 % through host memory\n"),
            text);
        assertTrue(text.contains("(predicted "), text);
        assertTrue(text.contains("packets (serves at most 262144 bytes)")
            && text.contains("copy-engine (serves at most 2 ranks)"), text);
        assertTrue(text.contains("-Dbrigade.bcast.device.algorithm=chain")
            && text.contains("brigade verify --space device --collective bcast --algorithm chain"), text);
        assertFalse(text.contains("NaN"), text);
        text = Explanation.of(selector("brigade.reduce-scatter.device.algorithm", "ring"), Collective.REDUCE_SCATTER, 4,
            1 << 20, true);
        assertTrue(text.contains(
            "\n  where buffers or blocks do not begin at multiples of 16 bytes: lines\n  in place: staged\n  also"
                + " possible: "),
            text);
        assertTrue(Explanation.of(selector(), Collective.ALLREDUCE, 4, 8, false)
            .contains("non-commutative operation: staged\n"));
    }
}
