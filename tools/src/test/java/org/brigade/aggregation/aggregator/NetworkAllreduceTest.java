package org.brigade.aggregation.aggregator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Operation;
import mpi.spi.Reduction.Operator;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.process.GroupTerms;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.nodes.NodesJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Allreduce through aggregators gives what the ordinary schedules give, over any mapping of ranks to nodes; and where
 * it cannot, they give it.
 */
@Isolated // settings are system properties, and what is told goes to System.err
@Timeout(300)
@Tag("slow")
@Tag("once")
class NetworkAllreduceTest {
    private static final int[][] MAPPINGS = {{0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 0}, {0, 1, 1, 2, 0, 1, 0}};
    private static final int[] COUNTS = {0, 1, 7, 250, 5_000, 30_001};
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final TypeLayout DOUBLE = TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1);
    private static final TypeLayout BOOLEAN = TypeLayout.of("MPI.BOOLEAN", ElementKind.BOOLEAN, 1);
    private static final Reduction SUM = Reduction.predefined(Operator.SUM);

    @TempDir
    Path directory;

    private final PrintStream console = System.err;
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();

    @BeforeEach
    void set() throws Exception {
        System.setProperty("brigade.allreduce.algorithm", "in-network");
        System.setProperty("brigade.allreduce.chunk", "8K");
        System.setProperty("brigade.aggregation.secret", Tree.secretFile(directory, Tree.SECRET).toString());
        System.setErr(new PrintStream(told, true));
    }

    @AfterEach
    void clear() {
        System.setErr(console);
        for (String each : new String[] {"allreduce.algorithm", "allreduce.chunk", "aggregation", "aggregation.secret",
            "aggregation.timeout"}) {
            System.clearProperty("brigade." + each);
        }
    }

    private static void use(Tree tree) {
        System.setProperty("brigade.aggregation", tree.setting());
    }

    private long timesTold(String words) {
        return told.toString().lines().filter(line -> line.contains(words)).count();
    }

    /** Sums and other reductions of ints, of all counts, in place and not, on the heap and off it. */
    private static void trials(Communicator world) {
        int rank = world.rank();
        int ranks = world.size();
        for (int count : COUNTS) {
            int[] own = new int[count];
            int[] sums = new int[count];
            int[] most = new int[count];
            for (int i = 0; i < count; i++) {
                own[i] = i * (rank + 1);
                sums[i] = i * ranks * (ranks + 1) / 2;
                most[i] = i * ranks;
            }
            int[] result = new int[count];
            calls(world).allreduce(own, 0, result, 0, count, INT, SUM, true);
            assertArrayEquals(sums, result, "sum of " + count);
            calls(world).allreduce(own, 0, result, 0, count, INT, Reduction.predefined(Operator.MAX), true);
            assertArrayEquals(most, result, "maximum of " + count);
            System.arraycopy(own, 0, result, 0, count);
            calls(world).allreduce(null, 0, result, 0, count, INT, SUM, true);
            assertArrayEquals(sums, result, "sum of " + count + " in place");
            ByteBuffer direct = ByteBuffer.allocateDirect(4 * count + 8).order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                direct.putInt(8 + 4 * i, own[i]);
            }
            calls(world).allreduce(null, 0, direct, 8, count, INT, SUM, true);
            for (int i = 0; i < count; i++) {
                assertEquals(sums[i], direct.getInt(8 + 4 * i), "off the heap");
            }
        }
    }

    @Test
    void itGivesWhatTheOrdinarySchedulesGiveOnAnyMapping() throws Exception {
        try (Tree tree = new Tree()) {
            use(tree);
            for (int[] mapping : MAPPINGS) {
                long before = tree.root().contributions();
                ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> {
                    trials(world);
                    world.free();
                });
                assertTrue(tree.root().contributions() > before + 100, "contributions of " + Arrays.toString(mapping));
            }
        }
        assertEquals("", told.toString());
    }

    /** On nodes of one rank, of two, and of more, where each rail has a master of its own. */
    @Test
    void severalRailsSumTheirPartsOfTheVector() throws Exception {
        try (Tree first = new Tree(); Tree second = new Tree(2, AggregatorOptions.DEFAULT_TERMS,
            AggregatorOptions.DEFAULT_MEMORY, Faults.NONE); Tree third = new Tree()) {
            System.setProperty("brigade.aggregation",
                first.setting() + "+" + second.setting() + "+" + third.setting());
            for (int[] mapping : new int[][] {{0, 1}, {0, 0, 1, 1, 0, 1, 0}, {0, 1, 1, 2, 0, 1, 0}}) {
                long[] before = contributions(first, second, third);
                ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> {
                    trials(world);
                    world.free();
                });
                long[] after = contributions(first, second, third);
                for (int rail = 0; rail < after.length; rail++) {
                    assertTrue(after[rail] > before[rail] + 40,
                        "contributions to rail " + rail + " of " + Arrays.toString(mapping));
                }
            }
        }
        assertEquals("", told.toString());
    }

    private static long[] contributions(Tree... rails) {
        return Arrays.stream(rails).mapToLong(rail -> rail.root().contributions()).toArray();
    }

    /** What one rail lacks is lacking to all, and whoever was its master says so. */
    @Test
    @SuppressWarnings("try") // the second tree ends early
    void aRailThatIsLostIsTheEndOfAll() throws Exception {
        try (Tree first = new Tree(); Tree second = new Tree()) {
            System.setProperty("brigade.aggregation", first.setting() + "+" + second.setting());
            ThreadJob.run(NodesJob.endpoints(new int[] {0, 0, 0, 1, 1, 1}), (provider, world) -> {
                trials(world);
                if (world.rank() == 0) {
                    second.close();
                }
                trials(world);
                world.free();
            });
        }
        assertEquals(1, timesTold("are not reduced in the network"), told.toString());
    }

    private static final int OUTSTANDING = 9;

    /**
     * Several calls at once, of which some do not go by the network, others in between, and ends in another order;
     * nobody waits for the first before the last has begun.
     */
    private static void nonblockingTrials(Communicator world, int turns) {
        int rank = world.rank();
        int ranks = world.size();
        for (int turn = 0; turn < turns; turn++) {
            int[][] results = new int[OUTSTANDING][];
            Operation[] calls = new Operation[OUTSTANDING];
            for (int call = 0; call < OUTSTANDING; call++) {
                int count = COUNTS[(call + turn) % COUNTS.length];
                int[] own = new int[count];
                for (int i = 0; i < count; i++) {
                    own[i] = (i ^ call) * (rank + 1) + turn;
                }
                boolean inPlace = call % 2 == 1;
                results[call] = inPlace ? own : new int[count];
                calls[call] = calls(world).allreduce(inPlace ? null : own, 0, results[call], 0, count, INT, SUM, false);
                if (call == rank) {
                    Thread.yield();
                    calls[call].test();
                }
            }
            int[] word = {rank == 0 ? turn + 17 : 0};
            calls(world).bcast(word, 0, 1, INT, 0, true);
            assertEquals(turn + 17, word[0], "a broadcast beside them");
            for (int call = (turn + rank) % 2 == 0 ? OUTSTANDING - 1 : 0; call >= 0; call--) {
                calls[call].await();
            }
            for (int call = 0; call < OUTSTANDING; call++) {
                calls[call].await();
                for (int i = 0; i < results[call].length; i++) {
                    assertEquals((i ^ call) * ranks * (ranks + 1) / 2 + turn * ranks, results[call][i],
                        "element " + i + " of call " + call + " in turn " + turn);
                }
            }
        }
    }

    @Test
    void nonblockingCallsGoByTheNetworkInTurnWhateverElseGoesOn() throws Exception {
        try (Tree tree = new Tree()) {
            use(tree);
            for (int[] mapping : MAPPINGS) {
                ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> {
                    nonblockingTrials(world, 1); // not yet by the network: opening it takes a blocking call
                    calls(world).barrier(true);
                    assertEquals(0, world.rank() == 0 ? tree.root().running() : 0, "groups");
                    calls(world).barrier(true);
                    int[] one = {1};
                    calls(world).allreduce(null, 0, one, 0, 1, INT, SUM, true);
                    long before = tree.root().contributions();
                    nonblockingTrials(world, 4);
                    assertTrue(tree.root().contributions() > before + 30,
                        "contributions of " + Arrays.toString(mapping));
                    trials(world);
                    Operation last = calls(world).allreduce(null, 0, one, 0, 1, INT, SUM, false);
                    world.free(); // what is under way goes on
                    last.await();
                    assertEquals(world.size() * world.size(), one[0]);
                });
                while (tree.root().running() > 0) {
                    Thread.sleep(1);
                }
            }
        }
        assertEquals("", told.toString());
    }

    @Test
    void whenTheNetworkIsLostUnderNonblockingCallsAllAreRight() throws Exception {
        for (int least : new int[] {100, 160, 200}) {
            told.reset();
            try (Tree tree = new Tree(0, new GroupTerms(4, 2048, false), 1 << 24, Faults.NONE)) {
                use(tree);
                Aggregator victim = tree.root();
                Thread killer = new Thread(() -> {
                    while (victim.contributions() < least) {
                        Thread.onSpinWait();
                    }
                    victim.close();
                });
                killer.start();
                ThreadJob.run(NodesJob.endpoints(0, 1, 1, 2), (provider, world) -> {
                    int[] one = {1};
                    calls(world).allreduce(null, 0, one, 0, 1, INT, SUM, true);
                    nonblockingTrials(world, 6);
                    trials(world);
                    world.free();
                });
                killer.join();
            }
            assertEquals(1, timesTold("are not reduced in the network"), told.toString());
        }
    }

    @Test
    void floatsAreSummedInTheSameOrderInEveryRunAndOnEveryRank() throws Exception {
        int[] mapping = MAPPINGS[3];
        double[][] results = new double[mapping.length][];
        double[] first = null;
        try (Tree tree = new Tree(2, new GroupTerms(8, 1024, false), 1 << 24, new Faults(0.02, 0.1, 0.05, 5))) {
            use(tree);
            for (int run = 0; run < 3; run++) {
                ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> {
                    double[] own = new double[4000];
                    Arrays.setAll(own, i -> Math.sin(i * 1.7 + world.rank()) * Math.pow(10, (i + world.rank()) % 17));
                    results[world.rank()] = new double[own.length];
                    calls(world).allreduce(own, 0, results[world.rank()], 0, own.length, DOUBLE, SUM, true);
                    world.free();
                });
                first = first == null ? results[0].clone() : first;
                for (double[] result : results) {
                    assertArrayEquals(first, result, "bits of run " + run);
                }
            }
        }
        assertEquals("", told.toString());
    }

    @Test
    void packetsThatAreLostDoubledOrLateDoNoHarmInATree() throws Exception {
        try (Tree tree = new Tree(3, new GroupTerms(8, 8192, false), 1 << 26, new Faults(0.03, 0.1, 0.1, 11))) {
            use(tree);
            ThreadJob.run(NodesJob.endpoints(0, 1, 2, 3, 4, 0), (provider, world) -> {
                trials(world);
                world.free();
            });
            assertTrue(tree.root().contributions() > 100, tree.log.toString());
        }
        assertEquals("", told.toString());
    }

    /** The group of nodes whose aggregator is one of several needs none above. */
    @Test
    void communicatorsOfAnyNodesHaveGroupsOfTheirOwn() throws Exception {
        try (Tree tree = new Tree(2, AggregatorOptions.DEFAULT_TERMS, 1 << 26, Faults.NONE)) {
            use(tree);
            ThreadJob.run(NodesJob.endpoints(0, 0, 1, 2, 3), (provider, world) -> {
                trials(world);
                Communicator halves = world.split(world.rank() < 3 ? 0 : 1, -world.rank());
                trials(halves);
                trials(world);
                halves.free();
                world.free();
            });
        }
        assertEquals("", told.toString());
    }

    @Test
    void anAggregatorThatIsLostHalfWayCostsNoResultAndOneSentence() throws Exception {
        for (int leaves : new int[] {0, 2}) {
            for (int lost = 0; lost <= Math.min(leaves, 1); lost++) {
                told.reset();
                try (Tree tree = new Tree(leaves, new GroupTerms(8, 4096, false), 1 << 24, Faults.NONE)) {
                    use(tree);
                    Aggregator victim = tree.all.get(lost);
                    Thread killer = new Thread(() -> {
                        while (victim.contributions() < 150) {
                            Thread.onSpinWait();
                        }
                        victim.close();
                    });
                    killer.start();
                    ThreadJob.run(NodesJob.endpoints(0, 1, 1, 2, 3), (provider, world) -> {
                        for (int turn = 0; turn < 3; turn++) {
                            trials(world);
                        }
                        world.free();
                    });
                    killer.join();
                }
                assertEquals(1, timesTold("are not reduced in the network"), told.toString());
                assertEquals(1, timesTold("ECONN_TREE"), told.toString());
            }
        }
    }

    @Test
    void whatItDoesNotReduceGoesByTheOrdinarySchedulesAndIsToldOnce() throws Exception {
        try (Tree tree = new Tree()) {
            use(tree);
            ThreadJob.run(NodesJob.endpoints(0, 1, 1), (provider, world) -> {
                for (int turn = 0; turn < 3; turn++) {
                    boolean[] result = new boolean[5];
                    calls(world).allreduce(new boolean[] {world.rank() == 1, false, true, world.rank() > 0, false}, 0,
                        result, 0, 5, BOOLEAN, Reduction.predefined(Operator.LOR), true);
                    assertArrayEquals(new boolean[] {true, false, true, true, false}, result);
                }
                trials(world);
                int[] result = new int[1];
                calls(world).allreduce(new int[] {world.rank() + 5}, 0, result, 0, 1, INT,
                    Reduction.user((in, inAt, inout, inoutAt, count) -> {
                        for (int i = 0; i < count; i++) {
                            ((int[]) inout)[inoutAt + i] =
                                Math.min(((int[]) in)[inAt + i], ((int[]) inout)[inoutAt + i]);
                        }
                    }, true), true);
                assertEquals(5, result[0]);
                world.free();
            });
        }
        assertEquals(1, timesTold("does not reduce"), told.toString());
    }

    @Test
    void withoutQuotaOrSecretOrAggregatorTheOrdinarySchedulesServeAndOneSentenceSaysWhy() throws Exception {
        System.setProperty("brigade.aggregation.timeout", "3");
        try (Tree poor = new Tree(0, AggregatorOptions.DEFAULT_TERMS, 1 << 16, Faults.NONE)) {
            use(poor);
            ThreadJob.run(NodesJob.endpoints(0, 1, 2), (provider, world) -> trials(world));
            assertEquals(1, timesTold("EQUOTA"), told.toString());

            told.reset();
            System.setProperty("brigade.aggregation.secret",
                Tree.secretFile(directory, "another secret, as long as needed".getBytes()).toString());
            ThreadJob.run(NodesJob.endpoints(0, 1, 2), (provider, world) -> trials(world));
            assertEquals(1, timesTold("secret"), told.toString());
        }
        told.reset();
        System.setProperty("brigade.aggregation", "tcp:127.0.0.1:9");
        ThreadJob.run(NodesJob.endpoints(0, 1, 2), (provider, world) -> trials(world));
        assertEquals(1, timesTold("ECONN_TREE"), told.toString());

        told.reset();
        System.setProperty("brigade.aggregation", "tcp:nonsense");
        ThreadJob.run(NodesJob.endpoints(0, 1, 2), (provider, world) -> trials(world));
        assertEquals(1, timesTold("is no HOST:PORT"), told.toString());
    }

    @Test
    void withoutTheSettingItIsPassedOverAndOneSentenceSaysWhy() throws Exception {
        ThreadJob.run(NodesJob.endpoints(0, 1, 2), (provider, world) -> {
            trials(world);
            Communicator halves = world.split(world.rank() < 2 ? 0 : 1, world.rank());
            trials(halves);
        });
        assertEquals(1,
            timesTold("-Dbrigade.allreduce.algorithm=in-network is passed over: no network that reduces is named"),
            told.toString());
        assertEquals(1, told.toString().lines().count(), told.toString());
    }

    /**
     * An aggregator that takes connections and says nothing, until others of the ranks' threads have been able to work.
     */
    @Test
    void whoWaitsToJoinHoldsUpNoOtherThread() throws Exception {
        System.setProperty("brigade.aggregation.timeout", "50");
        int[] mapping = {0, 1};
        CountDownLatch worked = new CountDownLatch(mapping.length);
        List<SocketChannel> connections = new ArrayList<>();
        CountDownLatch connected = new CountDownLatch(mapping.length);
        try (ServerSocketChannel silent =
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            System.setProperty("brigade.aggregation",
                "tcp:127.0.0.1:" + ((InetSocketAddress) silent.getLocalAddress()).getPort());
            Thread server = new Thread(() -> {
                try {
                    for (int i = 0; i < mapping.length; i++) {
                        connections.add(silent.accept());
                        connected.countDown();
                    }
                    worked.await();
                    for (SocketChannel each : connections) {
                        each.close();
                    }
                } catch (IOException | InterruptedException e) {
                    // the test ends
                }
            });
            server.setDaemon(true);
            server.start();
            ThreadJob.run(NodesJob.endpoints(mapping), (provider, world) -> {
                Communicator other = world.duplicate();
                Thread thread = new Thread(() -> {
                    try {
                        connected.await();
                        for (int turn = 0; turn < 20; turn++) {
                            calls(other).barrier(true);
                        }
                        worked.countDown();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.setDaemon(true);
                thread.start();
                trials(world);
                thread.join();
            });
        }
        assertEquals(0, worked.getCount());
        assertEquals(1, timesTold("ECONN_TREE"), told.toString());
        assertEquals(0, timesTold("no answer"), "the aggregator closed, as all had worked: " + told);
    }

    /** Forwards what goes between members and an aggregator, until it swallows everything. */
    private static final class Relay implements AutoCloseable {
        final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        volatile boolean swallows;

        Relay(InetSocketAddress aggregator) throws IOException {
            start(() -> {
                while (true) {
                    Socket member = door.accept();
                    Socket above = new Socket(aggregator.getAddress(), aggregator.getPort());
                    start(() -> pass(member, above));
                    start(() -> pass(above, member));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException e) {
                    // the test ends
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void pass(Socket from, Socket to) throws IOException {
            byte[] bytes = new byte[1 << 16];
            for (int read = from.getInputStream().read(bytes); read >= 0; read = from.getInputStream().read(bytes)) {
                if (!swallows) {
                    to.getOutputStream().write(bytes, 0, read);
                }
            }
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }

    @Test
    void whatOneCommunicatorWaitedForTheOthersNeedNotWaitFor() throws Exception {
        System.setProperty("brigade.aggregation.timeout", "2");
        try (Tree tree = new Tree(); Relay relay = new Relay(tree.address())) {
            System.setProperty("brigade.aggregation", "tcp:127.0.0.1:" + relay.door.getLocalPort());
            ThreadJob.run(NodesJob.endpoints(0, 1), (provider, world) -> {
                Communicator second = world.duplicate();
                for (Communicator each : new Communicator[] {world, second}) {
                    sums(each);
                }
                calls(world).barrier(true);
                relay.swallows = true;
                sums(world);
                sums(second);
                Communicator third = world.duplicate();
                sums(third);
            });
        }
        // Both ranks are in this process: whichever gives up first, the other of the same communicator may be told.
        assertEquals(3, timesTold("ECONN_TREE"), told.toString());
        assertTrue(timesTold("no answer to another communicator") >= 2, told.toString());
    }

    private static void sums(Communicator communicator) {
        int[] sum = new int[100];
        int[] own = new int[100];
        Arrays.fill(own, 3);
        calls(communicator).allreduce(own, 0, sum, 0, 100, INT, SUM, true);
        assertEquals(6, sum[99]);
    }
}
