package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.communicator.job.Contexts;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectives that are prepared once and started many times, by ranks as threads. */
@Isolated // forces algorithms through system properties
@Tag("once")
class PersistentCollectivesTest {
    private static final int[] COUNTS = {0, 1, 12, 250, 40_000};
    private static final int STARTS = 100;

    /** A communicator whose nonblocking calls are prepared and started twice, from the same input. */
    private static Communicator twice(Communicator comm) {
        return (Communicator) Proxy.newProxyInstance(PersistentCollectivesTest.class.getClassLoader(),
            new Class<?>[] {Communicator.class}, (self, method, arguments) -> {
                if (!method.getName().equals("start")) {
                    try {
                        return method.invoke(comm, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }
                Call call = (Call) arguments[0];
                Object send = call.send.buffer;
                Object recv = call.recv.buffer;
                Object sendBefore = copy(send);
                Object recvBefore = copy(recv);
                PersistentOperation prepared = comm.prepare(call);
                prepared.start();
                prepared.await();
                restore(send, sendBefore);
                restore(recv, recvBefore);
                prepared.start();
                return prepared;
            });
    }

    private static Object copy(Object buffer) {
        if (buffer instanceof int[] ints) {
            return ints.clone();
        }
        return buffer == null ? null : ByteBuffer.allocate(bytes(buffer).capacity()).put(bytes(buffer)).clear();
    }

    private static ByteBuffer bytes(Object buffer) {
        return buffer instanceof FakeMemory device ? device.memory() : ((ByteBuffer) buffer).duplicate().clear();
    }

    private static void restore(Object buffer, Object before) {
        if (buffer instanceof int[] ints) {
            System.arraycopy(before, 0, ints, 0, ints.length);
        } else if (buffer != null) {
            bytes(buffer).put(bytes(before));
        }
    }

    static Stream<Algorithm> algorithms() {
        List<Algorithm> all = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            all.addAll(Catalogue.of(collective));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void everyStartOfEveryAlgorithmGivesWhatMpiSays(Algorithm algorithm) throws Exception {
        Collective collective = algorithm.collective();
        String property = "brigade." + collective.key() + ".algorithm";
        System.setProperty(property, algorithm.name());
        try {
            for (Endpoint[] endpoints : new Endpoint[][] {LoopbackJob.endpoints(1), LoopbackJob.endpoints(2),
                LoopbackJob.endpoints(5), LoopbackJob.narrowEndpoints(4)}) {
                int ranks = endpoints.length;
                if (algorithm.restrictions().violatedBy(ranks, 0, true) == null) {
                    ThreadJob.run(endpoints, (provider, world) -> trials(algorithm, twice(world)));
                }
            }
        } finally {
            System.clearProperty(property);
        }
    }

    private static void trials(Algorithm algorithm, Communicator comm) {
        Collective collective = algorithm.collective();
        for (int count : COUNTS) {
            for (int form = 0; form < 8 && algorithm.restrictions().violatedBy(comm.size(),
                CollectiveTrial.bytes(collective, comm.size(), count), true) == null; form++) {
                boolean ordered = (form & 4) != 0;
                if (!ordered || collective.reduces && !algorithm.restrictions().commutative() && count % 2 == 0) {
                    new CollectiveTrial(comm, (count + form) % comm.size(), count, (form & 1) != 0,
                        (form & 2) != 0 && collective != Collective.BCAST, false, ordered).run(collective);
                }
            }
        }
    }

    /** Device memory on all ranks, and on one of them. */
    @ParameterizedTest
    @EnumSource(Collective.class)
    void everyStartGivesTheSameOnDevices(Collective collective) throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(3);
        ThreadJob.run(LoopbackJob.endpoints(3), false, devices, (provider, world) -> {
            Communicator comm = twice(world);
            for (int count : new int[] {1, 12, 5000}) {
                for (int form = 0; form < 4; form++) {
                    FakeDevices mine = (form & 1) == 0 || world.rank() == 1 ? devices[world.rank()] : null;
                    new CollectiveTrial(comm, count % 3, count, false,
                        (form & 2) != 0 && collective != Collective.BCAST, false, false, mine).run(collective);
                }
            }
        });
    }

    // ---- starts ----

    private static PersistentOperation bcast(Communicator comm, int[] data, int count, int root) {
        Call call = new Call(comm.rank(), comm.size()).begin(Collective.BCAST, false).root(root);
        call.recv.vector(data, 0, count, INT.extent);
        call.extent = INT.extent;
        return comm.prepare(call);
    }

    private static PersistentOperation allreduce(Communicator comm, int[] in, int[] out, Reduction op) {
        Call call = new Call(comm.rank(), comm.size()).begin(Collective.ALLREDUCE, false).reduction(INT, op);
        call.recv.vector(out, 0, out.length, INT.extent);
        call.send.vector(in, 0, in.length, INT.extent);
        return comm.prepare(call);
    }

    /** 4000 bytes fill the shortest rings both ways, so each rank must take the other's for its own to go on. */
    @Test
    void testsAloneEndWhatFillsTheLinks() throws Exception {
        ThreadJob.run(LoopbackJob.narrowEndpoints(2), (provider, world) -> {
            Communicator other = world.duplicate();
            int[] in = new int[1000];
            int[] out = new int[in.length];
            PersistentOperation sum = allreduce(world, in, out, SUM);
            for (int start = 1; start <= STARTS; start++) {
                Arrays.fill(in, start + world.rank());
                sum.start();
                if (start % 3 == 0) {
                    calls(other).barrier(true);
                }
                while (!sum.test()) {
                    Thread.onSpinWait();
                }
                assertEquals(2 * start + 1, out[start]);
                assertEquals(2 * start + 1, out[in.length - 1]);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void ranksStartTheirsInAnyOrderAmongOtherCalls(Jobs kind) throws Exception {
        int[] counts = {1, 40, 3000, 20_000};
        int rounds = kind == Jobs.WILD ? 4 : 10;
        ThreadJob.run(kind.endpoints(4, 5), (provider, world) -> {
            Random order = new Random(world.rank());
            int[][] sent = new int[counts.length][];
            int[][] cast = new int[counts.length][];
            int[][] sum = new int[counts.length][];
            List<PersistentOperation> all = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                sent[i] = new int[counts[i]];
                sum[i] = new int[counts[i]];
                cast[i] = new int[counts[i]];
                all.add(bcast(world, cast[i], counts[i], i));
                all.add(allreduce(world, sent[i], sum[i], SUM));
            }
            for (int round = 1; round <= rounds; round++) {
                for (int i = 0; i < counts.length; i++) {
                    Arrays.fill(sent[i], round * (i + 1) + world.rank());
                    Arrays.fill(cast[i], world.rank() == i ? round + i : -1);
                }
                List<PersistentOperation> shuffled = new ArrayList<>(all);
                Collections.shuffle(shuffled, order);
                shuffled.forEach(PersistentOperation::start);
                calls(world).barrier(true);
                Collections.shuffle(shuffled, order);
                shuffled.forEach(PersistentOperation::await);
                for (int i = 0; i < counts.length; i++) {
                    assertEquals(round + i, cast[i][counts[i] - 1]);
                    assertEquals(4 * round * (i + 1) + 6, sum[i][counts[i] - 1]);
                }
            }
            all.forEach(PersistentOperation::free);
        });
    }

    /** More messages than narrow links have room for; the other rank has not begun, and then begins from the end. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aStartNeverWaitsForAnotherRank(Jobs kind) throws Exception {
        int each = 60;
        int[] word = {1};
        ThreadJob.run(kind.endpoints(2, 5), (provider, world) -> {
            List<PersistentOperation> all = new ArrayList<>();
            int[] in = new int[100];
            int[][] sums = new int[each][100];
            int[][] casts = new int[each][100];
            for (int i = 0; i < each; i++) {
                all.add(allreduce(world, in, sums[i], SUM));
                all.add(bcast(world, casts[i], 100, i % 2));
                all.add(world.prepare(new Call(world.rank(), 2).begin(Collective.BARRIER, false)));
                Arrays.fill(casts[i], world.rank() == i % 2 ? i : -1);
            }
            Arrays.fill(in, world.rank() + 1);
            if (world.rank() == 0) {
                all.forEach(PersistentOperation::start);
                world.send(word, 0, 1, INT, 1, 0, SendMode.STANDARD);
            } else {
                world.recv(word, 0, 1, INT, 0, 0, new Envelope());
                Collections.reverse(all);
                all.forEach(PersistentOperation::start);
            }
            all.forEach(PersistentOperation::await);
            for (int i = 0; i < each; i++) {
                assertEquals(3, sums[i][99]);
                assertEquals(i, casts[i][99]);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void testsAndWaitsForAnyEndThem(Jobs kind) throws Exception {
        int[] counts = {1, 200, 20_000};
        ThreadJob.run(kind.endpoints(3, 5), (provider, world) -> {
            PersistentOperation[] all = new PersistentOperation[2 * counts.length];
            int[][] in = new int[counts.length][];
            int[][] out = new int[counts.length][];
            for (int i = 0; i < counts.length; i++) {
                in[i] = new int[counts[i]];
                out[i] = new int[counts[i]];
                all[2 * i] = allreduce(world, in[i], out[i], SUM);
                all[2 * i + 1] = world.prepare(new Call(world.rank(), 3).begin(Collective.BARRIER, false));
            }
            for (int round = 0; round < 5; round++) {
                Operation[] active = all.clone();
                for (int[] values : in) {
                    Arrays.fill(values, round + world.rank());
                }
                for (int i = 0; i < all.length; i++) {
                    all[(i + world.rank()) % all.length].start();
                }
                for (int left = all.length; left > 0; left--) {
                    int ended = provider.awaitAny(active, active.length);
                    assertTrue(active[ended].test());
                    active[ended] = null;
                }
                assertEquals(-1, provider.awaitAny(active, active.length));
                for (int[] sum : out) {
                    assertEquals(3 * round + 3, sum[sum.length - 1]);
                    Arrays.fill(sum, 0);
                }
            }
        });
    }

    /** Every rank tests the call that it is the root of, while the links between them are full both ways. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void rootsThatOnlyTestTheirOwnCallsComeToAnEnd(Jobs kind) throws Exception {
        int each = 60;
        ThreadJob.run(kind.endpoints(2, 4), (provider, world) -> {
            int[][] casts = new int[2 * each][100];
            List<PersistentOperation> own = new ArrayList<>();
            List<PersistentOperation> others = new ArrayList<>();
            for (int i = 0; i < 2 * each; i++) {
                boolean isRoot = i % 2 == world.rank();
                Arrays.fill(casts[i], isRoot ? i : -1);
                (isRoot ? own : others).add(bcast(world, casts[i], 100, i % 2));
            }
            own.forEach(PersistentOperation::start);
            Collections.reverse(own);
            for (PersistentOperation cast : own) {
                while (!cast.test()) {
                    Thread.onSpinWait();
                }
            }
            others.forEach(PersistentOperation::start);
            others.forEach(PersistentOperation::await);
            for (int i = 0; i < 2 * each; i++) {
                assertEquals(i, casts[i][99]);
            }
        });
    }

    @Test
    void aStartThatFailsLeavesTheNextOneAlone() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(3, 5), (provider, world) -> {
            boolean[] bad = {false};
            Reduction op = Reduction.user((in, inAt, inout, inoutAt, count) -> {
                if (bad[0]) {
                    throw new IllegalStateException("thrown on purpose");
                }
                SumsOfInts.add(in, inAt, inout, inoutAt, count);
            }, true);
            int[] in = {world.rank(), 1};
            int[] out = new int[2];
            PersistentOperation sums = allreduce(world, in, out, op);
            for (int round = 0; round < 6; round++) {
                bad[0] = round % 2 == 1 && world.rank() == 1;
                sums.start();
                if (round % 2 == 1) {
                    assertThrows(MPIException.class, sums::await, "round " + round);
                } else {
                    sums.await();
                    assertArrayEquals(new int[] {3, 3}, out);
                }
                Arrays.fill(out, 0);
            }
        });
    }

    /** The operation of {@link #aStartThatFailsLeavesTheNextOneAlone}, on arrays and buffers. */
    private static final class SumsOfInts {
        static void add(Object in, int inAt, Object inout, int inoutAt, int count) {
            for (int i = 0; i < count; i++) {
                if (in instanceof int[] from) {
                    ((int[]) inout)[inoutAt + i] += from[inAt + i];
                } else {
                    ByteBuffer to = (ByteBuffer) inout;
                    to.putInt((inoutAt + i) * 4,
                        to.getInt((inoutAt + i) * 4) + ((ByteBuffer) in).getInt((inAt + i) * 4));
                }
            }
        }
    }

    @Test
    void aBlockThatComesShorterIsAsLongAsPlannedAtTheNextStart() throws Exception {
        System.setProperty("brigade.bcast.algorithm", "pipelined-chain");
        System.setProperty("brigade.bcast.chunk", "4096");
        try {
            ThreadJob.run(Jobs.WIDE.endpoints(3, 5), (provider, world) -> {
                int sent = 3000;
                int[] data = new int[world.rank() == 0 ? sent : 5000];
                PersistentOperation cast = bcast(world, data, data.length, 0);
                for (int round = 1; round <= 3; round++) {
                    Arrays.fill(data, world.rank() == 0 ? round : -round);
                    cast.start();
                    cast.await();
                    assertEquals(round, data[0]);
                    assertEquals(round, data[sent - 1]);
                    if (world.rank() > 0) {
                        assertEquals(-round, data[sent]);
                    }
                }
            });
        } finally {
            System.clearProperty("brigade.bcast.algorithm");
            System.clearProperty("brigade.bcast.chunk");
        }
    }

    // ---- making and freeing ----

    @Test
    void thousandsAreMadeOfAFewContexts() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(3, 0), (provider, world) -> {
            provider.job().use(new Contexts(1000 * (world.rank() + 1), 4));
            int[] data = new int[3];
            for (int i = 0; i < 2000; i++) {
                PersistentOperation cast = bcast(world, data, 3, i % 3);
                for (int start = 0; start < i % 3; start++) {
                    data[2] = world.rank() == i % 3 ? i : -1;
                    cast.start();
                    if (start == 0) {
                        cast.await();
                        assertEquals(i, data[2]);
                    }
                }
                cast.free(); // the second start may be under way
                calls(world).barrier(true);
            }
        });
    }

    @Test
    void oneOutlivesItsCommunicator() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            Communicator comm = world.duplicate();
            int[] in = {1};
            int[] out = {0};
            PersistentOperation sum = allreduce(comm, in, out, SUM);
            comm.free();
            for (int i = 0; i < 3; i++) {
                Communicator next = world.duplicate();
                in[0] = i;
                sum.start();
                calls(next).barrier(true);
                sum.await();
                assertEquals(2 * i, out[0]);
                next.free();
            }
        });
    }

