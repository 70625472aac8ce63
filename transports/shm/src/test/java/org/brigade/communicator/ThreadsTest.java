package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MPI_THREAD_MULTIPLE: several threads of a rank call at once. */
class ThreadsTest {
    /** Those that read shared memory, and those that send. */
    private static final Collective[] FIRST_CALLS = {Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BARRIER,
        Collective.ALLTOALL, Collective.BCAST, Collective.REDUCE_SCATTER};

    private interface Work {
        void run(int thread) throws Exception;
    }

    /** Runs it in so many threads of the calling rank, and throws the first failure. */
    private static void inThreads(int count, Work work) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    work.run(number);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }, Thread.currentThread().getName() + ", thread " + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        for (Thread thread : threads) {
            while (thread.isAlive() && failure.get() == null) {
                thread.join(10);
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void threadsOnCommunicatorsOfTheirOwnDoNotDisturbOneAnother(Jobs kind) throws Exception {
        int threads = 3;
        ThreadJob.run(kind.endpoints(3, 2), (provider, world) -> {
            Communicator[] comms = new Communicator[threads];
            for (int i = 0; i < threads; i++) {
                comms[i] = world.duplicate();
            }
            inThreads(threads, thread -> {
                Communicator comm = comms[thread];
                int n = comm.size();
                for (int round = 0; round < 3; round++) {
                    for (Collective collective : Collective.values()) {
                        int count = new int[] {1, 12, 2000}[(round + thread) % 3];
                        new CollectiveTrial(comm, (round + thread) % n, count, false, false, round != 1, false)
                            .run(collective);
                    }
                    int bytes = new int[] {8, 30_000, 100_000}[(round + thread) % 3];
                    Operation sent = comm.isend(Payloads.of(thread, bytes), 0, bytes, BYTE, (comm.rank() + 1) % n, 4,
                        SendMode.STANDARD);
                    byte[] in = new byte[bytes];
                    comm.recv(in, 0, bytes, BYTE, -1, -1, new Envelope());
                    sent.await();
                    Payloads.check("thread " + thread, thread, bytes, in);
                }
            });
        });
    }

    /**
     * First calls on communicators that threads make, use and free, all at once. More communicators are in use than a
     * rank has slots.
     */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void firstCallsOnCommunicatorsThatThreadsMakeAtOnceAreRight(Jobs kind) throws Exception {
        int threads = 6;
        ThreadJob.run(kind.endpoints(4, 3), (provider, world) -> {
            Communicator[] parents = new Communicator[threads];
            for (int i = 0; i < threads; i++) {
                parents[i] = world.duplicate();
            }
            CyclicBarrier together = new CyclicBarrier(threads);
            inThreads(threads, thread -> {
                Communicator parent = parents[thread];
                int[] some = {3, 0, 2};
                for (int round = 0; round < 6; round++) {
                    Communicator[] made = {parent.duplicate(), parent.split(0, -parent.rank()), parent.create(some)};
                    together.await(20, TimeUnit.SECONDS);
                    for (int i = 0; i < made.length; i++) {
                        Communicator comm = made[(i + thread) % made.length];
                        for (int call = 0; comm != null && call < FIRST_CALLS.length; call++) {
                            Collective collective = FIRST_CALLS[(call + thread + round) % FIRST_CALLS.length];
                            int count = new int[] {2, 100, 20_000}[(round + thread) % 3];
                            new CollectiveTrial(comm, (round + thread) % comm.size(), count, false, false, call != 2,
                                false).run(collective);
                        }
                    }
                    for (Communicator comm : made) {
                        if (comm != null) {
                            comm.free();
                        }
                    }
                }
            });
        });
    }

    /** Receives in two threads of messages that arrive in pieces: neither may touch the other's buffer. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void threadsMayReceiveOnOneCommunicatorAtOnce(Jobs kind) throws Exception {
        int messages = 60;
        int bytes = 32 << 10;
        ThreadJob.run(kind.endpoints(4, 5), (provider, world) -> {
            if (world.rank() > 0) {
                for (int i = 0; i < messages; i++) {
                    world.send(Payloads.of(world.rank() * 1000 + i, bytes), 0, bytes, BYTE, 0, 1, SendMode.STANDARD);
                }
                return;
            }
            inThreads(3, thread -> {
                for (int i = 0; i < messages; i++) {
                    byte[] in = new byte[bytes];
                    Envelope envelope = new Envelope();
                    world.recv(in, 0, bytes, BYTE, thread + 1, 1, envelope);
                    assertEquals(bytes, envelope.bytes());
                    assertEquals(thread + 1, envelope.source);
                    Payloads.check("message " + i + " from rank " + (thread + 1), (thread + 1) * 1000L + i, bytes, in);
                }
            });
        });
    }

    /** Both where tiny messages go as packets and where a schedule runs. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5000})
    void anOperationThatCallsMpiIsAnErrorAndTheCommunicatorGoesOn(int count) throws Exception {
        for (Jobs kind : Jobs.values()) {
            ThreadJob.run(kind.endpoints(2, 1), (provider, world) -> {
                Reduction calls = Reduction.user((in, inAt, inout, inoutAt, items) -> calls(world).barrier(true), true);
                for (int round = 0; round < 3; round++) {
                    // With packets both ranks combine; in a reduction to rank 0 only that one does, and tells the
                    // other.
                    Runnable reduce = () -> {
                        if (count == 1) {
                            calls(world).allreduce(new int[count], 0, new int[count], 0, count, INT, calls, true);
                        } else {
                            calls(world).reduce(new int[count], 0, new int[count], 0, count, INT, calls, 0, true);
                        }
                    };
                    MPIException thrown = assertThrows(MPIException.class, reduce::run);
                    assertTrue(thrown.getMessage().contains("from within a user-defined operation"),
                        thrown.getMessage());
                    new CollectiveTrial(world, 0, count, false, false, true, false).run(Collective.ALLREDUCE);
                    new CollectiveTrial(world, 0, count, false, false, false, false).run(Collective.ALLTOALL);
                    new CollectiveTrial(world, 0, count, false, false, true, false).run(Collective.BARRIER);
                }
            });
        }
    }
}
