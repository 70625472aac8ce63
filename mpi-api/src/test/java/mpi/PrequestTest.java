package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import mpi.front.requests.PersistentState;
import mpi.spi.Collective;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** When persistent requests are inactive, active and null, and what they hand down. */
class PrequestTest {
    private final Intracomm comm = FakeProvider.intracomm(2, 4);
    private final int[] data = new int[8];

    @BeforeEach
    void join() {
        FakeProvider.run();
        FakeProvider.last.clear();
    }

    private static void handedDown(Object... expected) {
        assertEquals(Arrays.asList(expected), FakeProvider.last);
    }

    private static void fails(int errorClass, String words, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(errorClass, thrown.getErrorClass(), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
    }

    private static void isEmpty(Status status) {
        assertEquals(MPI.ANY_SOURCE, status.getSource());
        assertEquals(MPI.ANY_TAG, status.getTag());
        assertEquals(0, status.getCount(MPI.BYTE));
        assertFalse(status.isCancelled());
    }

    @Test
    void theArgumentsArriveOnceAndAStartHasNone() {
        IntBuffer buffer = MPI.newIntBuffer(8);
        comm.sendInit(buffer, 4, MPI.INT, 1, 5);
        handedDown("sendInit", buffer, 0L, 4, MPI.INT.items.layout(), 1, 5, SendMode.STANDARD);
        comm.bSendInit(buffer, 4, MPI.INT, 1, 5);
        handedDown("sendInit", buffer, 0L, 4, MPI.INT.items.layout(), 1, 5, SendMode.BUFFERED);
        comm.sSendInit(data, 4, MPI.INT, 1, 5);
        handedDown("sendInit", data, 0L, 4, MPI.INT.items.layout(), 1, 5, SendMode.SYNCHRONOUS);
        comm.Rsend_init(data, 3, 4, MPI.INT, 1, 5);
        handedDown("sendInit", data, 12L, 4, MPI.INT.items.layout(), 1, 5, SendMode.READY);
        Prequest receive = comm.Recv_init(data, 2, 4, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        handedDown("recvInit", data, 8L, 4, MPI.INT.items.layout(), MPI.ANY_SOURCE, MPI.ANY_TAG, "Recv_init");
        receive.Start();
        handedDown("started");
        receive.Wait();
        receive.free();
        handedDown("freed");
    }

    @Test
    void wrongArgumentsAreRefusedWhenTheRequestIsMade() {
        fails(MPI.ERR_COUNT, "sendInit on rank 2 of 4", () -> comm.sendInit(data, 9, MPI.INT, 1, 0));
        fails(MPI.ERR_RANK, "Recv_init", () -> comm.Recv_init(data, 0, 1, MPI.INT, 4, 0));
        fails(MPI.ERR_TAG, "recvInit", () -> comm.recvInit(data, 1, MPI.INT, 0, -7));
        fails(MPI.ERR_ROOT, "bcastInit", () -> comm.bcastInit(data, 1, MPI.INT, 4, null));
        fails(MPI.ERR_OP, "Allreduce_init", () -> comm.Allreduce_init(data, 0, data, 0, 1, MPI.INT, null, null));
    }

    @Test
    void aCompletedOneIsInactiveNotNullAndCanStartAgain() {
        Prequest request = comm.recvInit(data, 4, MPI.INT, 1, 5);
        for (int start = 0; start < 3; start++) {
            assertFalse(request.isNull());
            request.start();
            assertFalse(request.Is_null());
            request.waitFor();
        }
        assertFalse(request.isNull());
        request.free();
        assertTrue(request.isNull());
        request.free();
        assertTrue(request.test());
    }

    @Test
    void everyWaitAndTestFindsAnInactiveOneCompleteAndEmpty() {
        Prequest request = comm.recvInit(data, 4, MPI.INT, 1, 5);
        request.waitFor();
        assertTrue(request.test());
        isEmpty(request.waitStatus());
        isEmpty(request.testStatus());
        isEmpty(request.getStatus());
        request.cancel();
        Request[] idle = {request, null, MPI.REQUEST_NULL};
        Request.waitAll(idle);
        assertTrue(Request.testAll(idle));
        for (Status[] statuses : new Status[][] {Request.waitAllStatus(idle), Request.testAllStatus(idle)}) {
            Arrays.asList(statuses).forEach(PrequestTest::isEmpty);
        }
        assertEquals(MPI.UNDEFINED, Request.waitAny(idle));
        assertEquals(MPI.UNDEFINED, Request.testAny(idle));
        assertEquals(MPI.UNDEFINED, Request.Waitany(idle).getIndex());
        assertEquals(MPI.UNDEFINED, Request.Testany(idle).getIndex());
        assertNull(Request.waitSome(idle));
        assertNull(Request.testSome(idle));
        assertNull(Request.waitSomeStatus(idle));
        assertNull(Request.testSomeStatus(idle));
        assertFalse(request.isNull());
    }

    @Test
    void activeOnesAmongOthersAreFoundAndBecomeInactive() {
        Prequest idle = comm.sendInit(data, 4, MPI.INT, 1, 5);
        Prequest[] two = {comm.sendInit(data, 4, MPI.INT, 1, 5), comm.recvInit(data, 4, MPI.INT, MPI.PROC_NULL, 5)};
        Request[] mixed = {null, idle, two[0], two[1], MPI.REQUEST_NULL};
        Prequest.startAll(two);
        assertEquals(2, Request.waitAny(mixed));
        assertEquals(MPI.PROC_NULL, Request.waitAnyStatus(mixed).getSource());
        Prequest.Startall(two);
        assertArrayEquals(new int[] {2, 3}, Request.waitSome(mixed));
        Prequest.startAll(two);
        Status[] statuses = Request.waitAllStatus(mixed);
        assertEquals(MPI.PROC_NULL, statuses[3].getSource());
        isEmpty(statuses[1]);
        assertNull(Request.testSome(mixed));
    }

    @Test
    void onlyAnInactiveOneCanStart() {
        Prequest request = comm.sendInit(data, 4, MPI.INT, 1, 5);
        request.start();
        fails(MPI.ERR_REQUEST, "start on rank 2 of 4 in TEST: the persistent request is active", request::start);
        request.waitFor();
        request.start();
        request.free();
        fails(MPI.ERR_REQUEST, "has been freed", request::start);
    }

    @Test
    void startAllStartsAllOrNone() {
        Prequest good = comm.sendInit(data, 4, MPI.INT, 1, 5);
        Prequest active = comm.sendInit(data, 4, MPI.INT, 1, 5);
        active.start();
        FakeProvider.last.clear();
        fails(MPI.ERR_REQUEST, "active", () -> Prequest.startAll(new Prequest[] {good, active}));
        fails(MPI.ERR_REQUEST, "request 1 is null", () -> Prequest.startAll(new Prequest[] {good, null}));
        fails(MPI.ERR_REQUEST, "array", () -> Prequest.Startall(null));
        assertEquals(List.of(), FakeProvider.last);
        assertTrue(good.test());
        Prequest.startAll(new Prequest[0]);
        fails(MPI.ERR_REQUEST, "active", () -> Prequest.startAll(new Prequest[] {good, good}));
    }

    @Test
    void communicationWithNobodyStartsAndEndsAtOnce() {
        Prequest send = comm.Send_init(null, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        Prequest receive = comm.recvInit((Object) null, 1, MPI.INT, MPI.PROC_NULL, 0);
        assertTrue(FakeProvider.last.isEmpty());
        isEmpty(receive.testStatus());
        for (int start = 0; start < 2; start++) {
            Prequest.startAll(new Prequest[] {send, receive});
            isEmpty(send.waitStatus());
            assertEquals(MPI.PROC_NULL, receive.testStatus().getSource());
        }
    }

    @Test
    void everyPersistentCollectivePreparesItsCollective() {
        int[] counts = {1, 1, 1, 1};
        int[] displs = {0, 1, 2, 3};
        int[] more = new int[8];
        Datatype[] types = {MPI.INT, MPI.INT, MPI.INT, MPI.INT};
        comm.barrierInit(null);
        prepared(Collective.BARRIER);
        comm.bcastInit(data, 4, MPI.INT, 1, MPI.INFO_NULL);
        prepared(Collective.BCAST);
        comm.Gather_init(data, 1, 1, MPI.INT, more, 0, 1, MPI.INT, 2, null);
        prepared(Collective.GATHER);
        assertEquals(4, FakeProvider.started.sendOffset());
        comm.gathervInit(data, 1, MPI.INT, more, counts, displs, MPI.INT, 2, null);
        prepared(Collective.GATHERV);
        comm.scatterInit(data, 1, MPI.INT, 2, null);
        prepared(Collective.SCATTER);
        assertTrue(FakeProvider.started.inPlace());
        comm.Scatterv_init(data, 0, counts, displs, MPI.INT, more, 0, 1, MPI.INT, 2, null);
        prepared(Collective.SCATTERV);
        comm.allGatherInit(data, 1, MPI.INT, more, 1, MPI.INT, null);
        prepared(Collective.ALLGATHER);
        comm.allGathervInit(data, counts, displs, MPI.INT, null);
        prepared(Collective.ALLGATHERV);
        comm.Alltoall_init(data, 0, 1, MPI.INT, more, 0, 1, MPI.INT, null);
        prepared(Collective.ALLTOALL);
        comm.allToAllvInit(data, counts, displs, MPI.INT, more, counts, displs, MPI.INT, null);
        prepared(Collective.ALLTOALLV);
        comm.allToAllwInit(data, counts, displs, types, more, counts, displs, types, null);
        prepared(Collective.ALLTOALLV);
        comm.reduceInit(data, more, 4, MPI.INT, MPI.SUM, 2, null);
        prepared(Collective.REDUCE);
        assertSame(MPI.INT.items.layout(), FakeProvider.started.type());
        comm.Allreduce_init(data, 0, more, 4, 4, MPI.INT, MPI.SUM, null);
        prepared(Collective.ALLREDUCE);
        assertEquals(16, FakeProvider.started.recvOffset());
        comm.reduceScatterInit(data, more, counts, MPI.INT, MPI.SUM, null);
        prepared(Collective.REDUCE_SCATTER);
        comm.reduceScatterBlockInit(data, 1, MPI.INT, MPI.SUM, null);
        prepared(Collective.REDUCE_SCATTER);
        comm.Scan_init(data, 0, more, 0, 4, MPI.INT, MPI.SUM, null);
        prepared(Collective.SCAN);
        comm.exScanInit(data, 4, MPI.INT, MPI.SUM, null);
        prepared(Collective.EXSCAN);
    }

    private static void prepared(Collective collective) {
        assertEquals(collective, FakeProvider.started.collective());
        assertFalse(FakeProvider.started.blocking());
    }

    /** What another thread may do at any moment is done here within the wait. */
    @Test
    void aWaitThatReturnsLateLeavesTheNextStartActive() {
        PersistentOperation operation = FakeProvider.persistent(() -> {
            Prequest mine = late[0];
            late[0] = null;
            if (mine != null) {
                assertTrue(mine.test());
                mine.start();
            }
        });
        Prequest request = new Prequest(new PersistentState(comm.handle, operation, null, 0));
        late[0] = request;
        request.start();
        request.waitFor();
        assertTrue(request.state.isActive());
        fails(MPI.ERR_REQUEST, "active", request::start);
        request.waitFor();
        assertFalse(request.state.isActive());
    }

    private final Prequest[] late = new Prequest[1];
}
