package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every wrong argument is an error of the right class that names the call, the rank, the argument and the cure. */
class ArgumentTest {
    private final Intracomm comm = FakeProvider.intracomm(2, 4);

    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    @AfterEach
    void backInTheJob() {
        JobState.pretend(JobState.RUNNING);
    }

    private static void fails(int errorClass, String name, String call, String what, Executable code) {
        MPIException e = assertThrows(MPIException.class, code);
        assertEquals("MPI_ERR_" + name + ": " + call + " on rank 2 of 4 in TEST: " + what, e.getMessage());
        assertEquals(errorClass, e.getErrorClass());
        assertEquals(errorClass, e.getErrorCode());
    }

    private static void failsOutside(int errorClass, String message, Executable code) {
        MPIException e = assertThrows(MPIException.class, code);
        assertEquals(message, e.getMessage());
        assertEquals(errorClass, e.getErrorClass());
    }

    @Test
    void theCommunicatorHearsOfWhatThrowsBeforeItBegins() {
        SilentCommunicator lower = new SilentCommunicator();
        Intracomm silent = new Intracomm(Handle.of(lower));
        assertThrows(MPIException.class, () -> silent.send(new int[1], 1, MPI.INT, 99, 0));
        assertEquals("send", lower.threw);
        assertThrows(MPIException.class, () -> silent.bcast(new int[1], 1, MPI.INT, 99));
        assertEquals("bcast", lower.threw);
    }

    @Test
    void aShortArraySaysHowManyFit() {
        fails(MPI.ERR_COUNT, "COUNT", "allReduce",
            "count 1024 of MPI.DOUBLE needs 8192 bytes, but recvbuf is a double[1000]; pass count <= 1000 or a longer"
                + " array",
            () -> comm.allReduce(new double[1024], new double[1000], 1024, MPI.DOUBLE, MPI.SUM));
        fails(MPI.ERR_COUNT, "COUNT", "Send",
            "count 5 of MPI.INT2 from offset 3 needs 40 bytes, but buf is an int[10]; pass count <= 3 or a longer"
                + " array",
            () -> comm.Send(new int[10], 3, 5, MPI.INT2, 1, 0));
        fails(MPI.ERR_COUNT, "COUNT", "gather",
            "count 3 of MPI.INT for each of 4 blocks needs 48 bytes, but recvbuf is an int[11]; pass count <= 2 or a"
                + " longer array",
            () -> comm.gather(new int[3], 3, MPI.INT, new int[11], 3, MPI.INT, 2));
        fails(MPI.ERR_COUNT, "COUNT", "iSend",
            "count 3 of MPI.LONG needs 24 bytes, but buf is an IntBuffer of capacity 5; pass count <= 2 or a longer"
                + " buffer",
            () -> comm.iSend(MPI.newIntBuffer(5), 3, MPI.LONG, 1, 0));
    }

    @Test
    void countsThatOverflowAnIntAreStillTooMany() {
        fails(MPI.ERR_COUNT, "COUNT", "bcast",
            "count 2147483647 of MPI.LONG needs 17179869176 bytes, but buf is a long[1]; pass count <= 1 or a longer"
                + " array",
            () -> comm.bcast(new long[1], Integer.MAX_VALUE, MPI.LONG, 0));
    }

    @Test
    void anOffsetOutsideTheBufferIsABufferError() {
        fails(MPI.ERR_BUFFER, "BUFFER", "Bcast", "offset 11 lies behind the end: buf is a byte[10]; pass offset <= 10",
            () -> comm.Bcast(new byte[10], 11, 0, MPI.BYTE, 0));
        fails(MPI.ERR_BUFFER, "BUFFER", "Bcast", "offset -1 of buf is negative; pass 0 or more elements",
            () -> comm.Bcast(new byte[10], -1, 1, MPI.BYTE, 0));
    }

    @Test
    void aNegativeCountIsACountError() {
        fails(MPI.ERR_COUNT, "COUNT", "send", "count -1 is negative; pass 0 or more items of MPI.INT",
            () -> comm.send(new int[1], -1, MPI.INT, 0, 0));
        fails(MPI.ERR_COUNT, "COUNT", "gatherv", "count -2 of rank 1 in recvbuf is negative; pass 0 or more",
            () -> comm.gatherv(new int[1], 1, MPI.INT, new int[9], new int[] {1, -2, 1, 1}, new int[4], MPI.INT, 2));
    }

    @Test
    void aNullBufferIsForNoItemsOnly() {
        fails(MPI.ERR_BUFFER, "BUFFER", "recv",
            "buf is null, and null is for no items only; pass an int[] or an NIO buffer for MPI.INT",
            () -> comm.recv(null, 1, MPI.INT, 0, 0));
        comm.send(null, 0, MPI.INT, 0, 0);
        assertEquals(0, ((int[]) FakeProvider.last.get(1)).length);
    }

