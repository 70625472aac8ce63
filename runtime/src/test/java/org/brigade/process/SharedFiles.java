package org.brigade.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of jobs in /dev/shm, and what a test left there. Other jobs of this machine come and go meanwhile. A file
 * that a living process has open or mapped is in use; only a file that stays, and that nobody uses, is left.
 */
public final class SharedFiles {
    private static final Path PLACE = Path.of("/dev/shm");
    private static final int LOOKS = 100;

    private final Set<String> before = names();

    /** Looks what is there now. */
    public SharedFiles() {
    }

    public static Set<String> names() {
        try (Stream<Path> files = Files.list(PLACE)) {
            return new TreeSet<>(files.map(file -> file.getFileName().toString())
                .filter(name -> name.startsWith("brigade-") || name.startsWith("pretended")).toList());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What has come since. */
    public Set<String> more() {
        Set<String> names = names();
        names.removeAll(before);
        return names;
    }

    /** Fails if a file that has come since is still there after a while, and no process uses it. */
    public void assertNothingLeft() throws InterruptedException {
        assertNothingLeft(LOOKS);
    }

    void assertNothingLeft(int looks) throws InterruptedException {
        Set<String> left = more();
        for (int i = 0; i < looks && !left.isEmpty(); i++) {
            Thread.sleep(100);
            left.retainAll(names());
            left.removeAll(used(left));
        }
        assertEquals(Set.of(), left, "files left in /dev/shm");
    }

    private static Set<String> used(Collection<String> names) {
        Set<String> used = new TreeSet<>();
        ProcessHandle.allProcesses().forEach(process -> {
            Path of = Path.of("/proc", "" + process.pid());
            for (String name : names) {
                if (!used.contains(name) && (maps(of, name) || opens(of, name))) {
                    used.add(name);
                }
            }
        });
        return used;
    }

    private static boolean maps(Path process, String name) {
        try (Stream<String> lines = Files.lines(process.resolve("maps"))) {
            return lines.anyMatch(line -> line.endsWith(" " + PLACE.resolve(name)));
        } catch (IOException | RuntimeException goneOrAnotherUsers) {
            return false;
        }
    }

    private static boolean opens(Path process, String name) {
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            List<Path> open = files.toList();
            for (Path file : open) {
                if (Files.isSymbolicLink(file) && Files.readSymbolicLink(file).equals(PLACE.resolve(name))) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException goneOrAnotherUsers) {
            // Its files are closed, or nothing can be known of them.
        }
        return false;
    }
}
