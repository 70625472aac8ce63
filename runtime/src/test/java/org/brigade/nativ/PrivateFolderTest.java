package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    private static final int STRANGER = 54_321;
    private static final byte[] CONTENT = new byte[200_000];

    @TempDir
    private Path temporary;
    private Path base;

    @BeforeEach
    void fill() throws IOException {
        base = temporary.toRealPath();
        for (int i = 0; i < CONTENT.length; i++) {
            CONTENT[i] = (byte) (i * 31);
        }
    }

    private static int uid() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    private static void give(Path file) throws IOException {
        assumeTrue(uid() == 0, "needs root to make files of another user");
        Files.setAttribute(file, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
    }

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private Path ofHome(String home) throws IOException {
        return PrivateFolder.ofThisUser(UserFolders.within(null, UserFolders.home(null, home), ".cache"),
            base.toString());
    }

    @Test
    void everyStepThatIsMissingIsMadeForThisUserAlone() throws IOException {
        Path folder = ofHome(base.toString());
        assertEquals(base.resolve(".cache/brigade"), folder);
        assertEquals("rwx------", mode(folder));
        assertEquals("rwx------", mode(folder.getParent()));
        assertEquals(folder, ofHome(base.toString()));
    }

    @Test
    void aFolderThatOthersCouldReadIsClosed() throws IOException {
        Path folder = Files.createDirectories(base.resolve("x/brigade"));
        mode(folder, "rwxrwxrwx");
        assertEquals(folder, PrivateFolder.ofThisUser(folder, base.toString()));
        assertEquals("rwx------", mode(folder));
    }

    /** A new folder whose name nobody can know before. */
    private void requireFresh(Path folder) throws IOException {
        assertEquals(base, folder.getParent());
        assertTrue(folder.getFileName().toString().matches("brigade-[0-9]+-[0-9]+-[0-9]{8,}"), folder.toString());
        assertEquals("rwx------", mode(folder));
        assertNotEquals("brigade-" + uid(), folder.getFileName().toString());
    }

    @Test
    void aUserWithoutAHomeHasANewFolderAmongTemporaryFilesForThisProcess() throws IOException {
        Path folder = ofHome("?");
        requireFresh(folder);
        assertEquals(folder, ofHome("/nonexistent"));
        assertEquals(folder, ofHome("."));
        assertTrue(Files.notExists(Path.of("?")));
    }

    @Test
    void theFolderOfAKilledProcessIsRemovedByTheNext() throws IOException {
        Path own = ofHome("?");
        String namespace = own.getFileName().toString().split("-")[1];
        Path stale = Files.createDirectory(base.resolve("brigade-" + namespace + "-999999999-1"));
        Files.write(stale.resolve("libbrigade.so"), CONTENT);
        Path living =
            Files.createDirectory(base.resolve("brigade-" + namespace + "-" + ProcessHandle.current().pid() + "-1"));
        Files.delete(own);
        requireFresh(ofHome("?"));
        assertTrue(Files.notExists(stale), "left by a process that has ended");
        assertTrue(Files.exists(living), "in use");
    }

    @Test
    void aHomeThatOthersCanWriteToIsNotUsed() throws IOException {
        Path home = Files.createDirectory(base.resolve("home"));
        mode(home, "rwxrwxr-x");
        requireFresh(ofHome(home.toString()));
    }

    /** Whatever is put there before, by whom: it is not looked at. */
    @Test
    void aFolderThatAnotherUserHasPreparedIsNotUsed() throws IOException {
        Path planted = Files.createDirectory(base.resolve("brigade-" + uid()));
        Files.write(planted.resolve("libbrigade.so"), CONTENT);
        Path folder = ofHome("?");
        requireFresh(folder);
        assertEquals(0, folder.toFile().list().length);
    }

    @Test
    void temporaryFilesThatOthersCanExchangeAreNoPlaceForOne() throws IOException {
        mode(base, "rwxrwxrwx");
        String message = assertThrows(IOException.class, () -> ofHome("?")).getMessage();
        assertTrue(message.contains(base + " can be written to by others") && message.contains("set XDG_CACHE_HOME"),
            message);
    }

    @Test
    void aHomeOfAnotherUserIsNotUsed() throws IOException {
        Path home = Files.createDirectory(base.resolve("home"));
        give(home);
        requireFresh(ofHome(home.toString()));
    }

    /** In a container whose root is not ours all other users may have the number of the owner of /. */
    @Test
    void theOwnerOfTheRootCountsAsRootOnlyWhereOthersCannotWrite() {
        int user = 1000;
        int top = 65_534;
        assertTrue(PrivateFolder.trusted(user, user, top, true));
        assertTrue(PrivateFolder.trusted(0, user, top, true));
        assertTrue(PrivateFolder.trusted(top, user, top, false));
        assertFalse(PrivateFolder.trusted(top, user, top, true));
        assertFalse(PrivateFolder.trusted(STRANGER, user, top, false));
        assertFalse(PrivateFolder.trusted(STRANGER, user, 0, true));
    }

    @Test
    void aFileWithASecondNameIsNotTrusted() throws IOException {
        Path file = PrivateFolder.put(base, "lib.so", CONTENT);
        Files.createLink(base.resolve("other"), file);
        assertTrue(PrivateFolder.complaint(file).endsWith("lib.so has another name, too"));
        assertNull(PrivateFolder.complaint(PrivateFolder.put(base, "lib.so", CONTENT)));
    }

    @Test
    void aFileHoldsWhatItsSumSays() throws IOException {
        CRC32 sum = new CRC32();
        sum.update(CONTENT);
        Path file = PrivateFolder.put(base, "lib.so", CONTENT);
        assertTrue(PrivateFolder.holds(file, CONTENT.length, sum.getValue()));
        assertFalse(PrivateFolder.holds(file, CONTENT.length, sum.getValue() ^ 1));
        assertFalse(PrivateFolder.holds(file, CONTENT.length - 1, sum.getValue()));
        assertFalse(PrivateFolder.holds(base.resolve("missing"), 0, 0));
        assertTrue(PrivateFolder.holds(base, "lib.so", CONTENT.length, sum.getValue()));
        assertFalse(PrivateFolder.holds(base, "missing", 0, 0));
        Files.createSymbolicLink(base.resolve("link"), file);
        assertFalse(PrivateFolder.holds(base, "link", CONTENT.length, sum.getValue()));
        mode(file, "rw-rw-rw-");
        assertFalse(PrivateFolder.holds(file, CONTENT.length, sum.getValue()));
        assertFalse(PrivateFolder.holds(base, "lib.so", CONTENT.length, sum.getValue()));
    }

    @Test
    void anotherUsersLinkIsNotFollowedAndOnesOwnIs() throws IOException {
        Path target = Files.createDirectory(base.resolve("elsewhere"));
        mode(target, "rwx------");
        Path link = Files.createSymbolicLink(base.resolve("link"), target);
        assertEquals(target.resolve("brigade"), PrivateFolder.at(link.resolve("brigade")));
        give(link);
        String message = assertThrows(IOException.class, () -> PrivateFolder.at(link.resolve("brigade"))).getMessage();
        assertTrue(message.contains("link is a link of user " + STRANGER), message);
    }

    @Test
    void aLinkToAnotherUsersFolderIsNotFollowed() throws IOException {
        Path target = Files.createDirectory(base.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(base.resolve("link"), target);
        give(target);
        String message = assertThrows(IOException.class, () -> PrivateFolder.at(link.resolve("brigade"))).getMessage();
        assertTrue(message.contains("elsewhere belongs to user " + STRANGER), message);
    }

    @Test
    void linksInACircleAreAnError() throws IOException {
        Files.createSymbolicLink(base.resolve("a"), base.resolve("b"));
        Files.createSymbolicLink(base.resolve("b"), base.resolve("a"));
        assertThrows(IOException.class, () -> PrivateFolder.at(base.resolve("a/brigade")));
    }

    @Test
    void whatIsThereStaysIfItsContentIsRightAndIsReplacedIfNot() throws IOException {
        Path file = PrivateFolder.put(base, "lib.so", CONTENT);
        Object inode = Files.getAttribute(file, "unix:ino");
        assertEquals(file, PrivateFolder.put(base, "lib.so", CONTENT));
        assertEquals(inode, Files.getAttribute(file, "unix:ino"));
        byte[] other = CONTENT.clone();
        other[100_000]++;
        Files.write(file, other);
        PrivateFolder.put(base, "lib.so", CONTENT);
        assertArrayEquals(CONTENT, Files.readAllBytes(file));
    }

    @Test
    void aFileOfAnotherUsersIsNotTrustedWhateverItHolds() throws IOException {
        Path planted = Files.write(base.resolve("lib.so"), CONTENT);
        assertNull(PrivateFolder.complaint(planted));
        mode(planted, "rw-rw-rw-");
        assertNotNull(PrivateFolder.complaint(planted));
        mode(planted, "rw-r--r--");
        give(planted);
        assertTrue(PrivateFolder.complaint(planted).contains("belongs to user " + STRANGER));
        assertNull(PrivateFolder.complaint(PrivateFolder.put(base, "lib.so", CONTENT)));
    }

    @Test
    void nothingIsPutWhereOthersCanExchangeIt() throws IOException {
        mode(base, "rwxrwxrwx");
        assertThrows(IOException.class, () -> PrivateFolder.put(base, "lib.so", CONTENT));
        assertTrue(PrivateFolder.complaint(base.resolve("lib.so")).contains("can be written to by others"));
    }

    @Test
    void ranksThatPutTheSameFileAtOnceAllFindItWhole() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<byte[]>> found = new ArrayList<>();
        try {
            for (int i = 0; i < 32; i++) {
                found.add(threads.submit(() -> Files.readAllBytes(
                    PrivateFolder.put(PrivateFolder.at(base.resolve("new/brigade")), "lib.so", CONTENT))));
            }
            for (Future<byte[]> each : found) {
                assertArrayEquals(CONTENT, each.get());
            }
        } finally {
            threads.shutdown();
        }
        try (Stream<Path> left = Files.list(base.resolve("new/brigade"))) {
            assertEquals(1, left.count(), "parts are left behind");
        }
    }
}
