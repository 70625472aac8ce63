package org.brigade.failure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of a communicator when members have died. A rank dies by leaving without Finalize. */
@Tag("once")
class LostMembersTest {
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final TypeLayout LONG = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    private static final int MANY = 200_000;

    private static Call allreduce(Communicator comm, long[] in, long[] out, boolean blocking) {
        Call call = new Call(comm.rank(), comm.size()).begin(Collective.ALLREDUCE, blocking).reduction(LONG,
            Reduction.predefined(Reduction.Operator.SUM));
        call.send.vector(in, 0, in.length, LONG.extent);
        call.recv.vector(out, 0, in.length, LONG.extent);
        return call;
    }

    private static long sum(Communicator comm, long mine, int count) {
        long[] in = new long[count];
        long[] out = new long[count];
        in[count - 1] = mine;
        comm.start(allreduce(comm, in, out, true));
        return out[count - 1];
    }

    private static void assertFails(ErrorClass expected, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(expected.code, thrown.getErrorClass(), thrown.getMessage());
    }

    private static void send(Communicator comm, int to, int tag) {
        comm.send(new int[] {comm.rank()}, 0, 1, INT, to, tag, SendMode.STANDARD);
    }

    private static int recv(Communicator comm, int from, int tag) {
        int[] word = new int[1];
        comm.recv(word, 0, 1, INT, from, tag, new Envelope());
        return word[0];
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.yield();
        }
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void messagesBetweenOthersGoOnAndThoseThatNeedTheDeadFail(Jobs kind) throws Exception {
        Endpoint[] endpoints = kind.endpoints(4, 1);
        CountDownLatch summed = new CountDownLatch(4);
        ThreadJob.run(endpoints, (provider, world) -> {
            world.returnErrors(true);
            sum(world, 1, 1);
            summed.countDown();
            int rank = world.rank();
            if (rank == 3) {
                summed.await(); // none is in the sum, which would fail
                endpoints[3].exiting();
                return;
            }
            assertFails(ErrorClass.PROC_FAILED, () -> recv(world, 3, 1));
            assertFails(ErrorClass.PROC_FAILED, () -> {
                world.send(new int[MANY], 0, MANY, INT, 3, 1, SendMode.SYNCHRONOUS);
            });
            // a ring of those that are left
            Operation sent = world.isend(new int[MANY], 0, MANY, INT, (rank + 1) % 3, 2, SendMode.STANDARD);
            world.recv(new int[MANY], 0, MANY, INT, (rank + 2) % 3, 2, new Envelope());
            sent.await();
            assertFails(ErrorClass.PROC_FAILED, () -> recv(world, -1, 3));
            assertFails(ErrorClass.PROC_FAILED, () -> world.probe(-1, 3, new Envelope()));
            assertFails(ErrorClass.PROC_FAILED, () -> {
                while (!world.iprobe(-1, 3, new Envelope())) {
                    Thread.onSpinWait();
                }
            });
            int[] word = new int[1];
            Operation any = world.irecv(word, 0, 1, INT, -1, 4, "iRecv");
            assertFails(ErrorClass.PROC_FAILED_PENDING, any::await);
            assertFails(ErrorClass.PROC_FAILED_PENDING, () -> until(any::test));
            assertArrayEquals(new int[] {3}, world.failed());
            assertEquals(0, world.acknowledge(0));
            assertFails(ErrorClass.PROC_FAILED, () -> world.agree("agree", new int[1]).await()); // all are here now
            assertEquals(1, world.acknowledge(9));
            send(world, (rank + 1) % 3, 4);
            any.await();
            assertEquals((rank + 2) % 3, word[0]);
            send(world, (rank + 1) % 3, 5);
            assertEquals((rank + 2) % 3, recv(world, -1, 5));
            assertFails(ErrorClass.PROC_FAILED, () -> {
                while (true) {
                    sum(world, 1, MANY);
                }
            });
            assertFalse(world.isRevoked());
            assertEquals(1 + 2 + 3, sum(world.shrink("shrink"), rank + 1, 1));
        });
    }

