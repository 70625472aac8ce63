package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.DeviceBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A pointer goes wherever an array goes, in both dialects, and what is wrong with it is said as for an array. */
class DevicePointerTest {
    private static final long ADDRESS = 0x7000_0000L;

    private final Intracomm comm = FakeProvider.intracomm(2, 4);
    private final FakeDevice pointer = FakeDevice.allocate(64, ADDRESS);

    @BeforeEach
    void join() {
        FakeProvider.run();
        FakeProvider.last.clear();
    }

    private static void fails(String error, String what, Executable code) {
        MPIException e = assertThrows(MPIException.class, code);
        assertEquals("MPI_ERR_" + error + " on rank 2 of 4 in TEST: " + what, e.getMessage());
    }

    /** The device buffer that came down as this argument. */
    private static DeviceBuffer down(int argument) {
        return device(FakeProvider.last.get(argument));
    }

    private static DeviceBuffer device(Object buffer) {
        return (DeviceBuffer) buffer;
    }

    @Test
    void aPointerGoesDownAsADeviceBufferInBothDialects() {
        comm.bcast(pointer, 16, MPI.INT, 0);
        assertEquals(ADDRESS, device(FakeProvider.started.recv()).address);
        assertEquals(64, device(FakeProvider.started.recv()).bytes);
        comm.Bcast(pointer, 3, 13, MPI.INT, 0);
        assertEquals(12L, FakeProvider.started.recvOffset());
        comm.send(pointer, 8, MPI.DOUBLE, 1, 0);
        assertEquals(ADDRESS, down(1).address);
        comm.Recv(pointer, 1, 7, MPI.DOUBLE, 1, 0);
        assertEquals(8L, FakeProvider.last.get(2));
        comm.iBcast(pointer, 32, MPI.FLOAT16, 0);
        assertEquals(Collective.BCAST, FakeProvider.started.collective());
        comm.iSend(pointer, 64, MPI.BYTE, 1, 0);
        assertEquals(ADDRESS, down(1).address);
        comm.Isend(pointer, 0, 64, MPI.BYTE, 1, 0);
        assertEquals(ADDRESS, down(1).address);
        comm.iAllReduce(pointer, FakeDevice.allocate(64, 0x100), 16, MPI.FLOAT, MPI.SUM);
        assertEquals(ADDRESS, device(FakeProvider.started.send()).address);
        assertEquals(0x100, device(FakeProvider.started.recv()).address);
        comm.allToAllw(pointer, new int[] {1, 1, 1, 1}, new int[] {0, 16, 32, 48},
            new Datatype[] {MPI.INT, MPI.LONG, MPI.BYTE, MPI.CHAR},
            new byte[4], new int[] {1, 1, 1, 1}, new int[] {0, 1, 2, 3},
            new Datatype[] {MPI.BYTE, MPI.BYTE, MPI.BYTE, MPI.BYTE});
        assertEquals(ADDRESS, device(FakeProvider.started.send()).address);
        comm.gatherv(new int[1], 1, MPI.INT, pointer, new int[] {1, 2, 3, 4}, new int[] {0, 1, 3, 6}, MPI.INT, 2);
        assertEquals(ADDRESS, device(FakeProvider.started.recv()).address);
    }

    @Test
    void aPointerObjectAroundAnArrayOrBufferIsThatArrayOrBuffer() {
        int[] array = new int[4];
        comm.bcast(new FakeDevice.Wrapping(array), 4, MPI.INT, 0);
        assertSame(array, FakeProvider.started.recv());
        java.nio.IntBuffer buffer = MPI.newIntBuffer(4);
        comm.bcast(new FakeDevice.Wrapping(buffer), 4, MPI.INT, 0);
        assertSame(buffer, FakeProvider.started.recv());
        comm.allReduce(new FakeDevice.Wrapping(array), new FakeDevice.Wrapping(array), 4, MPI.INT, MPI.SUM);
        assertTrue(FakeProvider.started.inPlace(), "two pointers to one array mean in place");
        MPIException e = assertThrows(MPIException.class,
            () -> comm.bcast(new FakeDevice.Wrapping(new Object[4]), 4, MPI.DOUBLE, 0));
        assertEquals(MPI.ERR_TYPE, e.getErrorClass());
    }

