package org.brigade.bootstrap.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mpi.MPIException;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.secret.Handshake;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks are threads of this JVM, each with its exchange. */
@Timeout(120)
class SocketExchangeTest {
    private static final byte[] SECRET = "a secret of the tests".getBytes(StandardCharsets.US_ASCII);
    private static final long PATIENT = 60_000;
    private static final long HASTY = 1000;

    @TempDir
    Path directory;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<SocketExchange> opened = new ArrayList<>();

    @AfterEach
    void nothingRuns() {
        synchronized (opened) {
            opened.forEach(SocketExchange::close);
        }
        threads.shutdownNow();
    }

    private static String freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return "localhost:" + any.getLocalPort();
        }
    }

    private Future<SocketExchange> open(int rank, int size, String place, byte[] secret, String job, long timeout) {
        return threads.submit(() -> {
            SocketExchange exchange =
                SocketExchange.open(new Job("tests", rank, size, 0, 1, "key"), Rendezvous.of(place, job, false), secret,
                    job,
                    timeout);
            synchronized (opened) {
                opened.add(exchange);
            }
            return exchange;
        });
    }

    private List<SocketExchange> open(int size, String place) throws Exception {
        List<Future<SocketExchange>> all = new ArrayList<>();
        for (int rank = size - 1; rank >= 0; rank--) { // rank 0 last: the others wait for it
            all.add(0, open(rank, size, place, SECRET, "job", PATIENT));
        }
        List<SocketExchange> exchanges = new ArrayList<>();
        for (Future<SocketExchange> each : all) {
            exchanges.add(each.get());
        }
        return exchanges;
    }

    private String place(String kind) throws IOException {
        return kind.equals("folder") ? directory.toString() : freePort();
    }

    private static String failure(Future<?> of) {
        Throwable cause = assertThrows(ExecutionException.class, of::get).getCause();
        assertTrue(cause instanceof MPIException, cause.toString());
        return cause.getMessage();
    }

    private static byte[] bytes(int rank, int round) {
        byte[] bytes = new byte[round == 3 && rank == 1 ? Frames.MOST_BYTES : rank * 1000 * round];
        Arrays.fill(bytes, (byte) (10 * rank + round));
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"port", "folder"})
    void everyRankGetsTheBytesOfAll(String kind) throws Exception {
        List<SocketExchange> exchanges = open(5, place(kind));
        List<Future<?>> ranks = new ArrayList<>();
        for (int rank = 0; rank < exchanges.size(); rank++) {
            int mine = rank;
            ranks.add(threads.submit(() -> {
                for (int round = 0; round < 20; round++) {
                    byte[][] all = exchanges.get(mine).allgather(bytes(mine, round));
                    for (int other = 0; other < all.length; other++) {
                        assertTrue(Arrays.equals(bytes(other, round), all[other]), mine + " of " + other);
                    }
                }
                return null;
            }));
        }
        for (Future<?> each : ranks) {
            each.get();
        }
        exchanges.forEach(each -> each.ends(true));
        exchanges.forEach(SocketExchange::close);
        for (SocketExchange each : exchanges) {
            assertNull(each.lost(0));
        }
        try (var left = Files.list(directory)) {
            assertEquals(0, left.count(), "rank 0 removes its file");
        }
    }

    @Test
    void theOthersHearOfARankThatIsGone() throws Exception {
        List<SocketExchange> exchanges = open(4, freePort());
        List<Future<?>> round = new ArrayList<>();
        exchanges.forEach(each -> round.add(threads.submit(each::barrier)));
        for (Future<?> each : round) {
            each.get();
        }
        exchanges.get(3).ends(true);
        exchanges.get(3).close();
        exchanges.get(2).ends(false);
        exchanges.get(2).close();
        exchanges.get(1).close(); // as the kernel does for a killed one
        assertTrue(awaited(exchanges.get(0), 1).startsWith("rank 1 (pid " + ProcessHandle.current().pid() + " on "));
        assertEquals(Endpoint.exited(2), awaited(exchanges.get(0), 2));
        assertNull(exchanges.get(0).lost(3));
        String said = failure(threads.submit(() -> exchanges.get(0).allgather(new byte[1])));
        assertTrue(said.contains("rank 1 (pid") && said.contains("died during Init"), said);
    }

    @Test
    void theOthersHearOfRank0() throws Exception {
        List<SocketExchange> exchanges = open(2, freePort());
        exchanges.get(0).close();
        assertEquals("rank 0 died", awaited(exchanges.get(1), 0));
    }

    private static String awaited(SocketExchange exchange, int rank) throws InterruptedException {
        while (exchange.lost(rank) == null) {
            Thread.sleep(5);
        }
        return exchange.lost(rank);
    }

    @Test
    void rank0ThatNeverComesIsASentence() throws Exception {
        String place = freePort();
        String said = failure(open(1, 2, place, SECRET, "job", HASTY));
        assertTrue(said.contains("waited 1 s for rank 0") && said.contains(place), said);
        said = failure(open(1, 2, directory.toString(), SECRET, "job", HASTY));
        assertTrue(said.contains("rank 0 has not written") && said.contains("start rank 0"), said);
    }

    @Test
    void anotherSecretIsRefusedAtBothEnds() throws Exception {
        String place = freePort();
        Future<SocketExchange> rank0 = open(0, 2, place, SECRET, "job", HASTY);
        String said = failure(open(1, 2, place, "quite another secret".getBytes(), "job", PATIENT));
        assertTrue(said.contains("the secrets differ") && said.contains("BRIGADE_SECRET_FILE"), said);
        said = failure(threads.submit(() -> rank0.get().allgather(new byte[0])));
        assertTrue(said.contains("waited 1 s for rank 1 to call Init") && said.contains("was refused"), said);
    }

    @Test
    void twoJobsAtOneAddressAreASentence() throws Exception {
        String place = freePort();
        open(0, 3, place, SECRET, "job", PATIENT).get();
        open(1, 3, place, SECRET, "job", PATIENT).get();
        assertTrue(failure(open(0, 3, place, SECRET, "job", PATIENT)).contains("something listens at port"));
        assertSaysInBarrier(open(1, 3, place, SECRET, "job", PATIENT), "is there already; give each job an address");
        assertSaysInBarrier(open(2, 4, place, SECRET, "job", PATIENT), "BRIGADE_SIZE=3, this process BRIGADE_SIZE=4");
        assertSaysInBarrier(open(2, 3, place, SECRET, "other", PATIENT), "two jobs meet at one address");
        open(0, 2, directory.toString(), SECRET, "job", PATIENT).get();
        assertTrue(failure(open(0, 2, directory.toString(), SECRET, "job", PATIENT)).contains("another job meets"));
        assertNotNull(open(0, 2, directory.toString(), SECRET, "other", PATIENT).get());
    }

    private void assertSaysInBarrier(Future<SocketExchange> rank, String words) {
        String said = failure(threads.submit(() -> rank.get().allgather(new byte[0])));
        assertTrue(said.contains(words), said);
    }

    @Test
    void whatRank0OfAKilledJobLeavesInTheFolderIsReplaced() throws Exception {
        Path left = directory.resolve("brigade-job.rendezvous");
        Files.writeString(left, freePort().substring("localhost:".length()) + "\n127.0.0.1\n");
        open(2, directory.toString());
    }

    @Test
    void strangersHarmNobody() throws Exception {
        String place = freePort();
        int port = Integer.parseInt(place.substring("localhost:".length()));
        SocketExchange rank0 = open(0, 2, place, SECRET, "job", PATIENT).get();
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Socket stranger = new Socket("localhost", port);
            strangers.add(stranger);
            if (i % 3 > 0) {
                byte[] hello = Handshake.ofClient(Frames.PROTOCOL, SECRET).first();
                stranger.getOutputStream().write(i % 3 == 1 ? new byte[100]
                    : ByteBuffer.wrap(hello).putInt(Long.BYTES, 7).array());
            }
        }
        SocketExchange rank1 = open(1, 2, place, SECRET, "job", PATIENT).get();
        Future<byte[][]> all = threads.submit(() -> rank1.allgather(new byte[] {1}));
        assertEquals(1, rank0.allgather(new byte[] {2})[1][0]);
        assertEquals(2, all.get()[0][0]);
        for (Socket each : strangers) {
            each.close();
        }
    }

    @Test
    void anotherReleaseIsASentence() {
        byte[] theirs = Handshake.ofClient(Frames.PROTOCOL, SECRET).first();
        ByteBuffer.wrap(theirs).putInt(Long.BYTES, 7);
        String said = assertThrows(Handshake.Refused.class,
            () -> Handshake.ofClient(Frames.PROTOCOL, SECRET).answer(theirs)).getMessage();
        assertTrue(said.contains("another release") && said.contains("the same brigade.jar"), said);
    }
}
