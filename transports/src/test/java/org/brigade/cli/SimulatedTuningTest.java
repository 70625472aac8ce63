package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Properties;
import org.brigade.algorithm.Catalogue;
import org.brigade.schedule.Collective;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.TuningTable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimulatedTuningTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int tune(String... arguments) {
        return new CommandLine(new TuneCommand()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
    }

    @Test
    void aTableForAMachineThatNobodyHasMeasured() {
        assertEquals(0, tune("--simulate", "ideal:64", "--ops", "bcast,allreduce", "--sizes", "1K,1M,64M"), err::toString);
        TuningTable table = TuningTable.parse("what tune printed", out.toString());
        assertTrue(table.rules().stream().allMatch(rule -> rule.provenance().equals("simulated on ideal:64 with 64 ranks")), out::toString);
        // By equations (3) to (5): trees are best for little, the chain for much, and what is between belongs to scatter-allgather.
        assertEquals("binomial", algorithm(table, Collective.BCAST, 1 << 10));
        assertEquals("scatter-allgather", algorithm(table, Collective.BCAST, 1 << 20));
        assertEquals("pipelined-chain", algorithm(table, Collective.BCAST, 64 << 20));
        assertEquals("recursive-doubling", algorithm(table, Collective.ALLREDUCE, 1 << 10));
    }

    private static String algorithm(TuningTable table, Collective collective, long bytes) {
        Ladder ladder = new Selector(Catalogue::of, table, new Settings(new Properties(), Map.of())).ladder(collective, 64, true);
        return ladder.choice(ladder.step(bytes)).algorithm().name();
    }

    @Test
    void whatCannotBeSimulatedIsSaid() {
        assertEquals(2, tune("--simulate", "moon"));
        assertTrue(err.toString().contains("--simulate: there is no topology 'moon'"), err::toString);
        assertEquals(2, tune("--simulate", "ideal:4", "--np", "5"));
        assertTrue(err.toString().contains("--np: ideal:4 has places for 2 to 4 ranks, not 5"), err::toString);
    }
}
