package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cli.Ended;
import org.brigade.cli.bench.families.FamilyOperation;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.BenchRow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FamilyOperationsTest {
    /** Operations that no library in C has. */
    private static final Set<String> JAVA_ONLY = Set.of("object", "bcast-object");

    private static String source(String name) throws IOException {
        try (var in = BenchRow.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theProgramInCTimesEachInTheSameWay() throws IOException {
        Map<String, String> ours = new TreeMap<>();
        for (FamilyOperation each : FamilyOperation.ALL) {
            if (!JAVA_ONLY.contains(each.key())) {
                ours.put(each.key(), each.timed() + " " + each.most() + " " + each.iterations());
            }
        }
        Map<String, String> theirs = new TreeMap<>();
        Matcher line = Pattern.compile("\\{\"([a-z-]+)\", (EXCHANGE|ORIGIN|TOGETHER), (\\d+)(?: << (\\d+))?, (\\d+),")
            .matcher(source("mpi_families.h"));
        while (line.find()) {
            long most = Long.parseLong(line.group(3)) << (line.group(4) == null ? 0 : Integer.parseInt(line.group(4)));
            theirs.put(line.group(1), line.group(2) + " " + most + " " + line.group(5));
        }
        assertEquals(ours, theirs);
    }

    @Test
    void everyCollectiveAndMessageHasAPeerInC() throws IOException {
        Set<String> theirs = new HashSet<>();
        Matcher name = Pattern.compile("\\{\"([a-z-]+)\", [A-Z]+, \\w+, [01]").matcher(source("mpi_bench.c"));
        while (name.find()) {
            theirs.add(name.group(1));
        }
        for (BenchOperation each : BenchOperation.ALL) {
            assertTrue(theirs.contains(each.key()), each.key() + " of " + theirs);
        }
    }

    @Test
    void namesAreUniqueAndThoseWithoutSizesAreKnownToJobs() {
        Set<String> names = new HashSet<>();
        new BenchOperation.Names().forEach(each -> assertTrue(names.add(each), each));
        for (FamilyOperation each : FamilyOperation.ALL) {
            assertEquals(each.isSized() ? 3 : 1, new BenchJob(each.key(), "8,16,32", 2, 0).rows(), each.key());
        }
        assertNull(FamilyOperation.of("bcast"));
    }

    @Test
    void oneRankCannotExchange() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> BenchOperation.check("dup,column", 1))
            .getMessage().contains("column needs 2 ranks"));
        BenchOperation.check("dup,write-all,allreduce", 1);
    }

    @Test
    void familiesHaveNoFreshBuffers() {
        Ended ended = Ended.brigade("bench", "--np", "2", "--ops", "column", "--fresh");
        assertEquals(2, ended.code());
        assertTrue(ended.err().contains("column is timed in host memory that stays the same"), ended.err());
    }

    /** A row for each operation and size, and all that ranks made is freed; the times say nothing. */
    @Test
    @Timeout(300)
    @Tag("once")
    @Tag("slow")
    void eachIsTimed() {
        List<String> names = FamilyOperation.ALL.stream().map(FamilyOperation::key).toList();
        Ended ended = Ended.brigade("bench", "--np", "2", "--csv", "--sizes", "8192", "--ops",
            String.join(",", names), "-J-Dbrigade.bench.iterations=2");
        assertEquals(0, ended.code(), ended.err());
        List<BenchRow> rows = ended.out().lines().map(BenchRow::parse).filter(row -> row != null).toList();
        for (FamilyOperation each : FamilyOperation.ALL) {
            assertEquals(1,
                rows.stream().filter(row -> row.operation().equals(each.key())).count(), each.key());
        }
    }
}
