package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import mpi.MPIException;
import org.brigade.bootstrap.Job;
import org.brigade.process.MakerName;
import org.brigade.process.NamelessFile;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.TestJava;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How ranks come to share a segment, and what is left when that, or a job, goes wrong. */
@Timeout(300)
class SegmentTest {
    private static final String KEY = "key";
    private static final long PATIENCE_MILLIS = 120_000;
    private static final long IMPATIENCE_MILLIS = 200;

    @TempDir
    Path directory;
    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void endChildren() {
        for (Process child : children) {
            child.destroyForcibly();
        }
    }

    @Test
    void aSegmentStaysUnder64MebibytesUpTo64RanksAndGivesTwoRanksHalfAMebibyteEach() {
        for (int ranks = 1; ranks <= 64; ranks++) {
            SegmentDescriptor layout = SegmentDescriptor.forRanks(ranks);
            assertTrue(layout.bytes() < 64 << 20, ranks + " ranks: " + layout.bytes() + " bytes");
            assertTrue(Integer.bitCount(layout.ringBytes()) == 1 && layout.ringBytes() >= 4096,
                ranks + " ranks: rings of " + layout.ringBytes());
            assertTrue(Integer.bitCount(layout.slots()) == 1 && layout.slots() >= 8,
                ranks + " ranks: " + layout.slots() + " slots");
        }
        assertTrue(SegmentDescriptor.forRanks(2).ringBytes() >= 512 << 10);
    }

    @Test
    void channelsLieOnLinesBehindEachOtherAndEndWithTheSegment() {
        for (int ranks : new int[] {1, 2, 3, 17, 64}) {
            SegmentDescriptor layout = SegmentDescriptor.forRanks(ranks);
            int end = SegmentDescriptor.row(ranks);
            for (int from = 0; from < ranks; from++) {
                for (int to = 0; to < ranks; to++) {
                    for (int lane = 0; lane < Endpoint.LANES; lane++) {
                        int channel = layout.channel(from, to, lane);
                        String which = ranks + " ranks, channel " + from + " to " + to + " lane " + lane;
                        assertTrue(channel >= end, which + " begins at " + channel + ", inside what ends at " + end);
                        assertEquals(0, channel % 128, which + " shares a line with its neighbour");
                        end = channel + ChannelDescriptor.bytes(layout.slots(), layout.ringBytes());
                    }
                }
            }
            assertEquals(layout.bytes(), end);
        }
    }

    @Test
    void aSizeThatTheUserSetsIsKeptAndOneThatIsTooSmallIsRefusedWithTheLeast() {
        for (long budget = 1 << 20; budget <= 1 << 30; budget += 7_777_777) {
            SegmentDescriptor layout = SegmentDescriptor.forRanks(4, budget);
            assertTrue(layout.bytes() <= budget, "asked for " + budget + ", got " + layout.bytes());
        }
        MPIException small =
            assertThrows(MPIException.class, () -> open(0, 64, new SegmentSettings("8M", IMPATIENCE_MILLIS)));
        assertEquals(
            "MPI_ERR_OTHER: Init on rank 0 of 64: brigade.shm.segment=8M is too small: 64 ranks need 60M;"
                + " set it to that or more, or leave it out",
            small.getMessage());
        for (String bad : new String[] {"", "M", "12Q", "-3M", "1.5G", "99999999999"}) {
            MPIException none =
                assertThrows(MPIException.class, () -> open(0, 2, new SegmentSettings(bad, IMPATIENCE_MILLIS)), bad);
            assertTrue(none.getMessage().contains("brigade.shm.segment=" + bad + " is not a size"), none.getMessage());
        }
        assertEmpty();
    }

    @Test
    void afterInitTheSegmentHasNoName() throws IOException {
        SegmentRanks.open(directory, KEY, 5);
        assertEmpty();
    }

