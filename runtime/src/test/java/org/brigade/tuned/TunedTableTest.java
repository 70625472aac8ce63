package org.brigade.tuned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.SizeThresholds;
import org.brigade.select.TuningRule;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;
import org.brigade.topology.system.HostShape;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunedTableTest {
    private static final HostShape SHAPE = new HostShape(8, 4, 1, 1, "Some Processor");
    private static final String RULE = "bcast ranks 4 nodes 1 bytes ..1K chain\n";

    @TempDir
    private Path temporary;
    private Path folder;

    @BeforeEach
    void name() throws IOException {
        folder = temporary.toRealPath().resolve("config/brigade");
    }

    private Path write(String rules) throws IOException {
        return TunedTable.write(folder, SHAPE, 4, "measured today", rules);
    }

    private TunedTable read() {
        return TunedTable.of(folder, SHAPE, 4);
    }

    private void assertRefused(String why) {
        TunedTable refused = read();
        assertNull(refused.table());
        assertTrue(refused.complaint().startsWith("the tuning table " + folder)
            && refused.complaint().contains(why)
            && refused.complaint().endsWith("tune again: brigade tune --space host --np 4"), refused.complaint());
    }

    private void replace(String old, String now) throws IOException {
        Path file = folder.resolve(TunedTable.name(SHAPE, 4));
        String text = Files.readString(file);
        assertTrue(text.contains(old), text);
        Files.writeString(file, text.replace(old, now));
    }

    @Test
    void whatIsWrittenIsFoundForItsShapeAndNumberOfRanksOnly() throws IOException {
        Path file = write(RULE);
        assertEquals(folder, file.getParent());
        TunedTable found = read();
        assertEquals(file, found.file());
        assertNull(found.complaint());
        assertEquals(List.of("chain"), found.table().rules().stream().map(TuningRule::algorithm).toList());
        assertNull(TunedTable.of(folder, SHAPE, 8).file());
        assertNull(TunedTable.of(folder, new HostShape(8, 8, 1, 1, "Some Processor"), 4).file());
        assertNull(TunedTable.of(folder, new HostShape(8, 4, 2, 1, "Some Processor"), 4).file());
        assertNull(TunedTable.of(folder, new HostShape(8, 4, 1, 2, "Some Processor"), 4).file());
        assertNull(TunedTable.of(folder, new HostShape(8, 4, 1, 1, "Another"), 4).file());
    }

    @Test
    void onlyThisUserMayEnterTheFolder() throws IOException {
        write(RULE);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    }

    @Test
    void aTableOfAnotherVersionOrCatalogueOrMachineIsNotUsedAndItSaysWhy() throws IOException {
        assertTrue(TunedFile.maker().matches("by Brigade \\S+, catalogue [0-9a-f]+"), TunedFile.maker());
        write(RULE);
        replace("by Brigade ", "by Brigade 0.0.");
        assertRefused("it was tuned by Brigade 0.0.");
        write(RULE);
        replace(", catalogue ", ", catalogue 1");
        assertRefused(", catalogue 1");
        write(RULE);
        replace(SHAPE.toString(), "9 processors");
        assertRefused("it was tuned on a machine of 9 processors, and this one has 8 processors, 4 cores");
        write(RULE);
        replace("tuned " + TunedFile.maker(), "");
        assertRefused("nobody knows");
        write(RULE);
        assertNull(read().complaint(), "tuned again");
    }

    @Test
    void aTableThatOthersCouldHaveWrittenIsNotUsed() throws IOException {
        Path file = write(RULE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        assertRefused("can be written to by others");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        assertRefused("can be written to by others");
    }

    @Test
    void aTableOfAnotherUserIsNotUsed() throws IOException {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "needs root");
        Files.setAttribute(write(RULE), "unix:uid", 54_321);
        assertRefused("belongs to user 54321");
    }

    @Test
    void aTableThatCannotBeReadIsNotUsed() throws IOException {
        write("bcast ranks 4 nodes 1 bytes ..1K\n");
        assertRefused("names no algorithm");
    }

    @Test
    void anInterruptedWriteLeavesTheOldTable() throws IOException {
        Path file = write(RULE);
        String before = Files.readString(file);
        assertThrows(NullPointerException.class, () -> TunedTable.write(folder, null, 4, "measured today", "x"));
        assertEquals(before, Files.readString(file));
        try (Stream<Path> all = Files.list(folder)) {
            assertEquals(1, all.count());
        }
    }

    @Test
    void withoutAFolderThereIsNoTable() {
        assertNull(TunedTable.in(null, 4).file());
        assertNull(TunedTable.in(temporary.resolve("missing"), 4).file());
    }

    @Test
    void theUsersTableGoesBeforeTheJarsAndAForcedSettingBeforeBoth() throws IOException {
        write(RULE);
        Properties properties = new Properties();
        Settings settings = new Settings(properties, Map.of());
        TuningTable jar = TuningSource.load(settings);
        Selector selector = Selector.of(jar, read().table(), settings);
        Choice tuned = choice(selector, 4, 1024);
        assertEquals("chain", tuned.algorithm().name());
        assertTrue(tuned.rule().startsWith("line 6 of " + folder) && tuned.rule().endsWith("measured today"),
            tuned.rule());
        Choice usual = choice(Selector.of(jar, null, settings), 4, 1024);
        assertNotEquals("chain", usual.algorithm().name());
        assertEquals(choice(Selector.of(jar, null, settings), 4, 2048), choice(selector, 4, 2048), "no rule of ours");
        assertEquals(choice(Selector.of(jar, null, settings), 2, 1024), choice(selector, 2, 1024), "fewer ranks");
        assertTrue(choice(selector, 4, 2048).rule().contains(TuningSource.DEFAULT));
        assertNotEquals(jar.fingerprint(), selector.table().fingerprint(), "ranks compare it");
        properties.setProperty("brigade.bcast.algorithm", "binomial");
        assertEquals("binomial", choice(selector, 4, 1024).algorithm().name());
    }

    private static Choice choice(Selector selector, int ranks, long bytes) {
        SizeThresholds ladder = selector.ladder(Collective.BCAST, ranks, true, Placement.ALIGNED,
            CommunicatorTopology.NONE);
        return ladder.choice(ladder.step(bytes));
    }

    @Test
    void aTableThatTheUserNamesDecidesAlone() {
        Properties properties = new Properties();
        properties.setProperty("brigade.tuning", "none");
        Settings settings = new Settings(properties, Map.of());
        assertNull(TunedTable.find(settings, 4).file());
        assertEquals(TuningSource.DEFAULT, TuningSource.load(settings).source(), "none: the table in the jar");
    }
}
