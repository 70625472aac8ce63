package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import mpi.front.job.MemberLists;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups, structs, complex numbers, hints and packed data: what needs no other process. */
class LocalObjectsTest {
    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    private static Group of(int... members) {
        return new Group(members);
    }

    private static int[] members(Group group) {
        int[] identity = new int[64];
        for (int i = 0; i < identity.length; i++) {
            identity[i] = i;
        }
        return MemberLists.ranksAmong(Group.members(group), identity);
    }

    @Test
    void groupsKeepTheOrderThatMpiGivesThem() {
        Group a = of(5, 1, 3);
        Group b = of(3, 4, 5);
        assertArrayEquals(new int[] {5, 1, 3, 4}, members(Group.union(a, b)));
        assertArrayEquals(new int[] {5, 3}, members(Group.Intersection(a, b)));
        assertArrayEquals(new int[] {1}, members(Group.difference(a, b)));
        assertArrayEquals(new int[] {3, 5}, members(a.Incl(new int[] {2, 0})));
        assertArrayEquals(new int[] {5, 3}, members(a.excl(new int[] {1})));
        assertArrayEquals(new int[] {2, MPI.UNDEFINED, 0, MPI.PROC_NULL},
            Group.translateRanks(a, new int[] {0, 1, 2, MPI.PROC_NULL}, b));
        assertEquals(MPI.SIMILAR, Group.compare(a, of(1, 3, 5)));
        assertEquals(MPI.IDENT, Group.compare(a, of(5, 1, 3)));
        assertEquals(MPI.UNEQUAL, Group.Compare(a, b));
        assertEquals(MPI.UNDEFINED, a.getRank());
        assertEquals(1, of(0, 2).Rank());
    }

    @Test
    void rangesRunUpAndDown() {
        Group ten = of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertArrayEquals(new int[] {1, 4, 7, 9, 8}, members(ten.rangeIncl(new int[][] {{1, 8, 3}, {9, 8, -1}})));
        assertArrayEquals(new int[] {0, 9}, members(ten.Range_excl(new int[][] {{1, 8, 1}})));
        assertArrayEquals(new int[0], members(ten.rangeIncl(new int[][] {{5, 4, 1}})));
    }

    @Test
    void groupErrorsNameTheRank() {
        MPIException e = assertThrows(MPIException.class, () -> of(1, 2).incl(new int[] {2}));
        assertEquals("MPI_ERR_RANK: Group.incl: rank 2 is not in the group; pass 0 <= rank < 2", e.getMessage());
        assertEquals(MPI.ERR_ARG,
            assertThrows(MPIException.class, () -> of(1, 2).rangeIncl(new int[][] {{0, 1, 0}})).getErrorClass());
        Group freed = of(1);
        freed.free();
        assertTrue(freed.isNull());
        assertEquals(MPI.ERR_GROUP, assertThrows(MPIException.class, freed::getSize).getErrorClass());
    }

    /** A struct of a user's: a byte, padding, a double, two shorts. */
    private static final class Sample extends Struct {
        private final int flag = addByte();
        private final int value = setOffset(8).addDouble();
        private final int shorts = addShort(2);

        @Override
        protected View newData() {
            return new View();
        }

        private final class View extends Struct.Data {
            void set(byte f, double v, short s) {
                putByte(flag, f);
                putDouble(value, v);
                putShort(shorts, 1, s);
            }

            double value() {
                return getDouble(value);
            }
        }
    }

    @Test
    void structsLieAsTheirFieldsWereAdded() {
        Sample sample = new Sample();
        assertEquals(24, sample.getExtent(), "20 bytes, rounded up to doubles");
        ByteBuffer buffer = MPI.newByteBuffer(72);
        Sample.View second = sample.getData(buffer, 1);
        second.set((byte) 7, 2.5, (short) 9);
        assertEquals(7, buffer.get(24));
        assertEquals(2.5, buffer.getDouble(32));
        assertEquals(9, buffer.getShort(42));
        assertEquals(2.5, second.value());
        assertThrows(MPIException.class, sample::addInt);
        assertEquals(24, sample.getType().getExtent());
    }

