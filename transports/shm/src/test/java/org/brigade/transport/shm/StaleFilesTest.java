package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.process.MakerName;
import org.brigade.process.ProcessIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What killed jobs leave, and the next one removes. */
class StaleFilesTest {
    private static final long TIMEOUT = 60_000;

    @TempDir
    Path directory;

    private Set<String> sweep() throws IOException {
        StaleSegments.remove(directory, MakerName.uid(), ProcessIdentity.self(), TIMEOUT);
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    private Path make(String name) throws IOException {
        return Files.createFile(directory.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    @Test
    void aFileWithoutItsMakerIsRemovedAndOneOfALivingMakerStays() throws IOException {
        ProcessIdentity self = ProcessIdentity.self();
        ProcessIdentity dead = new ProcessIdentity(self.pid(), self.startTime() - 1, self.namespace());
        for (String what : new String[] {"survivor", "exchange", "threads"}) {
            make(MakerName.prefix(MakerName.uid()) + what + MakerName.madeBy(dead));
        }
        String living = MakerName.of("survivor");
        make(living);
        assertEquals(Set.of(living), sweep());
    }

    @Test
    void tablesOfAFabricStayWhileAProcessOfItLives() throws IOException {
        String name = "brigade-sisci-stale" + ProcessHandle.current().pid();
        try (FileChannel file =
            FileChannel.open(make(name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file.lock(3, 1, false);
            assertEquals(Set.of(name), sweep());
        }
        assertEquals(Set.of(), sweep());
    }
}