    @Test
    void duringInitTheSegmentHasNoNameIsReservedAndForItsOwnerOnly() throws Exception {
        Process child = child(0, 2, PATIENCE_MILLIS, "finish");
        Path file = awaitMade(child);
        assertEmpty();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        long reserved = ((Number) Files.getAttribute(file, "unix:size")).longValue();
        assertEquals(SegmentDescriptor.forRanks(2).bytes(), reserved);
        assertEquals("opened", firstLine(child(1, 2, PATIENCE_MILLIS, "finish")));
        assertEquals("opened", firstLine(child));
        assertEmpty();
    }

    @Test
    void whereTheFileNeedsANameALinkOrSomebodyElsesFileInTheWayIsAnErrorOnEveryRankAndIsLeftAlone() throws Exception {
        Path target = Files.createFile(directory.resolve("precious"));
        Files.createSymbolicLink(file(), target);
        Process[] ranks = {child(0, 2, PATIENCE_MILLIS, "finish"), child(1, 2, PATIENCE_MILLIS, "finish")};
        for (Process rank : ranks) {
            assertEquals("opened", firstLine(rank)); // it needs no name
        }
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(
                "MPI_ERR_OTHER: Init on rank " + rank + " of 2: " + file()
                    + " must be a file of this user, but is a link or another user's; ask its owner to remove it",
                firstLine(start(command(rank, 2, PATIENCE_MILLIS, "hold"))));
        }
        assertTrue(Files.isSymbolicLink(file()) && Files.size(target) == 0,
            "the link or what it points to was touched");
    }

    /** Whatever is the job's state: the file has no name, and goes with its processes. */
    @Test
    void aJobKilledInInitLeavesNothing() throws Exception {
        for (int microseconds = 0; microseconds < 20_000; microseconds += 4_000) {
            Process first = child(0, 3, PATIENCE_MILLIS, "hold");
            Process second = child(1, 3, PATIENCE_MILLIS, "hold");
            awaitMade(first);
            TimeUnit.MICROSECONDS.sleep(microseconds);
            first.destroyForcibly();
            second.destroyForcibly();
            first.waitFor();
            second.waitFor();
            assertEmpty();
        }
    }

    @Test
    void aJobKilledInInitWhoseFileHasANameLeavesOneFileThatTheNextJobRemoves() throws Exception {
        for (int microseconds = 0; microseconds < 20_000; microseconds += 4_000) {
            Process killed = start(command(0, 2, PATIENCE_MILLIS, "hold"));
            awaitAny();
            TimeUnit.MICROSECONDS.sleep(microseconds);
            killed.destroyForcibly().waitFor();
            assertEquals(1, listed().size(),
                "left by a job killed " + microseconds + " us after it began its file: " + listed());
            SegmentRanks.open(directory, "another", 2);
            assertEmpty();
        }
    }

    @Test
    void aJobWithADeadJobsKeyTakesItsPlaceWhicheverRankComesFirst() throws Exception {
        Process killed = start(command(0, 2, PATIENCE_MILLIS, "hold"));
        Path stale = await(file());
        while (new SegmentFile(stale, MakerName.uid()).look() != SegmentFile.Condition.READY) {
            Thread.sleep(1);
        }
        killed.destroyForcibly().waitFor();
        Process early = child(1, 2, PATIENCE_MILLIS, "finish");
        Thread.sleep(300);
        open(0, 2, settings()).close();
        assertEquals("opened", firstLine(early));
        SegmentRanks.open(directory, "another", 2);
        assertEmpty();
    }

    /** The ranks of containers that share memory, but not process numbers. */
    @Test
    void aRankInAnotherPidNamespaceGetsAFileWithAName() throws Exception {
        Assumptions.assumeTrue(mayMount(), "needs root and unshare, for a pid namespace of its own");
        for (boolean[] elsewhere : new boolean[][] {{false, false, true}, {true, false, false}, {true, true, true}}) {
            List<Process> ranks = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++) {
                List<String> command = launched(rank, 3);
                if (elsewhere[rank]) {
                    command.addAll(0, List.of("unshare", "-p", "-f", "--mount-proc"));
                }
                ranks.add(start(command));
            }
            for (Process rank : ranks) {
                assertEquals("opened", firstLine(rank));
                rank.waitFor();
            }
            assertEmpty();
        }
    }

    /** MPICH's launcher has two processes on a host that is listed twice. */
    @Test
    void aRankOfAnotherLauncherGetsAFileWithANameSoon() throws Exception {
        Process first = child(0, 2, PATIENCE_MILLIS, "finish");
        awaitMade(first);
        long began = System.nanoTime();
        Process second = start(List.of("sh", "-c",
            "PMI_RANK=1 " + String.join(" ", command(1, 2, PATIENCE_MILLIS, "finish")) + "; true"));
        assertEquals("opened", firstLine(second));
        assertEquals("opened", firstLine(first));
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        assertTrue(seconds < 30, "it took " + seconds + " s");
        second.waitFor();
        assertEmpty();
    }

    @Test
    void aRankThatHasAskedForANameInVainWithdrawsThatOnceItFindsTheFile() throws Exception {
        Process early = child(1, 3, PATIENCE_MILLIS, "finish");
        awaitAny();
        assertTrue(listed().get(0).getFileName().toString().startsWith(name() + ".waits~"), listed().toString());
        Process first = child(0, 3, PATIENCE_MILLIS, "finish");
        Path made = awaitMade(first);
        while (!listed().isEmpty()) {
            assertTrue(Files.notExists(file()), "the segment has got a name");
            Thread.sleep(1);
        }
        Thread.sleep(200); // several of the first rank's looks
        assertTrue(Files.exists(made) && listed().isEmpty(), "the segment has got a name");
        Process last = child(2, 3, PATIENCE_MILLIS, "finish");
        for (Process rank : List.of(early, first, last)) {
            assertEquals("opened", firstLine(rank));
        }
    }

    /** One that may not open the files of another one, as in user namespaces beside each other. */
    @Test
    void aRankThatMayNotOpenTheFirstOnesFilesGetsAFileWithAName() throws Exception {
        Assumptions.assumeTrue(mayMount(), "needs root and unshare, for user namespaces");
        List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<String> command = launched(rank, 2);
            command.addAll(0, List.of("unshare", "-U"));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
            ranks.add(start(command));
        }
        for (Process rank : ranks) {
            assertEquals("opened", firstLine(rank));
            rank.waitFor();
        }
        assertEmpty();
    }

    @Test
    void aFileThatNeverSaidWhoMadeItIsRemovedOnceOld() throws IOException {
        Path silent = Files.createFile(directory.resolve(MakerName.prefix(MakerName.uid()) + "silent"));
        Files.setPosixFilePermissions(silent, PosixFilePermissions.fromString("rw-------"));
        // As young as it can be, however slow this machine is.
        Files.setLastModifiedTime(silent, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        SegmentRanks.open(directory, "first", 2);
        assertTrue(Files.exists(silent), "a file that may be a moment old was removed");
        Files.setLastModifiedTime(silent, FileTime.fromMillis(System.currentTimeMillis() - 10_000));
        SegmentRanks.open(directory, "second", 2);
        assertEmpty();
    }

    @Test
    void aRankThatIsTerminatedInInitTakesTheFileAlong() throws Exception {
        Process child = start(command(0, 2, PATIENCE_MILLIS, "hold"));
        awaitAny();
        child.destroy();
        child.waitFor();
        assertEmpty();
    }

    /** Between the look and the opening the name may be free, and another user may take it. */
    @Test
    void aFileThatTookTheNameOfTheOneThatWasLookedAtIsNotMapped() throws IOException {
        SegmentCreation made = new SegmentCreation(file(), new ExitHook(0), true);
        made.publish(made.create(SegmentDescriptor.forRanks(2), KEY.hashCode(), ProcessIdentity.self()));
        SegmentFile found = new SegmentFile(file(), MakerName.uid());
        assertEquals(SegmentFile.Condition.READY, found.look());
        assertNotNull(found.map());
        Path other = Files.copy(file(), file().resolveSibling("other"));
        Files.move(other, file(), StandardCopyOption.REPLACE_EXISTING);
        assertNull(found.map());
        Files.delete(file());
    }

    /** Another user may take a name as soon as it is free, with a pipe that nobody writes to. */
    @Test
    void aPipeThatTookTheNameOfTheFileThatWasLookedAtIsNotWaitedFor() throws Exception {
        SegmentCreation made = new SegmentCreation(file(), new ExitHook(0), true);
        made.publish(made.create(SegmentDescriptor.forRanks(2), KEY.hashCode(), ProcessIdentity.self()));
        Path[] kinds = {file().resolveSibling("file"), file().resolveSibling("pipe")};
        Files.createLink(kinds[0], file());
        assertEquals(0, new ProcessBuilder("mkfifo", "-m", "600", kinds[1].toString()).start().waitFor());
        AtomicBoolean done = new AtomicBoolean();
        Thread other = new Thread(() -> {
            try {
                for (int i = 0; !done.get(); i++) {
                    Path link = Files.createLink(file().resolveSibling("link"), kinds[i & 1]);
                    Files.move(link, file(), StandardCopyOption.ATOMIC_MOVE);
                    Files.deleteIfExists(link); // one of two names of a file is not moved to the other
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        other.start();
        EnumSet<SegmentFile.Condition> seen = EnumSet.noneOf(SegmentFile.Condition.class);
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            SegmentFile file = new SegmentFile(file(), MakerName.uid());
            for (int looks = 0; looks < 20_000; looks++) {
                seen.add(file.look());
            }
        });
        done.set(true);
        other.join();
        assertEquals(EnumSet.of(SegmentFile.Condition.READY, SegmentFile.Condition.FOREIGN), seen);
        for (Path each : listed()) {
            Files.delete(each);
        }
    }

    /** The hook runs beside Init, which may be about to make the file. */
    @Test
    void onceTheProcessEndsNoFileIsMade() throws IOException {
        ExitHook hook = new ExitHook(0);
        hook.run();
        for (boolean named : new boolean[] {false, true}) {
            SegmentCreation file = new SegmentCreation(file(), hook, named);
            IOException ending = assertThrows(IOException.class,
                () -> file.create(SegmentDescriptor.forRanks(2), KEY.hashCode(), ProcessIdentity.self()));
            assertEquals("this process is ending", ending.getMessage());
        }
        assertEmpty();
    }

    @Test
    void aRankThatDiesInInitEndsItForTheOthers() throws Exception {
        Process child = child(1, 3, PATIENCE_MILLIS, "hold");
        Thread killer = new Thread(() -> {
            try {
                awaitAttached(await(file()), 1);
                child.destroyForcibly();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        killer.start();
        MPIException lost = assertThrows(MPIException.class, () -> open(0, 3, settings()));
        killer.join();
        assertEquals("MPI_ERR_OTHER: Init on rank 0 of 3: rank 1 (pid " + child.pid()
            + ") ended during Init; its own messages say why", lost.getMessage());
        assertEmpty();
    }

    @Test
    void ranksThatDoNotComeAreNamedAndTheFileGoes() {
        MPIException alone =
            assertThrows(MPIException.class, () -> open(0, 3, new SegmentSettings(null, IMPATIENCE_MILLIS)));
        assertTrue(
            alone.getMessage().startsWith("MPI_ERR_OTHER: Init on rank 0 of 3: waited 0 s for ranks 1, 2 to call Init"),
            alone.getMessage());
        MPIException rootless =
            assertThrows(MPIException.class, () -> open(2, 3, new SegmentSettings(null, IMPATIENCE_MILLIS)));
        assertTrue(rootless.getMessage().startsWith(
            "MPI_ERR_OTHER: Init on rank 2 of 3: waited 0 s for rank 0 to make the shared segment in " + directory),
            rootless.getMessage());
        assertEmpty();
    }

    @Test
    void aFullDirectoryIsAnErrorOnEveryRankAndLeavesNothing() throws Exception {
        Assumptions.assumeTrue(mayMount(), "needs root and unshare, for a small tmpfs of its own");
        String java = String.join(" ", command(0, 2, PATIENCE_MILLIS, "hold"));
        String other = String.join(" ", command(1, 2, PATIENCE_MILLIS, "hold"));
        for (String size : new String[] {"1m", "4k"}) {
            Process shell = new ProcessBuilder("unshare", "-m", "sh", "-c",
                "mount -t tmpfs -o size=" + size + " none " + directory + " && { " + other + " & " + java
                    + "; wait; ls " + directory + "; }")
                .redirectErrorStream(true).start();
            children.add(shell);
            List<String> said = List.of(new String(shell.getInputStream().readAllBytes()).split("\n"));
            assertEquals(2, said.size(), "each rank one line, and no file left in " + size + ": " + said);
            assertTrue(
                said.stream()
                    .anyMatch(line -> line.startsWith("MPI_ERR_OTHER: Init on rank 0 of 2: " + directory + " has ")
                        && line.contains(" MiB free and this job needs "
                            + ((SegmentDescriptor.forRanks(2).bytes() >> 20) + 1) + " MiB; free some")),
                said.toString());
        }
    }

    private static boolean mayMount() throws Exception {
        try {
            return new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    @Test
    void aPeerThatIsKilledIsToldFromOneThatExitsAndFromOneThatFinalizes() throws Exception {
        String[] endings = {"hold", "exit", "finish"};
        for (String ending : endings) {
            Process child = child(1, 2, PATIENCE_MILLIS, ending);
            Endpoint end = open(0, 2, settings());
            assertEquals("opened", firstLine(child));
            assertEmpty();
            if (ending.equals("hold")) {
                assertNull(end.lostPeer(), "a living peer");
                child.destroyForcibly();
            }
            child.waitFor();
            String expected = switch (ending) {
                case "hold" -> "rank 1 (pid " + child.pid() + ") died";
                case "exit" -> "rank 1 exited without MPI.Finalize";
                default -> null;
            };
            assertEquals(expected, end.lostPeer());
            end.close();
        }
    }

    @Test
    void jobsThatSharedMemoryCannotServeAreRefusedInOneSentence() {
        ShmTransport transport = new ShmTransport(Path.of("/dev/shm"), settings());
        assertNull(transport.unfit(new Job("test", 0, 1000, 0, 2, KEY)), "what counts are the ranks of this node");
        assertTrue(transport.unfit(SegmentRanks.job(0, 1000, KEY)).contains("would pass 2 GiB"));
        assertTrue(new ShmTransport(Path.of("/nowhere"), settings()).unfit(SegmentRanks.job(0, 2, KEY))
            .startsWith("/nowhere is not memory"));
        assertNull(new ShmTransport(Path.of("/nowhere"), settings()).unfit(SegmentRanks.job(0, 1, KEY)),
            "a job of one needs no shared memory");
        assertNull(transport.unfit(SegmentRanks.job(0, 2, KEY)));
    }

    private SegmentSettings settings() {
        return new SegmentSettings(null, PATIENCE_MILLIS);
    }

    private Endpoint open(int rank, int size, SegmentSettings settings) {
        return new ShmTransport(directory, settings).open(SegmentRanks.job(rank, size, KEY));
    }

    private Path file() {
        try {
            return directory.resolve(name());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> command(int rank, int size, long timeoutMillis, String ending) {
        return new ArrayList<>(TestJava.command(SegmentChild.class.getName(), directory.toString(), KEY,
            Integer.toString(rank), Integer.toString(size), Long.toString(timeoutMillis), ending));
    }

    @Test
    void boundRanksKnowWhetherTheyHaveAProcessorToThemselves() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset"))
            && Runtime.getRuntime().availableProcessors() >= 2, "no taskset here, or one processor");
        assertEquals(List.of("OWN", "OWN"), cores("0", "1"), "each is bound to one");
        assertEquals(List.of("OWN", "OWN"), cores("0-1", "0-1"), "neither is bound");
        assertEquals(List.of("SHARED", "SHARED"), cores("0", "0"), "both are bound to the same");
        assertEquals(List.of("SHARED", "OWN", "SHARED"), cores("0", "1", "0"), "two are");
        assertEquals(List.of("SHARED", "SHARED", "SHARED"), cores("0-1", "1", "0-1"), "three ranks, two processors");
    }

    /** What ranks that are bound to these processors say. */
    private List<String> cores(String... processors) throws IOException {
        List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < processors.length; rank++) {
            List<String> bound = new ArrayList<>(List.of("/usr/bin/taskset", "-c", processors[rank]));
            bound.addAll(command(rank, processors.length, PATIENCE_MILLIS, "cores"));
            ranks.add(new ProcessBuilder(bound).redirectErrorStream(true).start());
        }
        children.addAll(ranks);
        List<String> said = new ArrayList<>();
        for (Process rank : ranks) {
            assertEquals("opened", firstLine(rank));
            said.add(firstLine(rank));
        }
        return said;
    }

    private Process child(int rank, int size, long timeoutMillis, String ending) throws IOException {
        List<String> command = command(rank, size, timeoutMillis, ending);
        command.addAll(0, List.of("env", "PMI_RANK=" + rank));
        return start(command);
    }

    private Process start(List<String> command) throws IOException {
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        children.add(child);
        return child;
    }

    /** A rank that this process has started as a launcher does; {@link #command} gives one that was started by hand. */
    private List<String> launched(int rank, int size) {
        List<String> launched = command(rank, size, PATIENCE_MILLIS, "finish");
        launched.addAll(0, List.of("env", "PMI_RANK=" + rank));
        return launched;
    }

    private static String name() throws IOException {
        return MakerName.prefix(MakerName.uid()) + KEY;
    }

    /** Waits until a rank has made a file without a name; gives the path that leads to it. */
    private Path awaitMade(Process rank) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        SegmentFile file = new SegmentFile(file(), MakerName.uid());
        while (file.seek(rank.pid()) != SegmentFile.Condition.READY) {
            assertTrue(System.nanoTime() < deadline, "no file was ever made");
            Thread.sleep(1);
        }
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/" + rank.pid() + "/fd"))) {
            for (Path each : open) {
                if (Files.isSymbolicLink(each) && NamelessFile.formerName(each).equals(file.shownAs())) {
                    return each;
                }
            }
        } finally {
            file.close();
        }
        throw new AssertionError("the rank has closed its file");
    }

    private static String firstLine(Process child) throws IOException {
        return child.inputReader().readLine();
    }

    private static Path await(Path file) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            assertTrue(System.nanoTime() < deadline, file + " was never made");
            Thread.sleep(1);
        }
        return file;
    }

    /** Until a rank has written its row of the segment. */
    private static void awaitAttached(Path file, int rank) throws IOException {
        try (FileChannel segment = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer state = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
            do {
                segment.read(state.clear(), SegmentDescriptor.row(rank) + SegmentDescriptor.ROW_STATE);
            } while (state.getLong(0) != RankTable.ATTACHED);
        }
    }

    private void awaitAny() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (listed().isEmpty()) {
            assertTrue(System.nanoTime() < deadline, "no file was ever made");
            Thread.onSpinWait();
        }
    }

    private List<Path> listed() {
        try (var files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertEmpty() {
        assertEquals(List.of(), listed(), "left in the directory");
    }
}