    @Test
    void whatIsNoArrayOfNumbersIsATypeError() {
        fails(MPI.ERR_TYPE, "TYPE", "send",
            "buf is an Object[4], but MPI.DOUBLE lies in a double[] or an NIO buffer; pass such a buffer",
            () -> comm.send(new Object[4], 1, MPI.DOUBLE, 0, 0));
        fails(MPI.ERR_TYPE, "TYPE", "send",
            "buf is a java.lang.String, but MPI.BYTE lies in a byte[] or an NIO buffer; pass such a buffer",
            () -> comm.send("text", 1, MPI.BYTE, 0, 0));
        fails(MPI.ERR_TYPE, "TYPE", "send", "the type is null; pass a type such as MPI.INT",
            () -> comm.send(new int[4], 1, null, 0, 0));
        fails(MPI.ERR_TYPE, "TYPE", "send", "the type is MPI.DATATYPE_NULL; pass a type such as MPI.INT",
            () -> comm.send(new int[4], 1, MPI.DATATYPE_NULL, 0, 0));
    }

    @Test
    void aReadOnlyBufferCanBeSentButNotReceivedInto() {
        ByteBuffer readOnly = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        comm.send(readOnly, 8, MPI.BYTE, 0, 0);
        fails(MPI.ERR_BUFFER, "BUFFER", "recv",
            "buf is a read-only ByteBuffer of capacity 8; pass one that can be written to",
            () -> comm.recv(readOnly, 8, MPI.BYTE, 0, 0));
        fails(MPI.ERR_BUFFER, "BUFFER", "iBcast",
            "buf is a read-only ByteBuffer of capacity 8; pass one that can be written to",
            () -> comm.iBcast(readOnly, 8, MPI.BYTE, 0));
    }

    @Test
    void aHeapBufferWithoutItsArrayIsABufferError() {
        IntBuffer view = ByteBuffer.allocate(8).asIntBuffer();
        fails(MPI.ERR_BUFFER, "BUFFER", "iSend",
            "buf is an IntBuffer of capacity 2 that is neither direct nor gives access to its array; "
                + "pass a direct buffer (MPI.newByteBuffer) or an array",
            () -> comm.iSend(view, 1, MPI.INT, 0, 0));
    }

    @Test
    void ranksAndTagsOutOfRangeAreErrors() {
        fails(MPI.ERR_ROOT, "ROOT", "bcast", "root 4 is not a rank; pass 0 <= root < 4",
            () -> comm.bcast(new int[1], 1, MPI.INT, 4));
        fails(MPI.ERR_ROOT, "ROOT", "iReduce", "root -1 is not a rank; pass 0 <= root < 4",
            () -> comm.iReduce(MPI.newIntBuffer(1), 1, MPI.INT, MPI.SUM, -1));
        fails(MPI.ERR_RANK, "RANK", "send", "destination 4 is not a rank; pass 0 <= dest < 4 or MPI.PROC_NULL",
            () -> comm.send(new int[1], 1, MPI.INT, 4, 0));
        fails(MPI.ERR_RANK, "RANK", "send", "destination -1 is not a rank; pass 0 <= dest < 4 or MPI.PROC_NULL",
            () -> comm.send(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 0));
        fails(MPI.ERR_RANK, "RANK", "Recv",
            "source 9 is not a rank; pass 0 <= source < 4, MPI.ANY_SOURCE or MPI.PROC_NULL",
            () -> comm.Recv(new int[1], 0, 1, MPI.INT, 9, 0));
        fails(MPI.ERR_TAG, "TAG", "send",
            "tag -1 is negative; pass 0 <= tag <= 2147483647 (MPI.ANY_TAG is for receiving)",
            () -> comm.send(new int[1], 1, MPI.INT, 0, MPI.ANY_TAG));
        fails(MPI.ERR_TAG, "TAG", "probe", "tag -7 is negative; pass 0 <= tag <= 2147483647 or MPI.ANY_TAG",
            () -> comm.probe(0, -7));
    }

    @Test
    void anOperationThatIsNotDefinedOnTheTypeIsAnOpError() {
        fails(MPI.ERR_OP, "OP", "allReduce", "MPI.BAND is not defined on MPI.FLOAT; "
            + "pass MAX, MIN, SUM, PROD or AVG (MINLOC and MAXLOC are for pairs such as MPI.DOUBLE2), or an Op of your own",
            () -> comm.allReduce(new float[1], 1, MPI.FLOAT, MPI.BAND));
        fails(MPI.ERR_OP, "OP", "Scan",
            "MPI.MAXLOC is not defined on MPI.BOOLEAN; pass MAX, MIN, SUM, PROD, a logical or a bitwise operation, or"
                + " an Op of your own",
            () -> comm.Scan(new boolean[1], 0, new boolean[1], 0, 1, MPI.BOOLEAN, MPI.MAXLOC));
        fails(MPI.ERR_OP, "OP", "reduce", "the operation is null; pass one such as MPI.SUM",
            () -> comm.reduce(new int[1], 1, MPI.INT, null, 0));
        Op freed = new Op(new UserFunction() {}, true);
        freed.free();
        fails(MPI.ERR_OP, "OP", "reduce", "the operation has been freed; free it after its last use",
            () -> comm.reduce(new int[1], 1, MPI.INT, freed, 0));
        failsOutside(MPI.ERR_OP,
            "MPI_ERR_OP: Op.free: MPI.SUM is predefined and cannot be freed; free only operations made with new Op",
            MPI.SUM::free);
    }

