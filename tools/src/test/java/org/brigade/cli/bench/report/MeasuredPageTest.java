package org.brigade.cli.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.cli.shared.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasuredPageTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"benchmarks.md", "sisci.md"})
    void tablesOfThePagesAreThoseOfTheirFiles(String page) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        Path file = root.resolve("docs").resolve(page);
        String text = Files.readString(file);
        assertTrue(text.contains("<!-- table measured/"), page);
        assertEquals(text, MeasuredPage.made(file), "make them anew: bin/brigade bench --page docs/" + page);
    }

    private String table(String csv, String words) throws IOException {
        return made("table", csv, words);
    }

    private String made(String what, String csv, String words) throws IOException {
        Files.writeString(folder.resolve("some.csv"), csv);
        Path page = folder.resolve("page.md");
        Files.writeString(page, "before\n<!-- " + what + " some.csv" + words + " -->\nold\n<!-- end -->\nafter\n");
        return MeasuredPage.made(page);
    }

    @Test
    void aTableHasARowForEachSizeAndNamesWhatIsSlower() throws IOException {
        assertEquals("""
            before
            <!-- table some.csv -->

            | bytes | barrier | bcast |
            |---|---|---|
            | none | 2.00 (1.50) | |
            | 8 | | 0.500 (**0.90**)\\* |
            | 1M | | 123 (2.00) |

            A machine, 2026-01-02 beside a peer. Slower in 1 of 3 cells: bcast of 8. \\* a later run.

            <!-- end -->
            after
            """, table("""
            # machine: a machine
            # date: 2026-01-02
            # peer: a peer
            # command: not on the page
            bytes,operation,microseconds,peer_microseconds,note
            0,barrier,2,3,
            8,bcast,0.5,0.45,a later run
            1048576,bcast,123.4,246.8,
            """, ""));
    }

    @Test
    void timesOnAStreamAndRatiosAloneAreTables() throws IOException {
        String csv = "operation,bytes,microseconds,ratio,stream,peer_stream,graph_ratio\n"
            + "bcast,16,9,1.2,2,5,1.75\nbcast,32,9,1.2,,,\n";
        assertTrue(table(csv, " time=stream").contains("| 16 | 2.00 (2.50) |\n\nSlower in no cell."));
        assertTrue(table(csv, " time=graph").contains("| 16 | 1.75 |\n\n"));
        assertTrue(made("summary", csv, " time=stream").contains("\n2.50 to 2.50. Slower in no cell.\n\n<!-- end"));
        assertTrue(table(csv, " bytes=32").contains("|---|---|\n| 32 | 9.00 (1.20) |\n\n"));
    }

    @Test
    void coldCallsHaveARowForEachSpan() throws IOException {
        String csv = "operation,ranks,bytes,calls,microseconds,ratio\nbcast,2,8,init,300,1.2\nbcast,2,8,1,29,0.5\n"
            + "bcast,2,8,3-10,4,2\nbarrier,2,0,1,3,2\nbcast,2,8,total,900,1\n";
        assertTrue(table(csv, "").contains("""
            | calls | bcast of 8 | barrier |
            |---|---|---|
            | init | 300 (1.20) | |
            | 1 | 29.0 (**0.50**) | 3.00 (2.00) |
            | 3-10 | 4.00 (2.00) | |
            | total | 900 (1.00) | |

            Slower in 1 of 5 cells: bcast of 8: 1.
            """), table(csv, ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"operation,bytes,microseconds\nbcast,8\n", "operation,bytes,microseconds\nbcast,x,1\n",
        "operation,microseconds\nbcast,1\n", "operation,bytes,microseconds\n"})
    void whatIsNoFileOfMeasurementsIsNamed(String csv) {
        assertTrue(assertThrows(BenchException.class, () -> table(csv, "")).getMessage().contains("some.csv"));
    }

    @Test
    void aTableWithoutAnEndIsNamed() throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, "<!-- table some.csv -->\n");
        assertTrue(
            assertThrows(BenchException.class, () -> MeasuredPage.made(page)).getMessage().contains("line 1 of"));
    }
}