    /** One rank waits in each kind of call, for ranks that live and will never answer. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void revocationEndsWhateverWaits(Jobs kind) throws Exception {
        int kinds = 9;
        Endpoint[] endpoints = kind.endpoints(kinds + 1, 2);
        ThreadJob.run(endpoints, (provider, world) -> {
            Communicator comm = world.duplicate();
            Communicator second = world.duplicate(); // collectives of one communicator must match
            int rank = world.rank();
            PersistentOperation prepared = comm.prepare(allreduce(comm, new long[1], new long[1], false));
            PersistentOperation long_ = comm.prepare(allreduce(comm, new long[MANY], new long[MANY], false));
            long[] many = new long[MANY];
            if (rank == kinds) {
                sum(world, 1, 1); // the others are about to wait
                comm.revoke();
                assertTrue(comm.isRevoked());
                comm.revoke();
                second.revoke();
            } else {
                Operation begun = switch (rank) {
                    case 0 -> comm.irecv(new int[1], 0, 1, INT, -1, 7, "iRecv");
                    case 1 -> comm.isend(new int[MANY], 0, MANY, INT, kinds, 7, SendMode.SYNCHRONOUS);
                    case 2 -> comm.start(allreduce(comm, many, new long[MANY], false));
                    default -> null;
                };
                if (rank == 3) {
                    prepared.start();
                }
                if (rank == 4) {
                    long_.start();
                }
                sum(world, 1, 1);
                assertFails(ErrorClass.REVOKED, () -> {
                    switch (rank) {
                        case 0, 1 -> begun.await();
                        case 2 -> until(begun::test);
                        case 3 -> prepared.await();
                        case 4 -> long_.await();
                        case 5 -> recv(comm, kinds, 7);
                        case 6 -> comm.probe(kinds, 7, new Envelope());
                        case 7 -> sum(comm, 1, MANY);
                        default -> sum(second, 1, 2);
                    }
                });
            }
            until(comm::isRevoked);
            until(second::isRevoked);
            assertFails(ErrorClass.REVOKED, () -> send(comm, (rank + 1) % kinds, 8));
            assertFails(ErrorClass.REVOKED, () -> recv(comm, -1, 8));
            assertFails(ErrorClass.REVOKED, () -> sum(comm, 1, 1));
            assertFails(ErrorClass.REVOKED, () -> sum(comm, 1, MANY));
            assertFails(ErrorClass.REVOKED, comm::duplicate);
            assertFails(ErrorClass.REVOKED, () -> comm.iprobe(0, 8, new Envelope()));
            int[] flag = {rank == 2 ? 6 : 7};
            comm.agree("agree", flag).await();
            assertEquals(6, flag[0]);
            Communicator again = comm.shrink("shrink");
            assertEquals(world.size(), again.size());
            assertEquals(world.size(), sum(again, 1, MANY));
            assertEquals(world.size(), sum(world, 1, 1), "the original is as it was");
            comm.free();
            second.free();
            again.free();
        });
    }

    /** Ranks die in the middle of agreements, one after another: those that are left have agreed on the same. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void allThatAreLeftAgreeWhoeverDiesMeanwhile(Jobs kind) throws Exception {
        for (int trial = 0; trial < 6; trial++) {
            int ranks = 6;
            int seed = trial;
            Endpoint[] endpoints = kind.endpoints(ranks, trial);
            ConcurrentHashMap<Integer, String> results = new ConcurrentHashMap<>();
            ThreadJob.run(endpoints, (provider, world) -> {
                world.returnErrors(true);
                int rank = world.rank();
                Random random = new Random(100 * seed + rank);
                int life = rank == 5 ? Integer.MAX_VALUE : random.nextInt(12);
                Communicator comm = world;
                for (int round = 0; round < 12; round++) {
                    int[] flag = {-1 ^ 1 << rank};
                    Operation agreement = comm.agree("iAgree", flag);
                    if (round == life) {
                        for (int looks = random.nextInt(20); looks > 0; looks--) {
                            ends(agreement);
                        }
                        endpoints[rank].exiting();
                        return;
                    }
                    boolean well;
                    try {
                        agreement.await();
                        well = true;
                    } catch (MPIException died) {
                        assertEquals(ErrorClass.PROC_FAILED.code, died.getErrorClass(), died.getMessage());
                        well = false;
                    }
                    String result = flag[0] + (well ? "" : " after a death");
                    assertEquals(result, results.computeIfAbsent(round, any -> result), "rank " + rank);
                    if (!well) {
                        comm = comm.shrink("shrink");
                    }
                }
                assertTrue(comm.size() >= 1);
            });
        }
    }

    private static void ends(Operation agreement) {
        try {
            agreement.test();
        } catch (MPIException somebodyElseIsDead) {
            // It has ended.
        }
    }

    /** An acknowledged death is no error of an agreement; one that not all have acknowledged is. */
    @ParameterizedTest
    @EnumSource(value = Jobs.class, names = {"WIDE", "NODES"})
    void anAgreementFailsOnAllRanksUntilAllHaveAcknowledgedTheDeath(Jobs kind) throws Exception {
        Endpoint[] endpoints = kind.endpoints(4, 3);
        CountDownLatch summed = new CountDownLatch(4);
        ThreadJob.run(endpoints, (provider, world) -> {
            world.returnErrors(true);
            sum(world, 1, 1);
            summed.countDown();
            if (world.rank() == 1) {
                summed.await();
                endpoints[1].exiting();
                return;
            }
            int[] flag = {world.rank()};
            assertFails(ErrorClass.PROC_FAILED, () -> world.agree("agree", flag).await());
            assertEquals(0, flag[0]);
            until(() -> world.failed().length == 1);
            if (world.rank() == 2) {
                world.acknowledge(1);
            }
            flag[0] = 2 | world.rank();
            assertFails(ErrorClass.PROC_FAILED, () -> world.agree("agree", flag).await());
            assertEquals(2, flag[0]);
            world.acknowledge(1);
            world.agree("agree", flag).await();
            assertEquals(2, flag[0]);
            assertFails(ErrorClass.OTHER, () -> {
                if (world.rank() == 0) {
                    world.shrink("shrink");
                } else {
                    world.agree("agree", flag).await();
                }
            });
            Communicator rest = world.shrink("shrink");
            assertEquals(3, rest.size());
            assertEquals(3, sum(rest, 1, 1));
        });
    }
}