    @Test
    void aStructsTypeHasItsFieldsAndNotThePadding() {
        Datatype type = new Sample().getType();
        assertEquals(13, type.getSize(), "a byte, a double, two shorts");
        assertEquals(20, type.getTrueExtent());
        Status status = new Status();
        status.setElements(type, 5);
        assertEquals(4 + 1, status.getElements(type));
        assertEquals(14, status.bytes(), "one struct and the byte of the next");
        Struct nested = new Struct() {
            private final int flag = addByte();
            private final int samples = setOffset(8).addStruct(new Sample(), 2);

            @Override
            protected Data newData() {
                assertEquals(8, samples - flag);
                return null;
            }
        };
        assertEquals(1 + 2 * 13, nested.getType().getSize());
        assertEquals(56, nested.getExtent());
        assertEquals(MPI.ERR_TYPE, assertThrows(MPIException.class,
            () -> Datatype.createStruct(new int[] {1}, new int[1], new Datatype[] {MPI.OBJECT})).getErrorClass());
    }

    @Test
    void pairsLieAsTheCStructs() {
        byte[] array = new byte[32];
        DoubleInt.Data d = MPI.doubleInt.getData(array, 1);
        d.putValue(1.5);
        d.putIndex(-3);
        ByteBuffer view = ByteBuffer.wrap(array).order(ByteOrder.nativeOrder());
        assertEquals(1.5, view.getDouble(16));
        assertEquals(-3, view.getInt(24));
        assertEquals(16, MPI.DOUBLE_INT.getExtent());
        assertEquals(8, MPI.SHORT_INT.getExtent());
        // INT2 is eight bytes in one dialect and two ints in the other.
        assertEquals(8, MPI.INT2.getExtent());
        assertEquals(2, MPI.INT2.Extent());
        assertEquals(1, MPI.INT.getExtent());
        assertEquals(2, MPI.DOUBLE_COMPLEX.getSize());
    }

    @Test
    void complexNumbersAreViews() {
        double[] numbers = new double[4];
        DoubleComplex.get(numbers, 1).putImag(2);
        FloatComplex.get(MPI.newFloatBuffer(2)).putReal(1);
        assertArrayEquals(new double[] {0, 0, 0, 2}, numbers);
        assertEquals(2, DoubleComplex.get(numbers, 1).getBuffer().get(1));
    }

    @Test
    void slicesDoNotDisturbTheBufferTheyAreOf() {
        DoubleBuffer buffer = MPI.newDoubleBuffer(5);
        buffer.position(1).limit(2);
        assertEquals(3, MPI.slice(buffer, 2).capacity());
        assertEquals(1, buffer.position());
        assertEquals(2, buffer.limit());
        MPI.slice(buffer, 2).put(0, 4.5);
        assertEquals(4.5, buffer.duplicate().clear().get(2));
    }

    @Test
    void hintsKeepTheirOrderAndRefuseWhatIsNotThere() {
        Info info = new Info();
        info.set("b", "1");
        info.set("a", "2");
        info.set("b", "3");
        assertEquals("b", info.getKey(0));
        assertEquals("3", info.get("b"));
        Info copy = info.clone();
        info.delete("b");
        assertEquals(2, copy.size());
        assertEquals(MPI.ERR_INFO_NOKEY, assertThrows(MPIException.class, () -> info.delete("b")).getErrorClass());
        assertTrue(MPI.INFO_NULL.isNull());
    }

    @Test
    void packAndUnpackKeepPositions() {
        Intracomm comm = FakeProvider.intracomm(0, 1);
        byte[] packed = new byte[20];
        int position = comm.pack(new int[] {1, 2}, 2, MPI.INT, packed, 0);
        position = comm.Pack(new boolean[] {false, true}, 1, 1, MPI.BOOLEAN, packed, position);
        assertEquals(9, position);
        int[] ints = new int[2];
        boolean[] flag = new boolean[1];
        assertEquals(9, comm.unpack(packed, comm.unpack(packed, 0, ints, 2, MPI.INT), flag, 1, MPI.BOOLEAN));
        assertArrayEquals(new int[] {1, 2}, ints);
        assertTrue(flag[0]);
        assertEquals(16, comm.packSize(2, MPI.DOUBLE));
    }
}
