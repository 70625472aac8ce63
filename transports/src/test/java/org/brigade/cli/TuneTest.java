package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.algorithm.DeviceCatalogue;
import org.brigade.schedule.Collective;
import org.brigade.select.Space;
import org.brigade.select.TuningRule;
import org.brigade.select.TuningTable;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TuneTest {
    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @Test
    void whatItPrintsIsATableForAllSizes() throws Exception {
        List<String> lines = new DeviceJob(TuneRank.class, "bcast,reduce-scatter", "4K,512").run(2).lines();
        List<TuningRule> rules = TuningTable.parse(Space.DEVICE, "what tune printed", String.join("\n", lines)).rules();
        for (Collective collective : List.of(Collective.BCAST, Collective.REDUCE_SCATTER)) {
            List<TuningRule> its = rules.stream().filter(rule -> rule.collective() == collective).toList();
            assertTrue(its.size() == 1 || its.size() == 2, lines::toString);
            assertEquals(Long.MAX_VALUE, its.get(its.size() - 1).maxBytes(), lines::toString);
            assertTrue(its.stream().allMatch(rule -> rule.minRanks() == 2 && rule.maxRanks() == 2 && DeviceCatalogue.find(collective, rule.algorithm()) != null), lines::toString);
        }
        assertTrue(lines.stream().filter(line -> line.startsWith("# bcast, 2 ranks, ")).allMatch(line -> line.contains("push ") && line.contains("chain ")), lines::toString);
    }
}