    @Test
    void aReductionInForeignByteOrderNamesTheCure() {
        ByteOrder foreign =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        DoubleBuffer doubles = ByteBuffer.allocateDirect(8).order(foreign).asDoubleBuffer();
        fails(MPI.ERR_BUFFER, "BUFFER", "allReduce", "recvbuf is a DoubleBuffer of capacity 1 in foreign byte order ("
            + foreign
            + "), whose numbers cannot be reduced; make it with order(ByteOrder.nativeOrder()), or MPI.newByteBuffer",
            () -> comm.allReduce(doubles, 1, MPI.DOUBLE, MPI.SUM));
        // Data that is only moved, or has no byte order, is welcome.
        comm.bcast(doubles, 1, MPI.DOUBLE, 0);
        comm.allReduce(ByteBuffer.allocateDirect(8).order(foreign), 8, MPI.BYTE, MPI.BOR);
    }

    @Test
    void blocksOutsideTheBufferNameTheRank() {
        fails(MPI.ERR_COUNT, "COUNT", "allGatherv",
            "the block of rank 3, count 2 of MPI.INT at displacement 9, lies outside recvbuf, an int[10]; "
                + "keep 0 <= displacement and displacement + count <= 10",
            () -> comm.allGatherv(new int[10], new int[] {1, 1, 1, 2}, new int[] {0, 1, 2, 9}, MPI.INT));
        fails(MPI.ERR_ARG, "ARG", "allGatherv", "the counts of recvbuf are 3; pass one for each of 4 ranks",
            () -> comm.allGatherv(new int[10], new int[3], new int[4], MPI.INT));
        fails(MPI.ERR_ARG, "ARG", "allGatherv", "the displacements of recvbuf are null; pass one for each of 4 ranks",
            () -> comm.allGatherv(new int[10], new int[4], null, MPI.INT));
        Datatype[] ints = {MPI.INT, MPI.INT, MPI.INT, MPI.INT};
        fails(MPI.ERR_COUNT, "COUNT", "allToAllw",
            "the block of rank 1, count 1 of MPI.INT at byte 6, lies outside sendbuf, an int[2]; "
                + "keep 0 <= displacement and displacement + count * 4 <= 8",
            () -> comm.allToAllw(new int[2], new int[] {1, 1, 0, 0}, new int[] {0, 6, 0, 0}, ints, new int[2],
                new int[4], new int[4], ints));
    }