    @Test
    void reductionsBetweenPointersToTheSameBytesAreInPlace() {
        comm.allReduce(pointer, pointer.plus(0), 4, MPI.INT, MPI.SUM);
        assertTrue(FakeProvider.started.inPlace());
        comm.Allreduce(pointer, 1, pointer.plus(4), 0, 4, MPI.INT, MPI.SUM);
        assertTrue(FakeProvider.started.inPlace());
        assertEquals(0L, FakeProvider.started.recvOffset());
        comm.Allreduce(pointer, 1, pointer, 2, 1, MPI.INT, MPI.SUM);
        assertEquals(ADDRESS, device(FakeProvider.started.send()).address);
        comm.reduce(pointer, pointer.plus(0), 4, MPI.INT, MPI.SUM, 2);
        assertTrue(FakeProvider.started.inPlace());
        comm.reduce(pointer, pointer, 4, MPI.INT, MPI.SUM, 0);
        assertEquals(ADDRESS, device(FakeProvider.started.send()).address);
        assertNull(FakeProvider.started.recv());
        comm.reduceScatterBlock(pointer, pointer.plus(0), 4, MPI.INT, MPI.SUM);
        assertTrue(FakeProvider.started.inPlace());
        comm.scan(pointer, pointer.plus(0), 4, MPI.INT, MPI.SUM);
        assertTrue(FakeProvider.started.inPlace());
    }

    @Test
    void anAllocationThatIsTooSmallSaysHowManyFit() {
        fails("COUNT: bcast",
            "count 17 of MPI.INT needs 68 bytes, but buf is device memory of 64 bytes on GPU 0; pass count <= 16 or a"
                + " longer allocation",
            () -> comm.bcast(pointer, 17, MPI.INT, 0));
        fails("COUNT: Bcast",
            "count 16 of MPI.INT from offset 1 needs 64 bytes, but buf is device memory of 64 bytes on GPU 0; pass"
                + " count <= 15 or a longer allocation",
            () -> comm.Bcast(pointer, 1, 16, MPI.INT, 0));
        fails("COUNT: allGatherv",
            "the block of rank 3, count 2 of MPI.INT at displacement 15, lies outside recvbuf, device memory of 64"
                + " bytes on GPU 0; keep 0 <= displacement and displacement + count <= 16",
            () -> comm.allGatherv(pointer, new int[] {1, 1, 1, 2}, new int[] {0, 1, 2, 15}, MPI.INT));
    }

    @Test
    void whatIsNoLiveMemoryIsABufferErrorAndWhatIsNoBufferATypeError() {
        fails("BUFFER: send",
            "buf is a pointer to 0x10, which lies in no live allocation; pass one into memory that is allocated",
            () -> comm.send(new FakeDevice.Dangling(), 1, MPI.INT, 0, 0));
        fails("TYPE: send",
            "buf is a java.lang.String, but MPI.BYTE lies in a byte[] or an NIO buffer; pass such a buffer",
            () -> comm.send("text", 1, MPI.BYTE, 0, 0));
    }

    @Test
    void windowsTakePointersAndCountTheirBytes() {
        Win win = new Win(pointer, 100, 4, MPI.INFO_NULL, comm);
        assertEquals(ADDRESS, down(1).address);
        assertEquals(64L, FakeProvider.last.get(2), "cut to the allocation");
        assertEquals(4, FakeProvider.last.get(3));
        win.put(pointer, 16, MPI.INT, 1, 0, 16, MPI.INT);
        win.put(new int[16], 16, MPI.INT, 1, 0, 16, MPI.INT);
        MPIException e =
            assertThrows(MPIException.class, () -> win.get(pointer, 17, MPI.INT, 1, 0, 17, MPI.INT));
        assertTrue(e.getMessage().contains("pass count <= 16 or a longer allocation"), e.getMessage());
        e = assertThrows(MPIException.class, () -> new Win(new FakeDevice.Dangling(), 1, 1, MPI.INFO_NULL, comm));
        assertEquals(MPI.ERR_BUFFER, e.getErrorClass());
        assertTrue(e.getMessage().contains("the buffer is a pointer to 0x10, which lies in no live allocation"),
            e.getMessage());
        e = assertThrows(MPIException.class, () -> new Win("text", 1, 1, MPI.INFO_NULL, comm));
        assertEquals(MPI.ERR_TYPE, e.getErrorClass());
        new Win(new int[16], 16, 1, MPI.INFO_NULL, comm);
        assertEquals(64L, FakeProvider.last.get(2));
        assertEquals(4, FakeProvider.last.get(3));
    }

