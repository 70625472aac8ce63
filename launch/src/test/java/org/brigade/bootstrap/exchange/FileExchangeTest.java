package org.brigade.bootstrap.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import mpi.MPIException;
import org.brigade.bootstrap.Job;
import org.brigade.process.Strangers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class FileExchangeTest {
    private static final long PATIENCE_MILLIS = 120_000;

    @TempDir
    Path directory;

    private interface Rank {
        void run(FileExchange exchange, int rank) throws Exception;
    }

    private static Job job(int rank, int ranks) {
        return new Job("test", rank, ranks, 0, 1, "key", rank, ranks);
    }

    private static void ranks(int ranks, long patience, Rank program) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (ExchangeFile file = ExchangeFile.create(ranks)) {
            Thread[] threads = new Thread[ranks];
            for (int i = 0; i < ranks; i++) {
                int rank = i;
                threads[i] = new Thread(() -> {
                    try (FileExchange exchange = FileExchange.open(job(rank, ranks), file.place(), patience)) {
                        program.run(exchange, rank);
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private static byte[] bytes(int rank, int round) {
        Random random = new Random(31L * rank + round);
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(5000) : random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void everyRankGetsWhatEachBringsOfAnyLengthRoundAfterRound() throws Exception {
        for (int ranks : new int[] {1, 2, 5}) {
            ranks(ranks, PATIENCE_MILLIS, (exchange, rank) -> {
                for (int round = 0; round < 200; round++) {
                    byte[][] all = exchange.allgather(bytes(rank, round));
                    for (int other = 0; other < ranks; other++) {
                        assertArrayEquals(bytes(other, round), all[other],
                            "round " + round + ", of rank " + other + " on rank " + rank);
                    }
                    if (round % 7 == rank) {
                        Thread.sleep(1);
                    }
                    exchange.barrier();
                }
                assertNull(exchange.lost((rank + 1) % ranks), "all are threads of a process that runs");
            });
        }
    }

    @Test
    void aRankThatDoesNotComeIsNamed() throws Exception {
        CountDownLatch come = new CountDownLatch(2);
        ranks(3, 300, (exchange, rank) -> {
            if (rank != 1) {
                come.countDown();
                come.await();
                String said = assertThrows(MPIException.class, exchange::barrier).getMessage();
                assertTrue(said.contains("for rank 1 to call Init"), said);
            }
        });
    }

    @Test
    void theFileHasNoNameAndServesItsOwnJobOnly() throws Exception {
        try (ExchangeFile file = ExchangeFile.create(2)) {
            String[] names = new File("/dev/shm")
                .list((place, name) -> name.startsWith("brigade-exchange~" + ProcessHandle.current().pid() + "~"));
            assertEquals(0, names == null ? 0 : names.length);
            String said =
                assertThrows(MPIException.class, () -> FileExchange.open(job(0, 3), file.place(), 100)).getMessage();
            assertTrue(said.contains("was not made for 3 ranks"), said);
            FileExchange.open(job(0, 2), file.place(), 100);
            said = assertThrows(MPIException.class, () -> FileExchange.open(job(0, 2), file.place(), 100)).getMessage();
            assertTrue(said.contains("another process is rank 0"), said);
        }
        String said =
            assertThrows(MPIException.class, () -> FileExchange.open(job(0, 2), "/proc/0/fd/0", 100)).getMessage();
        assertTrue(said.contains("is that mpjrun still running?"), said);
        assertFalse(said.contains("null"), said);
    }

    @Test
    void aFileOfAnotherUserIsNotMapped() throws Exception {
        Path file = Files.write(directory.resolve("exchange"), new byte[ExchangeDescriptor.bytes(2)]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        FileExchange.open(job(0, 2), file.toString(), PATIENCE_MILLIS).close();
        Strangers.give(file);
        String said = assertThrows(MPIException.class,
            () -> FileExchange.open(job(1, 2), file.toString(), PATIENCE_MILLIS)).getMessage();
        assertTrue(said.contains("Init on rank 1 of 2: cannot open " + file) && said.contains("belongs to user"), said);
    }
}
