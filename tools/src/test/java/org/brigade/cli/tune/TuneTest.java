package org.brigade.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.select.MemorySpace;
import org.brigade.select.RuleScope;
import org.brigade.select.TuningRule;
import org.brigade.select.TuningTable;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@Tag("once")
@Tag("slow")
class TuneTest {
    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @Test
    void whatItPrintsIsATableForAllSizes() throws Exception {
        List<String> all = new DeviceJob(TuneRank.class, "reduce", "4K,512").run(2).lines();
        assertTrue(all.containsAll(List.of("progress 1 2", "progress 2 2")), all::toString);
        List<String> lines = all.stream().filter(line -> !line.startsWith("progress ")).toList(); // for the bar
        List<TuningRule> rules =
            TuningTable.parse(MemorySpace.DEVICE, "what tune printed", String.join("\n", lines)).rules();
        assertTrue(rules.size() == 1 || rules.size() == 2, lines::toString);
        assertEquals(Long.MAX_VALUE, rules.get(rules.size() - 1).maxBytes(), lines::toString);
        for (TuningRule rule : rules) {
            assertEquals(Collective.REDUCE, rule.collective());
            assertTrue(rule.scope().ranks().equals(new RuleScope.Range(2, 2))
                && DeviceCatalogue.find(Collective.REDUCE, rule.algorithm()) != null, lines::toString);
        }
        assertEquals(2,
            lines.stream().filter(
                line -> line.startsWith("# reduce, 2 ranks, ") && line.contains("packets ") && line.contains("pull "))
                .count(),
            lines::toString);
    }
}
