package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.spi.Call;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the layers below see of a call: byte offsets, where each operand lies, nothing for MPI.PROC_NULL. */
class HandedDownTest {
    private Intracomm comm = FakeProvider.intracomm(2, 4);

    @BeforeEach
    void join() {
        FakeProvider.run();
        FakeProvider.last.clear();
    }

    private static void handedDown(Object... expected) {
        assertEquals(Arrays.asList(expected), FakeProvider.last);
    }

    @Test
    void offsetsArriveInBytesAndModesAsCalled() {
        double[] data = new double[10];
        comm.Ssend(data, 3, 4, MPI.DOUBLE, 1, 7);
        handedDown("send", data, 24L, 4, MPI.DOUBLE.items.layout(), 1, 7, SendMode.SYNCHRONOUS);
        int[] pairs = new int[10];
        comm.Irsend(pairs, 2, 4, MPI.INT2, 0, 0);
        handedDown("isend", pairs, 8L, 4, MPI.INT2.items.layout(), 0, 0, SendMode.READY);
    }

    @Test
    void nothingIsSentToOrReceivedFromNobody() {
        comm.send(null, -1, null, MPI.PROC_NULL, 0);
        Status status = comm.recv(null, 1, MPI.INT, MPI.PROC_NULL, 3);
        Status both = comm.sendRecv(null, 1, MPI.INT, MPI.PROC_NULL, 0, null, 1, MPI.INT, MPI.PROC_NULL, 0);
        Status later = comm.iRecv(null, 1, MPI.INT, MPI.PROC_NULL, 3).waitStatus();
        assertTrue(FakeProvider.last.isEmpty(), "handed down: " + FakeProvider.last);
        for (Status s : new Status[] {status, both, later}) {
            assertEquals(MPI.PROC_NULL, s.getSource());
            assertEquals(MPI.ANY_TAG, s.getTag());
            assertEquals(0, s.getCount(MPI.INT));
        }
    }

    private static void started(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset,
        long recvBytes, boolean inPlace, int root) {
        FakeProvider.Started call = FakeProvider.started;
        assertSame(send, call.send(), "sent from");
        assertSame(recv, call.recv(), "received into");
        assertEquals(List.of(sendOffset, sendBytes, recvOffset, recvBytes, inPlace, root),
            List.of(call.sendOffset(), call.sendBytes(), call.recvOffset(), call.recvBytes(), call.inPlace(),
                call.root()));
    }

    @Test
    void inPlaceEachOperandIsDescribedWhereItLies() {
        int[] buf = new int[8];
        comm.gather(buf, 2, MPI.INT, 2);
        started(buf, 16, 8, buf, 0, 32, true, 2);
        comm.gather(buf, 2, MPI.INT, 0);
        started(buf, 0, 8, null, 0, 0, false, 0);
        comm.scatter(buf, 2, MPI.INT, 2);
        started(buf, 0, 32, buf, 16, 8, true, 2);
        comm.scatter(buf, 2, MPI.INT, 0);
        started(null, 0, 0, buf, 0, 8, false, 0);
        comm.allGather(buf, 2, MPI.INT);
        started(buf, 16, 8, buf, 0, 32, true, 0);
        comm.reduce(buf, 2, MPI.INT, MPI.SUM, 2);
        started(buf, 0, 8, buf, 0, 8, true, 2);
        comm.reduce(buf, 2, MPI.INT, MPI.SUM, 0);
        started(buf, 0, 8, null, 0, 0, false, 0);
        assertSame(MPI.INT.items.layout(), FakeProvider.started.type());
        assertSame(MPI.SUM.unwrap(MPI.INT), FakeProvider.started.op());
    }

