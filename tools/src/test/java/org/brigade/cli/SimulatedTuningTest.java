package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.brigade.select.TuningTable;
import org.brigade.tuned.ClusterTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("calculation")
class SimulatedTuningTest {
    private static Ended tune(String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add(0, "tune");
        return Ended.brigade(words.toArray(new String[0]));
    }

    @Test
    void aTableForAMachineThatNobodyHasMeasured() {
        Ended ended = tune("--simulate", "ideal:64", "--ops", "bcast,allreduce", "--sizes", "1K,1M,64M");
        assertEquals(0, ended.code(), ended.err());
        TuningTable table = TuningTable.parse("what tune printed", ended.out());
        assertFalse(table.rules().isEmpty(), ended.out());
        assertTrue(
            table.rules().stream().allMatch(rule -> rule.provenance().equals("simulated on ideal:64 with 64 ranks")),
            ended::out);
        // One tree is best for little; two trees use all bandwidth in logarithmic depth, where a chain of 64 fills
        // slowly.
        assertEquals("binomial", algorithm(table, Collective.BCAST, 1 << 10));
        assertEquals("double-tree", algorithm(table, Collective.BCAST, 1 << 20));
        assertEquals("double-tree", algorithm(table, Collective.BCAST, 64 << 20));
        assertEquals("recursive-doubling", algorithm(table, Collective.ALLREDUCE, 1 << 10));
    }

    /** In the tests' own configuration folder, for a number of ranks that no job there has. */
    @Test
    void jobsOfAPlannedClusterFollowItsTable() throws IOException {
        Ended ended = tune("--nodes", "--simulate", "fat-tree:64", "--np", "62", "--ops", "bcast", "--sizes", "1K,16M");
        assertEquals(0, ended.code(), ended.err());
        Path file = ClusterTable.files().stream().filter(each -> each.toString().contains("planned-fat-tree-64-"))
            .findAny().orElseThrow(() -> new AssertionError(ended.out()));
        try {
            assertTrue(file.toString().endsWith("-n62-np62.table") && ended.out().contains("now follow " + file),
                ended::out);
            Ended explained =
                Ended.brigade("explain", "bcast", "--ranks", "62", "--nodes", "62", "--fabric", "mpi", "--bytes",
                    "16M");
            assertTrue(explained.out().contains("of " + file), explained::out);
            assertTrue(explained.out().contains("simulated on fat-tree:64 with 62 ranks"), explained::out);
        } finally {
            Files.delete(file);
        }
    }

    private static String algorithm(TuningTable table, Collective collective, long bytes) {
        SizeThresholds ladder =
            new Selector(Catalogue::of, table, new Settings(new Properties(), Map.of())).ladder(collective, 64, true);
        return ladder.choice(ladder.step(bytes)).algorithm().name();
    }

    @Test
    void whatCannotBeSimulatedIsSaid() {
        Ended moon = tune("--simulate", "moon");
        assertEquals(2, moon.code(), moon.err());
        assertTrue(moon.err().contains("--simulate: there is no topology 'moon'"), moon::err);
        Ended five = tune("--simulate", "ideal:4", "--np", "5");
        assertEquals(2, five.code(), five.err());
        assertTrue(five.err().contains("--np: ideal:4 has places for 2 to 4 ranks, not 5"), five::err);
    }
}
