package org.brigade.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theTokenCollectsEveryRanksNumber(int ranks) throws Exception {
        assertEquals(List.of("The token has passed " + ranks + " ranks and is " + ranks * (ranks - 1) / 2),
            RealRanks.run(ranks, TokenRing.class));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void piIsRightToTenDigits(int ranks) throws Exception {
        List<String> printed = RealRanks.run(ranks, Pi.class, "100000");
        assertTrue(printed.size() == 1 && printed.get(0).startsWith("pi is about 3.141592653"), printed::toString);
    }

    @Test
    void thePlateHeatsAlikeForAnyNumberOfRanks() throws Exception {
        List<String> alone = RealRanks.run(1, HeatedPlate.class, "50");
        for (int ranks : new int[] {2, 3, 4}) {
            assertEquals(alone, RealRanks.run(ranks, HeatedPlate.class, "50"), ranks + " ranks");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void mapsAreComposedInTheOrderOfRanksInBothDialects(int ranks) throws Exception {
        List<String> printed = RealRanks.run(ranks, AffineMaps.class);
        assertTrue(printed.size() == 1 && printed.get(0).endsWith("wrong on 0 ranks"), printed::toString);
    }

    @Test
    void rowsAndColumnsOfAGridAreCommunicators() throws Exception {
        assertEquals(
            List.of("rank 0: sum of its row 1, greatest such sum 5", "rank 1: sum of its row 1, greatest such sum 5",
                "rank 2: sum of its row 5, greatest such sum 5", "rank 3: sum of its row 5, greatest such sum 5"),
            RealRanks.run(4, Grid.class));
    }

    @Test
    void asManyCellsLiveForAnyNumberOfRanks() throws Exception {
        List<String> alone = RealRanks.run(1, LifeOnATorus.class, "60");
        for (int ranks : new int[] {2, 4, 6}) {
            assertEquals(alone, RealRanks.run(ranks, LifeOnATorus.class, "60"), ranks + " ranks");
        }
    }

    @Test
    void blocksOfAllRanksFillAFile(@TempDir Path directory) throws Exception {
        List<String> printed = RealRanks.run(3, InterleavedFile.class, directory.resolve("file").toString(), "20");
        assertEquals("3 ranks wrote 20 blocks of 4096 bytes each", printed.get(printed.size() - 1));
    }

    @Test
    void theIndexListsEveryProgramAndNothingElse() throws IOException {
        Path sources = Path.of("src/main/java");
        TreeSet<String> programs = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file).contains(" void main(String[] ")) {
                    programs.add(file.toString());
                }
            }
        }
        TreeSet<String> listed = new TreeSet<>();
        Matcher link = Pattern.compile("\\]\\((src/[^)]*)\\)").matcher(Files.readString(Path.of("README.md")));
        while (link.find()) {
            listed.add(link.group(1));
        }
        assertEquals(programs, listed);
    }
}
