package org.brigade.cli.bench.versus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.brigade.cli.shared.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerProgramTest {
    private static final BenchJob JOB = new BenchJob("bcast", "8", 2, 0);
    private static final Consumer<BenchRow> IGNORED = row -> {
    };

    @Test
    void rowsAreReadWithAndWithoutAnAlgorithm() {
        assertEquals(new BenchRow("bcast", 2, 8, "", 0.25), BenchRow.parse("bcast,2,8,0.250"));
        assertEquals(new BenchRow("bcast", 2, 8, "fused-flat", 0.25), BenchRow.parse(" bcast,2,8,fused-flat,0.250\r"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "operation,ranks,bytes,microseconds", "# OSU MPI Latency", "8 0.25", "bcast,2,8",
        "bcast,2,8,NaN", "bcast,2,8,-1", "bcast,0,8,1",
        "bcast,2,-8,1", "bcast,2,8,a,b,1", "bcast,2,1e3,1"})
    void otherOutputOfAPeerIsPassedOver(String line) {
        assertNull(BenchRow.parse(line));
    }

    @Test
    void thePeersCommandGetsOurSizes() {
        BenchJob job = new BenchJob("bcast", "8,16", 4, 0);
        assertEquals("run -n 4 bcast 8,16", PeerProgram.ofShell("run -n {np} {ops} {sizes}", job).version());
        assertEquals("run 8,16", PeerProgram.ofShell("run", job).version());
        assertEquals("run 8,16 fresh=99",
            PeerProgram.ofShell("run {sizes} {fresh}", new BenchJob("bcast", "8,16", 4, 99)).version());
    }

    @Test
    void thePeersRowsAreReadFromItsOutput() {
        List<BenchRow> rows = new ArrayList<>();
        PeerProgram.ofShell("echo header; echo bcast,2,8,1.5; echo", JOB).run(rows::add);
        assertEquals(List.of(new BenchRow("bcast", 2, 8, "", 1.5)), rows);
    }

    @Test
    void aPeerThatFailsOrPrintsNothingIsAnError() {
        assertTrue(assertThrows(BenchException.class, () -> PeerProgram.ofShell("exit 3 #", JOB).run(IGNORED))
            .getMessage().contains("exited with code 3"));
        assertTrue(assertThrows(BenchException.class, () -> PeerProgram.ofShell("true", JOB).run(IGNORED)).getMessage()
            .contains("printed no line"));
    }

    @Test
    void severalRunsGiveTheirMedian() {
        MedianRows rows = new MedianRows();
        for (double time : new double[] {9, 1, 2}) {
            rows.add(new BenchRow("bcast", 2, 8, "chain", time));
        }
        assertEquals(List.of(new BenchRow("bcast", 2, 8, "chain", 2)), rows.rows());
        assertNull(rows.best("bcast,16"));
    }
}