    @Test
    void inPlaceBlocksOfDifferentSizesAndSharesOfAResultAreDescribedToo() {
        int[] buf = new int[16];
        int[] counts = {1, 2, 3, 4};
        int[] displs = {0, 1, 3, 6};
        comm.gatherv(buf, counts, displs, MPI.INT, 2);
        started(buf, 12, 12, buf, 0, 40, true, 2);
        comm.gatherv(buf, 3, MPI.INT, 0);
        started(buf, 0, 12, null, 0, 0, false, 0);
        comm.scatterv(buf, counts, displs, MPI.INT, 2);
        started(buf, 0, 40, buf, 12, 12, true, 2);
        comm.allGatherv(buf, counts, displs, MPI.INT);
        started(buf, 12, 12, buf, 0, 40, true, 0);
        comm.reduceScatter(buf, counts, MPI.INT, MPI.SUM);
        started(buf, 0, 40, buf, 0, 12, true, 0);
        comm.Reduce_scatter(buf, 1, buf, 1, counts, MPI.INT, MPI.SUM);
        started(buf, 4, 40, buf, 4, 12, true, 0);
        comm.reduceScatterBlock(buf, 2, MPI.INT, MPI.SUM);
        started(buf, 0, 32, buf, 0, 8, true, 0);
    }

    @Test
    void aCallAfterARefusedOneSaysNothingOfIt() {
        int[] buf = new int[8];
        int[] small = new int[1];
        assertThrows(MPIException.class, () -> comm.gather(buf, 2, MPI.INT, small, 2, MPI.INT, 2));
        comm.barrier();
        started(null, 0, 0, null, 0, 0, false, 0);
        assertThrows(MPIException.class, () -> comm.Allreduce(small, 0, buf, 4, 4, MPI.INT, MPI.SUM));
        comm.Bcast(buf, 1, 2, MPI.INT, 3);
        started(null, 0, 0, buf, 4, 8, false, 3);
    }

    @Test
    void aReductionFromABufferIntoItselfIsInPlace() {
        int[] buf = new int[8];
        comm.Allreduce(buf, 1, buf, 1, 2, MPI.INT, MPI.SUM);
        started(buf, 4, 8, buf, 4, 8, true, 0);
        comm.Allreduce(buf, 1, buf, 4, 2, MPI.INT, MPI.SUM);
        started(buf, 4, 8, buf, 16, 8, false, 0);
    }

    @Test
    void reduceScatterInPlaceNeedsRoomForAllBlocksAndOtherwiseForOne() {
        comm.reduceScatter(new int[8], new int[2], new int[] {2, 2, 2, 2}, MPI.INT, MPI.SUM);
        comm.reduceScatter(new int[8], new int[] {2, 2, 2, 2}, MPI.INT, MPI.SUM);
        comm.reduceScatterBlock(new int[8], new int[2], 2, MPI.INT, MPI.SUM);
        comm.reduceScatterBlock(new int[8], 2, MPI.INT, MPI.SUM);
        assertThrows(MPIException.class, () -> comm.reduceScatterBlock(new int[7], 2, MPI.INT, MPI.SUM));
        assertThrows(MPIException.class,
            () -> comm.reduceScatter(new int[7], new int[] {2, 2, 2, 2}, MPI.INT, MPI.SUM));
    }

    @Test
    void aByteArrayOfInt2StructsArrivesAsItIs() {
        byte[] structs = new byte[16];
        comm.allReduce(structs, 2, MPI.INT2, MPI.MINLOC);
        assertSame(structs, FakeProvider.started.recv());
    }

    @Test
    void nioBuffersOfAnyKindCarryAnyTypeWhateverTheirPosition() {
        ByteBuffer bytes = MPI.newByteBuffer(16);
        bytes.position(9).limit(10);
        comm.bcast(bytes, 2, MPI.DOUBLE, 0);
        started(null, 0, 0, bytes, 0, 16, false, 0);
        comm.bcast(MPI.slice(new int[4], 2), 1, MPI.LONG, 0);
        comm.iBcast(MPI.newLongBuffer(1), 2, MPI.INT, 0);
        assertEquals(false, FakeProvider.started.blocking());
    }