    /** Also where the buffer has room: the bytes would lie in another rank's block. */
    @Test
    void aBlockThatARankSendsToItselfMustFitWhereItReceivesIt() {
        String what = "this rank sends 8 bytes to itself, and receives 4 from itself; pass the same on both sides";
        int[] two = {2, 2, 2, 2};
        int[] one = {3, 3, 1, 3};
        int[] displs = {0, 3, 6, 9};
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "allGather", what,
            () -> comm.allGather(new int[2], 2, MPI.INT, new int[99], 1, MPI.INT));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "allToAll", what,
            () -> comm.allToAll(new int[8], 2, MPI.INT, new int[99], 1, MPI.INT));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "gather", what,
            () -> comm.gather(new int[2], 2, MPI.INT, new int[99], 1, MPI.INT, 2));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "scatter", what,
            () -> comm.scatter(new int[8], 2, MPI.INT, new int[99], 1, MPI.INT, 2));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "gatherv", what,
            () -> comm.gatherv(new int[2], 2, MPI.INT, new int[99], one, displs, MPI.INT, 2));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "allGatherv", what,
            () -> comm.allGatherv(new int[2], 2, MPI.INT, new int[99], one, displs, MPI.INT));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "scatterv", what,
            () -> comm.scatterv(new int[12], two, displs, MPI.INT, new int[99], 1, MPI.INT, 2));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "allToAllv", what,
            () -> comm.allToAllv(new int[12], two, displs, MPI.INT, new int[99], one, displs, MPI.INT));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "iAllGather", what,
            () -> comm.iAllGather(MPI.newIntBuffer(2), 2, MPI.INT, MPI.newIntBuffer(99), 1, MPI.INT));
        fails(MPI.ERR_TRUNCATE, "TRUNCATE", "allGatherInit", what, () -> comm.allGatherInit(MPI.newIntBuffer(2), 2,
            MPI.INT, MPI.newIntBuffer(99), 1, MPI.INT, null));
    }

    @Test
    void onlyTheRootsArgumentsAreCheckedAtOtherRanks() {
        comm.gather(new int[1], 1, MPI.INT, null, -5, null, 0);
        comm.gatherv(new int[1], 1, MPI.INT, null, null, null, null, 0);
        comm.scatter(null, -5, null, new int[1], 1, MPI.INT, 0);
        comm.Scatterv(null, -1, null, null, null, new int[1], 0, 1, MPI.INT, 0);
        comm.reduce(new int[1], null, 1, MPI.INT, MPI.SUM, 0);
    }

    @Test
    void formsForTheRootOrForTheOthersSaySo() {
        fails(MPI.ERR_ROOT, "ROOT", "gatherv", "this form is for the root with its data in place, and the root is 0; "
            + "call gatherv(sendbuf, sendcount, sendtype, root) here",
            () -> comm.gatherv(new int[4], new int[4], new int[4], MPI.INT, 0));
        fails(MPI.ERR_ROOT, "ROOT", "iScatterv", "this form is for ranks other than the root, and the root is 2; "
            + "call iScatterv(sendbuf, sendcount, displs, sendtype, root) here",
            () -> comm.iScatterv(MPI.newIntBuffer(4), 4, MPI.INT, 2));
    }

    @Test
    void callsBeforeInitAndAfterFinalizeSaySo() {
        JobState.pretend(JobState.NEW);
        failsOutside(MPI.ERR_OTHER, "MPI_ERR_OTHER: barrier: MPI is not initialized; call MPI.Init(args) first",
            comm::barrier);
        failsOutside(MPI.ERR_OTHER, "MPI_ERR_OTHER: getRank: MPI is not initialized; call MPI.Init(args) first",
            MPI.COMM_WORLD::getRank);
        JobState.pretend(JobState.OVER);
        failsOutside(MPI.ERR_OTHER,
            "MPI_ERR_OTHER: Bcast: MPI has been finalized; make this call before MPI.Finalize()",
            () -> comm.Bcast(new int[1], 0, 1, MPI.INT, 0));
        failsOutside(MPI.ERR_OTHER,
            "MPI_ERR_OTHER: InitThread: MPI has been finalized, and a process joins its job only once",
            () -> MPI.InitThread(null, MPI.THREAD_MULTIPLE));
    }

    @Test
    void aFreedCommunicatorIsACommError() {
        comm.free();
        assertEquals(true, comm.isNull());
        failsOutside(MPI.ERR_COMM, "MPI_ERR_COMM: barrier: TEST has been freed; free a communicator after its last use",
            comm::barrier);
        theWorldCannotBeFreed(MPI.COMM_WORLD);
    }

    private static void theWorldCannotBeFreed(Comm world) {
        failsOutside(MPI.ERR_COMM,
            "MPI_ERR_COMM: free on rank 2 of 4 in MPI_COMM_WORLD: this communicator lives as long as the job and"
                + " cannot be freed; free only what dup, split or create made",
            world::free);
    }

    @Test
    void aNullCommunicatorIsACommError() {
        Intracomm none = comm.split(MPI.UNDEFINED, 0);
        assertEquals(true, none.isNull());
        assertEquals(null, comm.Split(MPI.UNDEFINED, 0));
        failsOutside(MPI.ERR_COMM,
            "MPI_ERR_COMM: getSize: this communicator is null, as split and create return it on ranks that are not in"
                + " the new one; ask isNull() before using it",
            none::getSize);
        fails(MPI.ERR_ARG, "ARG", "split", "colour -3 is negative; pass 0 or more, or MPI.UNDEFINED to stay out",
            () -> comm.split(-3, 0));
    }

    @Test
    void packingOutsideTheArrayIsABufferError() {
        fails(MPI.ERR_BUFFER, "BUFFER", "pack",
            "8 bytes at position 3 do not fit in outbuf, byte[10]; pass a longer byte[], or an earlier position",
            () -> comm.pack(new int[2], 2, MPI.INT, new byte[10], 3));
    }

    @Test
    void keysThatWereNeverMadeAreKeyvalErrors() {
        fails(MPI.ERR_KEYVAL, "KEYVAL", "setAttr", "key 9999 was never made; pass one from createKeyval()",
            () -> comm.setAttr(9999, "x"));
        fails(MPI.ERR_KEYVAL, "KEYVAL", "deleteAttr",
            "key 0 is of an attribute that MPI sets and programs cannot change; pass one from createKeyval()",
            () -> comm.deleteAttr(MPI.TAG_UB));
    }
}