    @Test
    void reducingAtAnAddressBetweenElementsIsABufferError() {
        fails("BUFFER: allReduce",
            "recvbuf begins at device address 0x70000004, and MPI.DOUBLE cannot be reduced there; begin at a multiple"
                + " of 8 bytes",
            () -> comm.allReduce(pointer.plus(4), 1, MPI.DOUBLE, MPI.SUM));
        comm.bcast(pointer.plus(4), 1, MPI.DOUBLE, 0); // moving is possible anywhere
        comm.allReduce(pointer.plus(8), 1, MPI.DOUBLE_COMPLEX, MPI.SUM);
        comm.allReduce(pointer.plus(4), 1, MPI.FLOAT_INT, MPI.MAXLOC);
        fails("BUFFER: allReduce",
            "recvbuf begins at device address 0x70000002, and MPI.SHORT_INT cannot be reduced there; begin at a"
                + " multiple of 4 bytes",
            () -> comm.allReduce(pointer.plus(2), 1, MPI.SHORT_INT, MPI.MAXLOC));
    }

    @Test
    void packingAndSendingACopyReadTheDevice() {
        pointer.memory.putInt(4, 42).putInt(8, 43);
        byte[] packed = new byte[8];
        assertEquals(8, comm.Pack(pointer, 1, 2, MPI.INT, packed, 0));
        FakeDevice target = FakeDevice.allocate(16, 0x100);
        comm.Unpack(packed, 0, target, 2, 2, MPI.INT);
        assertEquals(42, target.memory.getInt(8));
        assertEquals(43, target.memory.getInt(12));
        comm.sendRecvReplace(pointer.plus(4), 2, MPI.INT, 1, 0, MPI.PROC_NULL, 0);
        assertArrayEquals(new long[] {ByteBuffer.wrap(packed).order(ByteOrder.nativeOrder()).getLong(0)},
            (long[]) FakeProvider.last.get(1));
    }

    @Test
    void theCommunicatorBelowIsThereForExtensions() {
        assertEquals("TEST", comm.unwrap(Communicator.class).name());
        MPIException e = assertThrows(MPIException.class, () -> comm.unwrap(String.class));
        assertEquals(MPI.ERR_ARG, e.getErrorClass());
    }

    @Test
    void numbersOfSixteenBitsAreReducedAsFloatsAre() {
        comm.allReduce(new short[2], 2, MPI.FLOAT16, MPI.SUM);
        comm.allReduce(new short[2], 2, MPI.BFLOAT16, MPI.MAX);
        assertEquals(MPI.ERR_OP,
            assertThrows(MPIException.class, () -> comm.allReduce(new short[2], 2, MPI.BFLOAT16, MPI.BAND))
                .getErrorClass());
        assertEquals(2, MPI.FLOAT16.getByteSize());
        comm.allReduce(new byte[2], 2, MPI.FLOAT8_E4M3, MPI.SUM);
        assertEquals(1, MPI.FLOAT8_E5M2.getByteSize());
    }

    @Test
    void averagesAndPremultipliedSumsAreForFloatingPointAndForAllRanksAtOnce() throws MPIException {
        Op weighted = Op.premultipliedSum(0.25);
        for (Op op : new Op[] {MPI.AVG, weighted}) {
            comm.allReduce(new byte[2], 2, MPI.FLOAT8_E5M2, op);
            comm.allReduce(new double[2], 2, MPI.DOUBLE, op);
            for (Runnable refused : new Runnable[] {() -> comm.allReduce(new int[2], 2, MPI.INT, op),
                () -> comm.allReduce(new float[4], 2, MPI.FLOAT_COMPLEX, op),
                () -> Comm.reduceLocal(new float[2], new float[2], 2, MPI.FLOAT, op)}) {
                assertEquals(MPI.ERR_OP, assertThrows(MPIException.class, refused::run).getErrorClass(),
                    op.toString());
            }
        }
        comm.scan(new float[2], new float[2], 2, MPI.FLOAT, weighted);
        assertEquals(MPI.ERR_OP, assertThrows(MPIException.class,
            () -> comm.exScan(new float[2], new float[2], 2, MPI.FLOAT, MPI.AVG)).getErrorClass());
        weighted.free();
    }
}
