package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Multicast;
import org.brigade.transport.OutboundLink;
import org.brigade.transport.ReceivingEnd;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broadcasts by multicast between threads, over one that takes and hands out pieces as it pleases. */
@Timeout(300)
class FusedMulticastTest {
    private static final int GRAIN = 16;

    /** What one member sends to all: one writer, several readers. */
    private static final class Stream {
        private record Message(int kind, long key, byte[] data, int[] there) {
        }

        private final List<Message> messages = new ArrayList<>();

        synchronized void add(int kind, long key, byte[] data, int there) {
            messages.add(new Message(kind, key, data, new int[] {there}));
        }

        synchronized void grow(NativeMemory piece, int bytes) {
            Message last = messages.get(messages.size() - 1);
            piece.bytes.get(0, last.data, last.there[0], bytes);
            last.there[0] += bytes;
        }

        synchronized Message at(int index) {
            return index < messages.size() ? messages.get(index) : null;
        }

        synchronized int there(Message message) {
            return message.there[0];
        }
    }

    private static final class Sender implements OutboundLink {
        private final Stream stream;
        private final SplittableRandom random;
        private final NativeMemory piece = NativeMemory.allocate(1 << 16);

        Sender(Stream stream, long seed) {
            this.stream = stream;
            random = new SplittableRandom(seed);
        }

        @Override
        public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
            if (random.nextInt(3) == 0) {
                return REFUSED;
            }
            int now = (int) Math.min(bytes - sent, GRAIN * (long) (1 + random.nextInt(200)));
            if (now > 0) {
                source.read(at + sent, piece, 0, now);
            }
            if (sent == 0) {
                stream.add(kind, key, new byte[(int) bytes], 0);
            }
            stream.grow(piece, now);
            return now;
        }

