package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** When a message object is null, holds a message, or holds the one from nobody. */
class MessageTest {
    private final Intracomm comm = FakeProvider.intracomm(2, 4);
    private final int[] data = new int[8];

    @BeforeEach
    void join() {
        FakeProvider.run();
        FakeProvider.last.clear();
    }

    private static void fails(int errorClass, String words, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(errorClass, thrown.getErrorClass(), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
    }

    @Test
    void aProbeFillsItAndAReceiveEmptiesIt() {
        Message message = new Message();
        assertTrue(message.isNull());
        Status status = message.imProbe(MPI.ANY_SOURCE, 7, comm);
        assertEquals(Arrays.asList("improbe", MPI.ANY_SOURCE, 7), FakeProvider.last);
        assertEquals(2, status.getCount(MPI.INT));
        assertFalse(message.isNull() || message.isNoProc());
        message.mRecv(data, 2, MPI.INT);
        assertEquals(Arrays.asList("receive", data, 0L, 2, MPI.INT.items.layout()), FakeProvider.last);
        assertTrue(message.isNull());
        message.mProbe(1, 7, comm);
        assertFalse(message.isNull());
        assertTrue(message.imRecv(MPI.newIntBuffer(2), 2, MPI.INT).test());
        assertTrue(message.isNull());
    }

    @Test
    void theMessageFromNobodyHasNoItems() {
        Message message = new Message();
        assertEquals(MPI.PROC_NULL, message.mProbe(MPI.PROC_NULL, 0, comm).getSource());
        assertTrue(message.isNoProc());
        assertFalse(message.isNull());
        Status status = message.mRecv(null, 5, MPI.INT);
        assertEquals(MPI.PROC_NULL, status.getSource());
        assertEquals(MPI.ANY_TAG, status.getTag());
        assertEquals(0, status.getCount(MPI.INT));
        assertTrue(message.isNull());
        assertEquals(MPI.PROC_NULL, message.imProbe(MPI.PROC_NULL, 0, comm).getSource());
        assertEquals(MPI.PROC_NULL, message.imRecv(data, 1, MPI.INT).waitStatus().getSource());
        assertTrue(FakeProvider.last.isEmpty());
    }

    @Test
    void wrongArgumentsAreRefusedAndLoseNothing() {
        Message message = new Message();
        fails(MPI.ERR_REQUEST, "holds no message", () -> message.mRecv(data, 1, MPI.INT));
        fails(MPI.ERR_REQUEST, "Message.imRecv", () -> message.imRecv(data, 1, MPI.INT));
        fails(MPI.ERR_COMM, "is null", () -> message.mProbe(0, 0, null));
        fails(MPI.ERR_RANK, "Message.imProbe on rank 2 of 4", () -> message.imProbe(4, 0, comm));
        fails(MPI.ERR_TAG, "tag -5", () -> message.mProbe(0, -5, comm));
        message.mProbe(1, 7, comm);
        fails(MPI.ERR_REQUEST, "has not been received", () -> message.imProbe(1, 7, comm));
        fails(MPI.ERR_COUNT, "Message.mRecv", () -> message.mRecv(data, 9, MPI.INT));
        assertFalse(message.isNull());
        message.mRecv(data, 2, MPI.INT);
        assertTrue(message.isNull());
    }
}
