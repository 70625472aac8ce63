package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages in partitions, among ranks that are threads. */
class PartitionedTest {
    private interface Program {
        void run(Intracomm world) throws Exception;
    }

    @BeforeAll
    @BeforeContainer
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    private static void among(int ranks, Program program) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> program.run(new Intracomm(Handle.of(world))));
    }

    private static void among(Jobs kind, int ranks, long seed, Program program) throws Exception {
        ThreadJob.run(kind.endpoints(ranks, seed),
            (provider, world) -> program.run(new Intracomm(Handle.of(world))));
    }

    private static int[] values(int seed, int count) {
        return IntStream.range(0, count).map(i -> 1_000_003 * seed + i).toArray();
    }

    private static List<Integer> shuffled(int n, long seed) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        return order;
    }

    private static void fails(int errorClass, String words, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(errorClass, thrown.getErrorClass(), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
    }

    /** Any two numbers of partitions whose elements add up to the same, in any order of readiness. */
    @Property(tries = 60)
    void everyElementArrivesWhateverTheNumbersOfPartitions(@ForAll @IntRange(min = 1, max = 12) int one,
        @ForAll @IntRange(min = 1, max = 12) int other, @ForAll @IntRange(min = 0, max = 3) int size,
        @ForAll long seed, @ForAll Jobs kind) throws Exception {
        int unit = new int[] {0, 1, 100, 1500}[size];
        int all = one * other * unit;
        among(kind, 2, seed, comm -> {
            int rank = comm.getRank();
            int[] in = new int[all + 2];
            int[] out = new int[all + 2];
            PartitionedRequest send = comm.Psend_init(out, 1, one, other * unit, MPI.INT, 1 - rank, 3, null);
            PartitionedRequest recv = comm.Precv_init(in, 2, other, one * unit, MPI.INT, 1 - rank, 3, null);
            for (int start = 0; start < 3; start++) {
                int[] data = values(rank + 2 * start, all);
                Prequest.Startall(start == 1 ? new Prequest[] {send, recv} : new Prequest[] {recv, send});
                for (int partition : shuffled(one, seed + start)) {
                    System.arraycopy(data, partition * other * unit, out, 1 + partition * other * unit, other * unit);
                    send.Pready(partition);
                }
                for (int partition : shuffled(other, seed - start)) {
                    while (!recv.Parrived(partition)) {
                        Thread.onSpinWait();
                    }
                    int[] expected = values(1 - rank + 2 * start, all);
                    int from = partition * one * unit;
                    assertArrayEquals(Arrays.copyOfRange(expected, from, from + one * unit),
                        Arrays.copyOfRange(in, 2 + from, 2 + from + one * unit));
                }
                Status status = recv.Wait();
                assertEquals(1 - rank, status.getSource());
                assertEquals(3, status.getTag());
                assertEquals(all, status.getCount(MPI.INT));
                send.Wait();
            }
            send.free();
            recv.free();
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void threadsMarkPartitionsAtOnceWhileAnotherWaits(Jobs kind) throws Exception {
        int partitions = 24;
        int count = 5000;
        int threads = 4;
        among(kind, 2, 3, comm -> {
            int rank = comm.getRank();
            int[] in = new int[partitions * count];
            int[] out = new int[in.length];
            PartitionedRequest send = comm.pSendInit(out, partitions, count, MPI.INT, 1 - rank, 0, MPI.INFO_NULL);
            PartitionedRequest recv = comm.pRecvInit(in, partitions / 2, 2 * count, MPI.INT, 1 - rank, 0, null);
            CyclicBarrier round = new CyclicBarrier(threads + 1);
            List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
            for (int thread = 0; thread < threads; thread++) {
                int mine = thread;
                Thread worker = new Thread(() -> {
                    try {
                        for (int start = 0; start < 5; start++) {
                            round.await();
                            for (int i = mine; i < partitions; i += threads) {
                                Arrays.fill(out, i * count, (i + 1) * count, rank + 100 * i + start);
                                send.pReady(i);
                            }
                        }
                    } catch (Exception | AssertionError e) {
                        wrong.add(e);
                    }
                });
                worker.setDaemon(true);
                worker.start();
            }
            for (int start = 0; start < 5; start++) {
                recv.start();
                send.start();
                round.await();
                send.waitFor();
                recv.waitFor();
                for (int i = 0; i < in.length; i++) {
                    assertEquals(1 - rank + 100 * (i / count) + start, in[i]);
                }
            }
            assertEquals(List.of(), wrong);
        });
    }

    /** What is ready travels before the rest is, also a large partition. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aReadyPartitionArrivesBeforeTheOthersAreReady(Jobs kind) throws Exception {
        int count = 50_000;
        among(kind, 2, 2, comm -> {
            int[] data = new int[2 * count];
            if (comm.getRank() == 0) {
                Arrays.fill(data, 7);
                PartitionedRequest send = comm.pSendInit(data, 2, count, MPI.INT, 1, 1, null);
                send.start();
                send.pReady(1);
                comm.recv(new int[0], 0, MPI.INT, 1, 2); // sent once partition 1 has arrived there
                assertFalse(send.test());
                send.pReady(0);
                send.waitFor();
            } else {
                PartitionedRequest recv = comm.pRecvInit(data, 2, count, MPI.INT, 0, 1, null);
                recv.start();
                while (!recv.pArrived(1)) {
                    Thread.onSpinWait();
                }
                assertFalse(recv.pArrived(0));
                assertFalse(recv.test());
                assertEquals(7, data[count]);
                assertEquals(0, data[count - 1]);
                comm.send(new int[0], 0, MPI.INT, 0, 2);
                recv.waitFor();
                assertEquals(7, data[0]);
                assertTrue(recv.pArrived(0));
            }
        });
    }

    /** A rank that is busy in another call receives its partitions nevertheless. */
    @Test
    void partitionsMoveWhileTheReceiverWaitsForSomethingElse() throws Exception {
        int count = 100_000;
        among(2, comm -> {
            int[] data = new int[count];
            if (comm.getRank() == 0) {
                comm.recv(new int[0], 0, MPI.INT, 1, 1); // the receive has been started, and does not know this send
                PartitionedRequest send = comm.pSendInit(data, 1, count, MPI.INT, 1, 1, null);
                send.start();
                send.pReady(0);
                send.waitFor();
                comm.send(data, 0, MPI.INT, 1, 2);
            } else {
                PartitionedRequest recv = comm.pRecvInit(data, 1, count, MPI.INT, 0, 1, null);
                recv.start();
                assertFalse(recv.test());
                assertFalse(recv.pArrived(0));
                comm.send(data, 0, MPI.INT, 0, 1);
                comm.recv(data, 0, MPI.INT, 0, 2);
                recv.waitFor();
            }
        });
    }

    /** The order of preparation counts for each tag, not that of starts; other messages are not taken. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void theyMatchInTheOrderOfPreparationAndNothingElse(Jobs kind) throws Exception {
        among(kind, 2, 5, comm -> {
            if (comm.getRank() == 0) {
                PartitionedRequest[] sends = new PartitionedRequest[6];
                for (int i = 0; i < 6; i++) {
                    sends[i] = comm.pSendInit(new int[] {i}, 1, 1, MPI.INT, 1, i % 2 == 0 ? 4 : 9, null);
                }
                comm.send(new int[] {-1}, 1, MPI.INT, 1, 4);
                for (int i : new int[] {3, 0, 5, 1, 4, 2}) {
                    sends[i].start();
                    sends[i].pReadyList(new int[] {0});
                }
                Request.waitAll(sends);
            } else {
                int[][] in = new int[6][1];
                PartitionedRequest[] recvs = new PartitionedRequest[6];
                for (int i : new int[] {1, 3, 5, 0, 2, 4}) {
                    recvs[i] = comm.pRecvInit(in[i], 1, 1, MPI.INT, 0, i % 2 == 0 ? 4 : 9, null);
                }
                Prequest.startAll(recvs);
                Request.waitAll(recvs);
                for (int i = 0; i < 6; i++) {
                    assertEquals(i, in[i][0]);
                }
                int[] plain = new int[1];
                assertEquals(4, comm.recv(plain, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG).getTag());
                assertEquals(-1, plain[0]);
                assertEquals(null, comm.iProbe(MPI.ANY_SOURCE, MPI.ANY_TAG));
            }
        });
    }

    @Test
    void columnsAndDirectBuffersAndOneselfAndNobody() throws Exception {
        among(1, comm -> {
            Datatype column = Datatype.createVector(3, 1, 4, MPI.INT);
            Datatype columns = Datatype.createResized(column, 0, 4);
            columns.commit();
            int[] matrix = values(1, 12);
            IntBuffer in = MPI.newIntBuffer(12);
            PartitionedRequest send = comm.pSendInit(matrix, 4, 1, columns, 0, 0, null);
            PartitionedRequest recv = comm.pRecvInit(in, 6, 2, MPI.INT, 0, 0, null);
            PartitionedRequest nobody = comm.pSendInit(matrix, 2, 1, MPI.INT, MPI.PROC_NULL, 0, null);
            PartitionedRequest fromNobody = comm.pRecvInit(matrix, 2, 1, MPI.INT, MPI.PROC_NULL, 0, null);
            Prequest.startAll(new Prequest[] {nobody, send, recv, fromNobody});
            send.pReadyRange(1, 3);
            nobody.pReadyRange(0, 1);
            assertTrue(fromNobody.pArrived(1));
            assertTrue(recv.pArrived(5));
            assertFalse(recv.pArrived(0));
            send.pReady(0);
            Request.waitAll(new Request[] {nobody, send, recv, fromNobody});
            for (int i = 0; i < 12; i++) {
                assertEquals(matrix[i % 3 * 4 + i / 3], in.get(i));
            }
            comm.pSendInit(matrix, 0, 5, MPI.INT, 0, 1, null).start();
            Prequest empty = comm.pRecvInit(null, 3, 0, MPI.INT, 0, 1, null);
            empty.start();
            empty.waitFor();
        });
    }

    @Test
    void wrongUseIsAnErrorAndChangesNothing() throws Exception {
        among(1, comm -> {
            int[] data = new int[8];
            fails(MPI.ERR_ARG, "pSendInit on rank 0", () -> comm.pSendInit(data, -1, 1, MPI.INT, 0, 0, null));
            fails(MPI.ERR_COUNT, "Psend_init", () -> comm.Psend_init(data, 1, 4, 2, MPI.INT, 0, 0, null));
            fails(MPI.ERR_COUNT, "pass fewer", () -> comm.pSendInit(data, Integer.MAX_VALUE, Integer.MAX_VALUE,
                MPI.DOUBLE, 0, 0, null));
            fails(MPI.ERR_COUNT, "negative", () -> comm.pSendInit(data, 2, -1, MPI.INT, 0, 0, null));
            fails(MPI.ERR_TYPE, "MPI.OBJECT", () -> comm.Psend_init(new Object[1], 0, 1, 1, MPI.OBJECT, 0, 0, null));
            fails(MPI.ERR_RANK, "ANY_SOURCE", () -> comm.pRecvInit(data, 1, 1, MPI.INT, MPI.ANY_SOURCE, 0, null));
            fails(MPI.ERR_TAG, "ANY_TAG", () -> comm.Precv_init(data, 0, 1, 1, MPI.INT, 0, MPI.ANY_TAG, null));
            PartitionedRequest send = comm.pSendInit(data, 4, 1, MPI.INT, 0, 0, null);
            PartitionedRequest recv = comm.pRecvInit(new int[4], 2, 2, MPI.INT, 0, 0, null);
            fails(MPI.ERR_REQUEST, "start it", () -> send.pReady(0));
            send.start();
            fails(MPI.ERR_REQUEST, "active", send::start);
            fails(MPI.ERR_ARG, "0 <= partition < 4", () -> send.pReady(4));
            fails(MPI.ERR_ARG, "no partition -1", () -> send.pReadyList(new int[] {0, -1}));
            fails(MPI.ERR_ARG, "backwards", () -> send.pReadyRange(2, 1));
            fails(MPI.ERR_ARG, "null", () -> send.Pready_list(null));
            fails(MPI.ERR_REQUEST, "sends", () -> send.pArrived(0));
            fails(MPI.ERR_REQUEST, "receives", () -> recv.pReady(0));
            fails(MPI.ERR_ARG, "< 2", () -> recv.pArrived(2));
            send.pReady(2);
            fails(MPI.ERR_REQUEST, "partition 2 is ready already", () -> send.Pready(2));
            fails(MPI.ERR_REQUEST, "partition 2 is ready already", () -> send.Pready_range(0, 3));
            fails(MPI.ERR_REQUEST, "3 of its 4 partitions are not ready", send::free);
            send.pReadyRange(0, 1);
            send.pReady(3);
            assertTrue(recv.pArrived(1));
            recv.start();
            send.waitFor();
            fails(MPI.ERR_REQUEST, "start it", () -> send.pReady(0));
            recv.waitFor();
            send.free();
            fails(MPI.ERR_REQUEST, "freed", () -> send.pReady(0));
            recv.free();
            fails(MPI.ERR_REQUEST, "freed", () -> recv.pArrived(0));
        });
    }

    /** The receiver says it; the sender does not wait; the next ones are not affected. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void unequalSumsAreAnErrorOfTheReceive(Jobs kind) throws Exception {
        among(kind, 2, 4, comm -> {
            int[] data = new int[60_000];
            for (int count : new int[] {1, 10_000}) {
                if (comm.getRank() == 0) {
                    PartitionedRequest send = comm.pSendInit(data, 3, count, MPI.INT, 1, 0, null);
                    for (int start = 0; start < 2; start++) {
                        send.start();
                        send.pReadyRange(0, 2);
                        send.waitFor();
                    }
                    send.free();
                } else {
                    PartitionedRequest recv = comm.pRecvInit(data, 2, count, MPI.INT, 0, 0, null);
                    for (int start = 0; start < 2; start++) {
                        recv.start();
                        fails(MPI.ERR_TRUNCATE, "sums must be equal", recv::waitFor);
                    }
                }
                comm.barrier();
            }
            if (comm.getRank() == 0) {
                PartitionedRequest send = comm.pSendInit(data, 1, 2, MPI.INT, 1, 0, null);
                send.start();
                send.pReady(0);
                send.waitFor();
            } else {
                PartitionedRequest recv = comm.pRecvInit(data, 3, 1, MPI.INT, 0, 0, null);
                recv.start();
                fails(MPI.ERR_COUNT, "sums must be equal", recv::waitFor);
            }
        });
    }

    /** Of an inter-communicator too; and after the communicator has been freed. */
    @Test
    void betweenGroupsAndBeyondTheirCommunicator() throws Exception {
        TwoGroups.inAllWays(3, groups -> {
            Intercomm inter = groups.inter.dup();
            int[] out = {groups.rank, groups.side};
            int[][] in = new int[groups.remoteSize][2];
            List<PartitionedRequest> all = new ArrayList<>();
            for (int peer = 0; peer < groups.remoteSize; peer++) {
                all.add(inter.pRecvInit(in[peer], 2, 1, MPI.INT, peer, 6, null));
                all.add(inter.pSendInit(out, 1, 2, MPI.INT, peer, 6, null));
            }
            inter.free();
            for (int start = 0; start < 2; start++) {
                Prequest.startAll(all.toArray(new Prequest[0]));
                for (int i = 1; i < all.size(); i += 2) {
                    all.get(i).pReady(0);
                }
                Request.waitAll(all.toArray(new Request[0]));
                for (int peer = 0; peer < groups.remoteSize; peer++) {
                    assertArrayEquals(new int[] {peer, 1 - groups.side}, in[peer]);
                }
            }
            all.forEach(PartitionedRequest::free);
            groups.world.barrier();
        });
    }

    @Test
    void morePartitionsThanMemoryAreAnError() throws Exception {
        among(1, world -> {
            world.setErrhandler(MPI.ERRORS_RETURN);
            fails(MPI.ERR_NO_MEM, "pass fewer",
                () -> world.pSendInit(MPI.newByteBuffer(0), Integer.MAX_VALUE, 0, MPI.BYTE, 0, 0, null));
        });
    }
}