        @Override
        public boolean trySendWords(int kind, long key, long first, long second) {
            throw new AssertionError("nobody multicasts words");
        }
    }

    private static final class Receiver extends ReceivingEnd {
        private final Stream stream;
        private final SplittableRandom random;
        private int next;
        private Stream.Message head;
        private NativeMemory piece;

        Receiver(Stream stream, long seed) {
            this.stream = stream;
            random = new SplittableRandom(seed);
        }

        @Override
        public boolean poll() {
            if (!present) {
                head = stream.at(next);
                present = head != null;
                kind = present ? head.kind() : 0;
                key = present ? head.key() : 0;
                bytes = present ? head.data().length : 0;
                taken = 0;
            }
            return present;
        }

        @Override
        public long word(int index) {
            throw new AssertionError("nobody multicasts words");
        }

        @Override
        protected int stretch() {
            int now = (int) Math.min(stream.there(head) - taken, GRAIN * random.nextInt(100));
            if (now > 0) {
                piece = NativeMemory.allocate(now);
                piece.bytes.put(0, head.data(), (int) taken, now);
            }
            return now;
        }

        @Override
        protected NativeMemory memory() {
            return piece;
        }

        @Override
        protected int position() {
            return 0;
        }

        @Override
        protected long take(int now) {
            taken += now;
            if (taken == bytes) {
                present = false;
                next++;
            }
            return now;
        }
    }

    private static final class Fake implements Multicast {
        private final Sender sender;
        private final Receiver[] receivers;
        private volatile boolean abandoned;

        Fake(Stream[] streams, int own, long seed) {
            sender = new Sender(streams[own], seed);
            receivers = new Receiver[streams.length];
            for (int i = 0; i < streams.length; i++) {
                receivers[i] = i == own ? null : new Receiver(streams[i], seed * 31 + i);
            }
        }

        @Override
        public OutboundLink toAll() {
            return sender;
        }

        @Override
        public InboundLink from(int member) {
            return receivers[member];
        }

        @Override
        public void abandon() {
            abandoned = true;
        }

        @Override
        public void end() {
        }
    }

    private interface Body {
        void run(int rank, Progress progress, FusedMulticast calls, Fake multicast) throws Exception;
    }

    /** Every rank a thread; its node is its number modulo the nodes. */
    private static Stream[] onAll(int ranks, int nodes, long seed, Stream[] given, Body body) throws Exception {
        Stream[] streams = given;
        if (streams == null) {
            streams = new Stream[nodes];
            for (int i = 0; i < nodes; i++) {
                streams[i] = new Stream();
            }
        }
        int[] leaders = new int[nodes];
        int[] members = new int[ranks];
        int[] nodeOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            members[rank] = rank;
            nodeOf[rank] = rank % nodes;
            if (rank < nodes) {
                leaders[rank] = rank;
            }
        }
        Endpoint[] ends = LoopbackJob.endpoints(ranks);
        ExecutorService threads = Executors.newFixedThreadPool(ranks);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                Fake multicast = rank < nodes ? new Fake(streams, rank, seed + rank) : null;
                all.add(threads.submit(() -> {
                    Progress progress = new Progress(ends[rank], ends[rank].cores());
                    Membership membership = new Membership(rank, members, "the communicator", true);
                    FusedMulticast calls =
                        new FusedMulticast(progress, membership, new FlatCollectives(progress, membership), multicast,
                            leaders, nodeOf);
                    progress.lock.lock();
                    try {
                        body.run(rank, progress, calls, multicast);
                    } finally {
                        progress.lock.unlock();
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(150, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        return streams;
    }

    private static Call bcast(byte[] buffer, int bytes, int root) {
        Call call = new Call(0, 1).begin(Collective.BCAST, true).root(root);
        call.recv.vector(buffer, 0, bytes, 1);
        return call;
    }

    private static byte[] data(int bytes, long seed) {
        byte[] data = new byte[bytes];
        new SplittableRandom(seed).nextBytes(data);
        return data;
    }

    @ParameterizedTest
    @CsvSource({"3,3,1", "4,4,2", "5,3,3", "8,4,4", "7,3,5", "6,6,6"})
    void everyRankHasTheRootsDataWhateverThePieces(int ranks, int nodes, long seed) throws Exception {
        int[] sizes = {0, 1, 15, 16, 17, 100, 4096, 70_001};
        onAll(ranks, nodes, seed, null, (rank, progress, calls, multicast) -> {
            long key = 1;
            for (int root = 0; root < ranks; root++) {
                for (int bytes : sizes) {
                    byte[] expected = data(bytes, key);
                    byte[] got = rank == root ? expected.clone() : new byte[bytes];
                    calls.bcast(key, bcast(got, bytes, root));
                    assertArrayEquals(expected, got, bytes + " bytes from " + root + " at " + rank);
                    key++;
                }
            }
        });
    }

    @Test
    void whatAnEarlierCallLeftIsThrownAway() throws Exception {
        Stream[] streams = {new Stream(), new Stream(), new Stream()};
        streams[0].add(Progress.COLLECTIVE, 4, new byte[33], 33);
        onAll(3, 3, 9, streams, (rank, progress, calls, multicast) -> {
            byte[] got = rank == 0 ? data(50, 5) : new byte[50];
            calls.bcast(5, bcast(got, 50, 0));
            assertArrayEquals(data(50, 5), got);
        });
    }

    @Test
    void aMessageOfAnotherLengthIsAnErrorAndAbandonsTheStream() throws Exception {
        Stream[] streams = {new Stream(), new Stream(), new Stream()};
        streams[0].add(Progress.COLLECTIVE, 1, new byte[33], 33);
        onAll(3, 3, 9, streams, (rank, progress, calls, multicast) -> {
            if (rank == 1) {
                byte[] room = new byte[32];
                MPIException refused = assertThrows(MPIException.class, () -> calls.bcast(1, bcast(room, 32, 0)));
                assertTrue(refused.getMessage().contains("sent 33 bytes where 32 were expected"), refused.getMessage());
                assertArrayEquals(new byte[32], room, "nothing of it is taken");
                assertTrue(multicast.abandoned);
                assertTrue(assertThrows(MPIException.class, () -> calls.bcast(2, bcast(room, 32, 0))).getMessage()
                    .contains("an earlier broadcast failed"));
            }
        });
    }

    @Test
    void aMessageOfALaterCallMeansThatThisOnesNeverComes() throws Exception {
        Stream[] streams = {new Stream(), new Stream(), new Stream()};
        streams[2].add(Progress.COLLECTIVE, 8, new byte[32], 32);
        onAll(3, 3, 9, streams, (rank, progress, calls, multicast) -> {
            if (rank == 0) {
                MPIException refused =
                    assertThrows(MPIException.class, () -> calls.bcast(7, bcast(new byte[32], 32, 2)));
                assertTrue(refused.getMessage().contains("for a later one"), refused.getMessage());
                assertEquals(true, multicast.abandoned);
            }
        });
    }
}