    @Test
    void sendrecvReplaceSendsACopy() {
        int[] buf = {1, 2, 3, 4};
        comm.Sendrecv_replace(buf, 1, 2, MPI.INT, 1, 0, MPI.PROC_NULL, 0);
        assertNotSame(buf, FakeProvider.last.get(1));
        assertEquals(0L, FakeProvider.last.get(2));
        assertArrayEquals(new int[] {2, 3}, (int[]) FakeProvider.last.get(1));
    }

    @Test
    void aUserFunctionIsBoundToTheTypeItIsCalledWithOnce() {
        Op op = new Op(new User_function() {
            @Override
            public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count,
                Datatype datatype) {
                ((int[]) inoutvec)[inoutoffset] = ((int[]) invec)[inoffset] - ((int[]) inoutvec)[inoutoffset];
            }
        }, false);
        Reduction onInt = op.unwrap(MPI.INT);
        assertSame(onInt, op.unwrap(MPI.INT));
        assertEquals(false, onInt.commutative);
        assertEquals(true, onInt.asArrays);
        int[] inout = {0, 5};
        onInt.function.reduce(new int[] {0, 0, 7}, 2, inout, 1, 1);
        assertEquals(2, inout[1]);
        ByteBuffer left = MPI.newByteBuffer(4).putInt(0, 10);
        ByteBuffer right = MPI.newByteBuffer(4).putInt(0, 4);
        onInt.function.reduce(left, 0, right, 0, 1);
        assertEquals(6, right.getInt(0));
    }

    @Test
    void aCamelUserFunctionSeesArraysUnlessItTakesBuffers() {
        Op op = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype datatype) {
                for (int i = 0; i < count; i++) {
                    ((double[]) inOut)[i] += 10 * ((double[]) in)[i];
                }
            }
        }, true);
        double[] inout = {9, 1, 2};
        op.unwrap(MPI.DOUBLE).function.reduce(new double[] {3, 4}, 0, inout, 1, 2);
        assertArrayEquals(new double[] {9, 31, 42}, inout);
    }

    @Test
    void duplicatesKeepAttributesHintsAndHandlers() {
        int key = Comm.createKeyval();
        comm.setAttr(key, "kept");
        comm.setErrhandler(MPI.ERRORS_RETURN);
        Info hints = new Info();
        hints.set("file", "x");
        Intracomm copy = comm.dup();
        Intracomm hinted = comm.dupWithInfo(hints);
        Comm.freeKeyval(key);
        assertEquals("kept", copy.getAttr(key));
        assertSame(MPI.ERRORS_RETURN, copy.getErrhandler());
        assertSame(MPI.ERRORS_RETURN, comm.split(0, 0).getErrhandler());
        assertEquals("x", hinted.getInfo().get("file"));
        copy.deleteAttr(key);
        assertEquals(MPI.ERR_KEYVAL, assertThrows(MPIException.class, () -> copy.getAttr(key)).getErrorClass());
        assertEquals("kept", comm.getAttr(key));
        assertEquals(MPI.CONGRUENT, Comm.compare(comm, copy));
        assertEquals(MPI.IDENT, Comm.compare(comm, comm));
        assertEquals(Integer.MAX_VALUE, comm.getAttr(MPI.TAG_UB));
    }

    @Test
    void theFirstCommunicatorsHaveTheDefaultHandlerAndOneSelf() {
        assertSame(MPI.ERRORS_ARE_FATAL, MPI.COMM_SELF.getErrhandler());
        assertSame(MPI.ERRORS_ARE_FATAL, MPI.COMM_WORLD.getErrhandler());
        assertSame(MPI.COMM_SELF, MpjConstants.COMM_SELF);
        assertEquals(2, MPI.COMM_WORLD.getRank());
    }

    @Test
    void createAsksForRanksOfItsOwnCommunicator() {
        Group reversed = comm.getGroup().incl(new int[] {3, 2});
        Intracomm made = comm.create(reversed);
        assertEquals(2, made.getSize());
        assertTrue(comm.create(comm.getGroup().excl(new int[] {2})).isNull());
        assertNull(comm.Create(comm.getGroup().excl(new int[] {2})));
    }

    @Test
    void whoStaysOutOfASplitByTypeSaysSoToTheOthers() {
        comm.splitType(MPI.UNDEFINED, 3, null);
        handedDown("split", MPI.UNDEFINED, 3);
    }

    /** Calls that a communicator remembers come down as they would if it did not, whatever comes between them. */
    @Test
    void aCallThatIsMadeAgainComesDownAsANewOne() {
        Random random = new Random(34);
        Intracomm forgetful = FakeProvider.intracomm(2, 4);
        Object[] buffers = {new double[8], new double[3], new int[40], new double[40], new byte[40], new byte[2],
            ByteBuffer.allocateDirect(320).order(ByteOrder.nativeOrder()), ByteBuffer.allocateDirect(8),
            ByteBuffer.allocateDirect(320).order(ByteOrder.nativeOrder()).asDoubleBuffer(),
            ByteBuffer.allocateDirect(320).order(ByteOrder.nativeOrder()).asDoubleBuffer().asReadOnlyBuffer(),
            ByteBuffer.allocateDirect(320).order(ByteOrder.BIG_ENDIAN).asDoubleBuffer(), null};
        Datatype[] types = {MPI.DOUBLE, MPI.DOUBLE, MPI.INT, MPI.BYTE};
        Op[] ops = {MPI.SUM, MPI.SUM, MPI.MAX, MPI.LAND};
        int again = 0;
        for (int trial = 0; trial < 20_000; trial++) {
            Object a = buffers[random.nextInt(buffers.length)], b = buffers[random.nextInt(buffers.length)];
            int which = random.nextInt(8), count = random.nextInt(3) == 0 ? random.nextInt(12) - 1 : 2;
            int offset = random.nextInt(3) == 0 ? random.nextInt(3) - 1 : 0, root = random.nextInt(3) == 0 ? 1 : 2;
            Datatype type = types[random.nextInt(types.length)];
            Op op = ops[random.nextInt(ops.length)];
            if (trial % 40 == 0) { // else all of a communicator's calls have changed too often soon
                comm = FakeProvider.intracomm(2, 4);
            }
            int times = 1 + random.nextInt(3);
            for (int i = 0; i < times; i++) {
                Object in = i == 1 && a instanceof double[] ? buffers[random.nextInt(buffers.length)] : a;
                FakeProvider.remembers = false;
                Object expected = outcome(forgetful, which, in, b, offset, count, type, op, root);
                FakeProvider.remembers = true;
                FakeProvider.repeated = false;
                assertEquals(expected, outcome(comm, which, in, b, offset, count, type, op, root),
                    "trial " + trial + ", call " + which);
                again += FakeProvider.repeated ? 1 : 0;
            }
        }
        FakeProvider.remembers = false;
        assertTrue(again > 1000, "repeated " + again);
    }

    /** What comes down, or the error. */
    private static Object outcome(Intracomm on, int which, Object in, Object out, int offset, int count, Datatype type,
        Op op, int root) {
        FakeProvider.started = null;
        try {
            switch (which) {
                case 0 -> on.allReduce(in, out, count, type, op);
                case 1 -> on.Allreduce(in, offset, out, offset, count, type, op);
                case 2 -> on.allReduce(in, count, type, op);
                case 3 -> on.bcast(in, count, type, root);
                case 4 -> on.Reduce(in, offset, out, 0, count, type, op, root);
                case 5 -> on.Allgather(in, offset, count, type, out, 0, count, type);
                case 6 -> on.barrier();
                default -> on.gather(in, count, type, out, count, type, root);
            }
        } catch (MPIException wrong) {
            return wrong.getMessage();
        }
        return FakeProvider.started;
    }
}
