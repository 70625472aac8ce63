package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.brigade.process.MakerName;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs as others see them. The limit only keeps a failure from lasting. */
@Timeout(120)
class RunningJobTest {
    private static final Path SHARED = Path.of("/dev/shm");

    private static boolean isListed(String key) throws IOException {
        return RunningJob.ofThisUser().stream().anyMatch(job -> job.key().equals(key));
    }

    /** This process's open files of that job's segment, by their links in /proc. */
    private static Path segment(String key) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path file : files) {
                if (Files.isSymbolicLink(file)
                    && Files.readSymbolicLink(file).toString().contains("-" + key + " ")) {
                    return file;
                }
            }
        }
        throw new AssertionError("no segment of " + key);
    }

    @Test
    void onlyFilesThatThisUserAloneCanWriteToAreJobs() throws IOException {
        String key = "seen" + ProcessHandle.current().pid();
        Endpoint[] ends = SegmentRanks.open(SHARED, key, 2);
        try {
            assertTrue(isListed(key));
            Path segment = segment(key);
            Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-rw-rw-"));
            assertTrue(!isListed(key), "others can write to it");
            Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-------"));
            assertTrue(isListed(key));
            if (MakerName.uid() == 0) {
                Files.setAttribute(segment, "unix:uid", 65534);
                assertTrue(!isListed(key), "it is another user's");
                Files.setAttribute(segment, "unix:uid", 0);
            }
        } finally {
            for (Endpoint end : ends) {
                end.close();
            }
        }
    }

    /** Opening a pipe to read waits for a writer, for ever. */
    @Test
    void aPipeThatIsNamedLikeASegmentKeepsNobodyWaiting() throws Exception {
        String key = "pipe" + ProcessHandle.current().pid();
        Path pipe = SHARED.resolve(MakerName.prefix(MakerName.uid()) + key);
        String script = "umask 077; mkfifo \"$0\" && exec 3<>\"$0\" 4<\"$0\" 3>&- && rm \"$0\" && echo held; read end";
        Process holder = new ProcessBuilder("sh", "-c", script, pipe.toString()).start();
        try {
            assertEquals("held", holder.inputReader().readLine());
            assertTrue(!isListed(key));
        } finally {
            Files.deleteIfExists(pipe);
            holder.destroyForcibly().waitFor();
        }
    }

    /** Whoever shortens a file ends a process that has mapped it: that must not be the launcher. */
    @Test
    void lastCallsAreShownWithoutMappingTheSegment() throws IOException {
        String key = "last" + ProcessHandle.current().pid();
        Endpoint[] ends = SegmentRanks.open(SHARED, key, 2);
        try {
            long before = mappings(key);
            assertTrue(before > 0);
            RunningJob.lastCalls(new long[] {ProcessHandle.current().pid()}, 0);
            assertEquals(before, mappings(key));
        } finally {
            for (Endpoint end : ends) {
                end.close();
            }
        }
    }

    private static long mappings(String key) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains("-" + key + " "))
            .count();
    }
}
