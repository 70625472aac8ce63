package org.brigade.interrupt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InterruptTest {
    @TempDir
    Path directory;

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    /** A thread whose parks return at once is never seen to wait. */
    @Test
    void aThreadNapsThoughItsFlagIsSetAndKeepsTheFlag() throws Exception {
        boolean[] kept = {false};
        Thread napper = new Thread(() -> {
            Thread.currentThread().interrupt();
            Nap.nanos(3_600_000_000_000L);
            kept[0] = Thread.currentThread().isInterrupted();
        });
        napper.start();
        while (napper.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(napper.isAlive(), "it did not nap");
            Thread.onSpinWait();
        }
        napper.interrupt();
        napper.join();
        assertTrue(kept[0], "the flag is lost");
    }

    @Test
    void aFileIsReadThoughTheFlagIsSetAndAnInterruptComesMeanwhile() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[7]);
        int[] attempts = {0};
        Thread.currentThread().interrupt();
        long size = new FileStep<Long>() {
            @Override
            protected Long attempt() throws IOException {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    if (attempts[0]++ < 3) {
                        Thread.currentThread().interrupt();
                    }
                    return channel.size();
                }
            }
        }.run();
        assertTrue(Thread.interrupted(), "the flag is lost");
        assertEquals(7, size);
        assertEquals(4, attempts[0]);
    }

    @Test
    void aFailedStepKeepsTheFlagToo() {
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, () -> new FileStep<Void>() {
            @Override
            protected Void attempt() throws IOException {
                throw new IOException("no such file");
            }
        }.run());
        assertTrue(Thread.interrupted(), "the flag is lost");
    }
}
