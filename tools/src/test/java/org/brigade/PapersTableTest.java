package org.brigade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.select.ByteSize;
import org.brigade.select.MemorySpace;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.junit.jupiter.api.Test;

/** What the table at the begin of docs/papers.md says that runs by itself is what the default chooses there. */
class PapersTableTest {
    private static final Set<String> STATES = Set.of("by itself", "when forced", "simulated", "missing");

    /** The cells of the table's rows, but for the outer ones. */
    private static List<String[]> rows() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        List<String[]> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(root.resolve("docs/papers.md"))) {
            if (line.startsWith("| --- ")) {
                inTable = true;
            } else if (inTable && !line.startsWith("|")) {
                return rows;
            } else if (inTable) {
                String[] cells = line.substring(1, line.length() - 1).split("\\|", -1);
                for (int i = 0; i < cells.length; i++) {
                    cells[i] = cells[i].strip();
                }
                rows.add(cells);
            }
        }
        return rows;
    }

    /** The name of the algorithm that the default takes for a call in the words of {@code explain}. */
    private static String chosen(String words) {
        String[] word = words.split(" ");
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < word.length; i += 2) {
            options.put(word[i], word[i + 1]);
        }
        int ranks = Integer.parseInt(options.get("--ranks"));
        int nodes = Integer.parseInt(options.getOrDefault("--nodes", "1"));
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            nodeOf[rank] = (int) ((long) rank * nodes / ranks);
        }
        MemorySpace space =
            MemorySpace.valueOf(options.getOrDefault("--space", "host").toUpperCase(java.util.Locale.ROOT));
        CommunicatorTopology wires = nodes == 1 ? CommunicatorTopology.NONE
            : new CommunicatorTopology(null, Levels.dividing(nodeOf), null, nodes);
        SizeThresholds ladder = Selector.of(space, new Settings(new Properties(), Map.of())).ladder(
            Collective.valueOf(word[0].toUpperCase(java.util.Locale.ROOT)), ranks, true, Placement.ALIGNED, wires);
        return ladder.choice(ladder.step(ByteSize.parse(options.get("--bytes")))).algorithm().name();
    }

    @Test
    void whatRunsByItselfIsWhatTheDefaultChooses() throws IOException {
        int asked = 0;
        List<String> wrong = new ArrayList<>();
        for (String[] row : rows()) {
            assertEquals(6, row.length, String.join("|", row));
            assertTrue(STATES.contains(row[2]), row[1] + ": " + row[2]);
            assertTrue(row[2].equals("by itself") || row[3].isEmpty() && !row[5].isEmpty(),
                row[1] + ": what does not run by itself has no case, and a reason");
            if (!row[3].isEmpty()) {
                String chosen = chosen(row[3].replace("`", ""));
                asked++;
                if (!row[4].equals('`' + chosen + '`')) {
                    wrong.add(row[1] + ": " + row[3] + " takes " + chosen + ", the table says " + row[4]);
                }
            }
        }
        assertEquals(List.of(), wrong, "docs/papers.md");
        assertTrue(asked > 0, "the table has cases");
    }
}
