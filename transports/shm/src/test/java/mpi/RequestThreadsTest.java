package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.spi.Provider;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What threads find that use a request while another thread waits for it. */
class RequestThreadsTest {
    private static final int TAG = 7;

    /** The calls that wait, for a request in second place of an array. */
    private enum Wait {
        ONE(all -> {
            all[1].waitFor();
            return null;
        }),
        ONE_STATUS(all -> all[1].Wait()),
        ALL(all -> {
            Request.waitAll(all);
            return null;
        }),
        ALL_STATUS(all -> Request.Waitall(all)[1]),
        ANY(all -> {
            assertEquals(1, Request.waitAny(all));
            return null;
        }),
        ANY_STATUS(Request::Waitany),
        SOME(all -> {
            assertArrayEquals(new int[] {1}, Request.waitSome(all));
            return null;
        }),
        SOME_STATUS(all -> Request.Waitsome(all)[0]);

        /** Its status; null for a call that returns none. */
        interface Call {
            Status on(Request[] all) throws Exception;
        }

        final Call call;

        Wait(Call call) {
            this.call = call;
        }
    }

    private interface Program {
        void run(Intracomm world) throws Exception;
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
        JobState.pretend((Provider) null);
    }

    private static void among(int ranks, Program program) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, lower) -> {
            if (lower.rank() == 0) {
                JobState.pretend(provider);
            }
            program.run(new Intracomm(Handle.of(lower)));
        });
    }

    /** A thread that makes a call which waits. On return it sleeps between its looks, or until another thread's end. */
    private static <T> FutureTask<T> waiting(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "waits");
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            assertFalse(task.isDone(), "the call has not waited");
            Thread.onSpinWait();
        }
        return task;
    }

    /** What the call has returned; fails if it goes on waiting. */
    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(60, TimeUnit.SECONDS);
    }

    private static void isActive(Request request) {
        Request[] all = {null, request};
        assertFalse(request.isNull());
        assertNull(request.getStatus());
        assertFalse(request.test());
        assertNull(request.testStatus());
        assertFalse(Request.testAll(all));
        assertNull(Request.testAllStatus(all));
        assertEquals(MPI.UNDEFINED, Request.testAny(all));
        assertNull(Request.testAnyStatus(all));
        assertEquals(0, Request.testSome(all).length);
        assertEquals(0, Request.testSomeStatus(all).length);
        if (request instanceof Prequest persistent) {
            assertEquals(MPI.ERR_REQUEST, assertThrows(MPIException.class, persistent::start).getErrorClass());
        }
    }

    private static Request started(Prequest persistent) {
        persistent.start();
        return persistent;
    }

    /** Receives that wait for any sender, of each kind. */
    private static Request[] receives(Intracomm comm) {
        return new Request[] {comm.iRecv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, TAG),
            comm.iRecv(new Object[1], 1, MPI.OBJECT, MPI.ANY_SOURCE, TAG),
            started(comm.recvInit(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, TAG)),
            started(comm.recvInit(new Object[1], 1, MPI.OBJECT, MPI.ANY_SOURCE, TAG))};
    }

    @ParameterizedTest
    @EnumSource(Wait.class)
    void aRequestStaysActiveWhileAThreadWaitsAndACancelEndsTheWait(Wait wait) throws Exception {
        among(1, comm -> {
            for (Request request : receives(comm)) {
                FutureTask<Status> waiter = waiting(() -> wait.call.on(new Request[] {MPI.REQUEST_NULL, request}));
                isActive(request);
                request.cancel();
                Status status = result(waiter);
                assertTrue(status == null || status.isCancelled());
                assertEquals(!(request instanceof Prequest), request.isNull());
                assertTrue(request.test());
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Wait.class)
    void aFreedRequestIsNullAtOnceAndTheWaitEndsWithTheOperation(Wait wait) throws Exception {
        among(1, comm -> {
            for (int kind = 0; kind < 2; kind++) {
                int[] in = new int[1];
                Request request = kind == 0 ? comm.iRecv(in, 1, MPI.INT, 0, TAG)
                    : started(comm.recvInit(in, 1, MPI.INT, 0, TAG));
                FutureTask<Status> waiter = waiting(() -> wait.call.on(new Request[] {null, request}));
                request.free();
                assertTrue(request.isNull());
                assertTrue(request.test());
                assertFalse(waiter.isDone());
                comm.send(new int[] {41 + kind}, 1, MPI.INT, 0, TAG);
                result(waiter);
                assertEquals(41 + kind, in[0]);
            }
        });
    }

    @Test
    void allThreadsThatWaitForARequestReturn() throws Exception {
        among(1, comm -> {
            Object[] in = new Object[1];
            Prequest request = comm.recvInit(in, 1, MPI.OBJECT, 0, TAG);
            for (int start = 0; start < 3; start++) {
                String word = "start " + start;
                request.start();
                FutureTask<Status> one = waiting(request::Wait);
                FutureTask<Status> other = waiting(request::Wait);
                comm.send(new Object[] {word}, 1, MPI.OBJECT, 0, TAG);
                assertEquals(1, result(one).getCount(MPI.OBJECT));
                assertEquals(1, result(other).getCount(MPI.OBJECT));
                assertEquals(word, in[0]);
            }
        });
    }

    /** A call that waits for rank 1, which makes its part once rank 0 has looked at the request. */
    private interface Part {
        /** What both ranks do first; returns what begins the call. */
        Callable<Request> prepare(Intracomm comm, int[] in) throws Exception;
    }

    private static void rank1ComesLate(Part part) throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        among(2, comm -> {
            int[] in = new int[1];
            Callable<Request> call = part.prepare(comm, in);
            if (comm.getRank() == 1) {
                looked.await();
                call.call().waitFor();
            } else {
                Request request = call.call();
                FutureTask<Status> waiter = waiting(request::Wait);
                isActive(request);
                request.cancel(); // this does nothing
                FutureTask<Status> second = waiting(request::Wait);
                isActive(request);
                looked.countDown();
                assertFalse(result(waiter).isCancelled());
                result(second);
                assertTrue(request.test());
            }
            assertEquals(3, in[0]);
        });
    }

    @Test
    void aNonblockingCollectiveIsActiveUntilAllRanksHaveCome() throws Exception {
        rank1ComesLate((comm, in) -> () -> comm.iAllReduce(new int[] {comm.getRank() + 1}, in, 1, MPI.INT, MPI.SUM));
    }

    /** Both by straight-line code and by a schedule. */
    @Test
    void aPersistentCollectiveIsActiveUntilAllRanksHaveCome() throws Exception {
        rank1ComesLate((comm, in) -> {
            Prequest sum = comm.allReduceInit(new int[] {comm.getRank() + 1}, in, 1, MPI.INT, MPI.SUM, null);
            return () -> started(sum);
        });
        rank1ComesLate((comm, in) -> {
            int[] all = new int[2];
            in[0] = 3;
            Prequest gather = comm.allGatherInit(new int[] {5}, 1, MPI.INT, all, 1, MPI.INT, null);
            return () -> started(gather);
        });
    }

    @Test
    void aCollectiveBetweenTwoGroupsIsActiveUntilTheOtherGroupHasCome() throws Exception {
        rank1ComesLate((comm, in) -> {
            Intracomm own = comm.split(comm.getRank(), 0);
            Intercomm inter = comm.createIntercomm(own, 0, 1 - comm.getRank(), TAG);
            in[0] = 3;
            return inter::iBarrier;
        });
    }

    @Test
    void aMessageInPartitionsIsActiveUntilAllAreReady() throws Exception {
        rank1ComesLate((comm, in) -> {
            if (comm.getRank() == 1) {
                in[0] = 3;
                PartitionedRequest send = comm.pSendInit(in, 1, 1, MPI.INT, 0, TAG, null);
                return () -> {
                    send.start();
                    send.pReady(0);
                    return send;
                };
            }
            PartitionedRequest receive = comm.pRecvInit(in, 1, 1, MPI.INT, 1, TAG, null);
            return () -> started(receive);
        });
    }
}