    @Test
    void callsThatDifferAreFoundWhereTheyArePrepared() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), true, (provider, world) -> {
            int[] data = new int[4];
            MPIException thrown =
                assertThrows(MPIException.class, () -> bcast(world, data, 2 + world.rank(), 0));
            assertEquals(ErrorClass.NOT_SAME.code, thrown.getErrorClass(), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("bcast of"), thrown.getMessage());
            PersistentOperation good = bcast(world, data, 4, 0);
            data[3] = world.rank() == 0 ? 9 : 0;
            good.start();
            good.await();
            assertEquals(9, data[3]);
        });
    }

    /**
     * Counts that run as straight-line code and by a schedule; and messages, eager and not. A barrier stands between
     * the starts of receives and sends: a message that comes before its receive is kept in new memory.
     */
    @Test
    void startsAndTheirWaitsAllocateNothing() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported());
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            int other = 1 - world.rank();
            for (int count : new int[] {2, 1000, 20_000}) {
                int[] in = new int[count];
                int[] out = new int[count];
                PersistentOperation receive = world.recvInit(out, 0, count, INT, other, 0, "recvInit");
                PersistentOperation barrier =
                    world.prepare(new Call(world.rank(), world.size()).begin(Collective.BARRIER, false));
                PersistentOperation send = world.sendInit(in, 0, count, INT, other, 0, SendMode.STANDARD);
                PersistentOperation sum = allreduce(world, in, new int[count], SUM);
                PersistentOperation cast = bcast(world, new int[count], count, 1);
                long least = Long.MAX_VALUE;
                for (int round = 0; round < 4; round++) {
                    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                    for (int start = 0; start < STARTS; start++) {
                        receive.start();
                        barrier.start();
                        barrier.await();
                        send.start();
                        send.await();
                        receive.await();
                        sum.start();
                        sum.await();
                        cast.start();
                        cast.await();
                    }
                    least = Math.min(least,
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
                }
                // The smallest object has 16 bytes.
                assertTrue(least < 16 * STARTS, least + " bytes of " + STARTS + " starts of each with " + count);
            }
        });
    }
}
