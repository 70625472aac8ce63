package org.brigade.tuned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterTableTest {
    private static final ClusterShape SHAPE = ClusterShape.here("mpi", 2, 4, "rack1-node7.example");
    private static final String RULE = "bcast ranks 4 nodes 2 fabric mpi bytes ..1K chain\n";

    @TempDir
    private Path temporary;
    private Path folder;

    @BeforeEach
    void name() throws IOException {
        folder = temporary.toRealPath().resolve("config/brigade");
    }

    private Path write() throws IOException {
        return ClusterTable.write(folder, SHAPE, "measured today", RULE);
    }

    private Path planned(String name) throws IOException {
        return ClusterTable.writePlanned(folder, name, 2, 4, "simulated on " + name, RULE);
    }

    private static void replace(Path file, String old, String now) throws IOException {
        String text = Files.readString(file);
        assertTrue(text.contains(old), text);
        Files.writeString(file, text.replace(old, now));
    }

    private void assertRefused(String why, String cure) {
        ClusterTable refused = ClusterTable.in(folder, SHAPE);
        assertNull(refused.table());
        assertEquals("", refused.told(), "the other ranks follow nothing either");
        assertTrue(refused.complaint().startsWith("the tuning table " + folder) && refused.complaint().contains(why)
            && refused.complaint().endsWith(cure), refused.complaint());
    }

    @Test
    void nodesOfAClusterAreToldByTheirNamesWithoutNumbers() {
        assertEquals("2 nodes rack*-node* with 2 ranks each, joined by mpi", SHAPE.toString());
        assertEquals(SHAPE, ClusterShape.here("mpi", 2, 4, "rack12-node31"));
        assertNotEquals(SHAPE, ClusterShape.here("mpi", 2, 4, "rack1-gpu7"));
        long node = ClusterShape.word("node1");
        Nodes uneven = Nodes.of(0, new int[] {0, 1, 1});
        ClusterShape alike = ClusterShape.of("mpi", uneven, "node1", new long[] {node, node, node});
        assertEquals("2 nodes node* with 1 to 2 ranks, 3 in all, joined by mpi", alike.toString());
        long gpu = ClusterShape.word("gpu1");
        ClusterShape mixed = ClusterShape.of("mpi", uneven, "node1", new long[] {node, gpu, gpu});
        assertEquals("2 nodes node* and others with 1 to 2 ranks, 3 in all, joined by mpi", mixed.toString());
        assertNotEquals(alike.hash(), mixed.hash());
        assertEquals("job??*", ClusterShape.stem("job#\n9"), "a name is part of a line");
    }

    @Test
    void jobsOfTheSameShapeOnThisClusterFollowTheTable() throws IOException {
        write();
        Settings settings = new Settings(new Properties(), Map.of());
        TuningTable jar = TuningSource.load(settings);
        ClusterTable found = ClusterTable.in(folder, SHAPE);
        assertNull(found.complaint());
        ClusterTable heard = ClusterTable.heard(found.told());
        assertEquals(found.file(), heard.file());
        for (ClusterTable each : new ClusterTable[] {found, heard}) {
            Selector selector = Selector.of(jar, each.table(), settings);
            Choice choice = choice(selector, 2);
            assertEquals("chain", choice.algorithm().name());
            assertTrue(choice.rule().contains(folder.toString()) && choice.rule().endsWith("measured today"),
                choice.rule());
            assertEquals(choice(Selector.of(jar, null, settings), 4), choice(selector, 4), "on four nodes");
        }
        for (ClusterShape other : new ClusterShape[] {ClusterShape.here("mpi", 4, 4, "rack1-node1"),
            ClusterShape.here("mpi", 2, 6, "rack1-node1"), ClusterShape.here("sisci", 2, 4, "rack1-node1"),
            ClusterShape.here("mpi", 2, 4, "login")}) {
            assertNull(ClusterTable.in(folder, other).file(), other::toString);
        }
        assertNull(ClusterTable.in(null, SHAPE).file());
        assertNull(ClusterTable.in(temporary.resolve("missing"), SHAPE).file());
    }

    private static Choice choice(Selector selector, int nodes) {
        int[] nodeOf = new int[4];
        for (int rank = 0; rank < 4; rank++) {
            nodeOf[rank] = rank * nodes / 4;
        }
        SizeThresholds ladder = selector.ladder(Collective.BCAST, 4, true, Placement.ALIGNED,
            CommunicatorTopology.ofNodes(null, nodeOf).joinedBy("mpi"));
        return ladder.choice(ladder.step(512));
    }

    @Test
    void aTableOfAnotherVersionOrMachineOrDistributionIsNotUsed() throws IOException {
        String cure = "tune again: brigade tune --nodes by the MPI of this cluster, with as many processes";
        Path file = write();
        String whole = Files.readString(file);
        replace(file, "by Brigade ", "by Brigade 0.");
        assertRefused("it was tuned by Brigade 0.", cure);
        Files.writeString(file, whole);
        replace(file, "machine ", "machine 9");
        assertRefused("it was tuned on a machine of 9", cure);
        Files.writeString(file, whole);
        replace(file, "2 ranks each", "1 to 3 ranks, 4 in all");
        assertRefused("with 1 to 3 ranks, 4 in all, joined by mpi, and this one has ", cure);
    }

    @Test
    void aTableThatOthersCouldHaveWrittenIsNotUsed() throws IOException {
        Files.setPosixFilePermissions(write(), PosixFilePermissions.fromString("rw-rw----"));
        assertRefused("can be written to by others", "with as many processes");
    }

    @Test
    void aPlannedClustersTableServesUntilSomethingIsMeasured() throws IOException {
        Path file = planned("fat-tree:64");
        assertEquals(file.toString(), ClusterTable.in(folder, SHAPE).file());
        assertEquals(1, ClusterTable.in(folder, SHAPE).table().rules().size());
        assertNull(ClusterTable.in(folder, ClusterShape.here("mpi", 4, 4, "rack1-node7")).file());
        replace(file, "by Brigade ", "by Brigade 0.");
        assertRefused("it was tuned by Brigade 0.", "tune again: brigade tune --nodes --simulate");
        Path measured = write();
        assertEquals(measured.toString(), ClusterTable.in(folder, SHAPE).file());
    }

    @Test
    void ofTwoPlannedClustersNobodyKnowsWhichThisIs() throws IOException {
        planned("rx1");
        planned("rx3");
        ClusterTable found = ClusterTable.in(folder, SHAPE);
        assertNull(found.table());
        assertTrue(found.complaint().contains("planned-rx1-n2-np4.table, planned-rx3-n2-np4.table")
            && found.complaint().endsWith("keep one, or measure here with brigade tune --nodes"), found.complaint());
    }

    @Test
    void aTableThatTheUserNamesDecidesAlone() {
        Properties properties = new Properties();
        properties.setProperty("brigade.tuning", "none");
        assertNull(ClusterTable.find(new Settings(properties, Map.of()), SHAPE).file());
    }
}
