package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import mpi.front.arguments.SliceOrigin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A slice says where item 0 lies; items may reach back from there to the begin of what it was made from. */
class SliceOriginTest {
    private final Intracomm comm = FakeProvider.intracomm(0, 2);
    private Datatype back;

    @BeforeEach
    void join() {
        FakeProvider.run();
        back = Datatype.createVector(12, 1, -2, MPI.SHORT);
        back.commit();
    }

    private static ShortBuffer numbers(ShortBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (short) i);
        }
        return buffer;
    }

    private void packsBackwards(ShortBuffer slice) {
        byte[] packed = new byte[24];
        comm.pack(slice, 1, back, packed, 0);
        short[] got = new short[12];
        ByteBuffer.wrap(packed).order(ByteOrder.nativeOrder()).asShortBuffer().get(got);
        assertArrayEquals(new short[] {24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2}, got);
    }

    @Test
    void itemsReachBackToTheBeginOfTheBufferOrArray() {
        packsBackwards(MPI.slice(numbers(MPI.newShortBuffer(48)), 24));
        packsBackwards(MPI.slice(MPI.slice(numbers(MPI.newShortBuffer(48)), 20), 4));
        packsBackwards(MPI.slice(numbers(ShortBuffer.allocate(48)).array(), 24));
        packsBackwards(MPI.slice(numbers(ShortBuffer.allocate(48)), 24));
    }

    @Test
    void itemsAreWrittenBackwards() {
        ShortBuffer whole = MPI.newShortBuffer(48);
        short[] values = new short[12];
        java.util.Arrays.fill(values, (short) 7);
        byte[] packed = new byte[24];
        ByteBuffer.wrap(packed).order(ByteOrder.nativeOrder()).asShortBuffer().put(values);
        comm.unpack(packed, 0, MPI.slice(whole, 24), 1, back);
        for (int i = 0; i < 48; i++) {
            assertEquals(i >= 2 && i <= 24 && i % 2 == 0 ? 7 : 0, whole.get(i), "element " + i);
        }
    }

    @Test
    void nothingReachesBeyondTheWhole() {
        for (ShortBuffer slice : new ShortBuffer[] {MPI.slice(MPI.newShortBuffer(48), 21), MPI.newShortBuffer(48),
            MPI.slice(MPI.newShortBuffer(48), 0), MPI.slice(new short[48], 21)}) {
            MPIException e =
                assertThrows(MPIException.class, () -> comm.pack(slice, 1, back, new byte[24], 0));
            assertEquals(MPI.ERR_COUNT, e.getErrorClass(), e.getMessage());
            assertTrue(e.getMessage().contains("from byte -44"), e.getMessage());
        }
        packsBackwards(MPI.slice(numbers(MPI.newShortBuffer(25)), 24));
    }

    @Test
    void aBufferThatIsNoSliceHasNothingAround() {
        assertNull(SliceOrigin.around(MPI.newShortBuffer(4)));
        assertNull(SliceOrigin.around(new short[4]));
        assertNull(SliceOrigin.around(ShortBuffer.allocate(4).position(2).slice()), "the program's own slice");
        assertEquals(6, SliceOrigin.around(MPI.slice(MPI.newShortBuffer(4), 3)).begin);
    }

    @Test
    void blocksOfNoItemsNeedNoType() {
        Datatype[] none = {MPI.DATATYPE_NULL, null};
        int[] zero = {0, 0};
        comm.allToAllw(null, zero, zero, none, null, zero, zero, none);
        assertEquals(0, FakeProvider.started.sendBytes());
        Datatype[] half = {MPI.INT, MPI.DATATYPE_NULL};
        comm.allToAllw(new int[2], new int[] {2, 0}, zero, half, new int[2], new int[] {2, 0}, zero, half);
        Datatype gaps = Datatype.createVector(2, 1, 2, MPI.INT);
        gaps.commit();
        half[0] = gaps;
        comm.allToAllw(new int[3], new int[] {1, 0}, zero, half, new int[3], new int[] {1, 0}, zero, half);
        assertThrows(MPIException.class, () -> comm.allToAllw(new int[2], new int[] {2, 1}, zero, half, new int[2],
            new int[] {2, 1}, zero, half));
    }
}
