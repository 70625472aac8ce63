package org.brigade.op;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.junit.jupiter.api.Test;

class UserCombinerTest {
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);

    /** Neither commutative nor symmetric in any way: 10 * in + inout. */
    private static final Reduction.Function ON_ARRAYS = (in, inOffset, inout, inoutOffset, count) -> {
        int[] left = (int[]) in;
        int[] right = (int[]) inout;
        for (int i = 0; i < count; i++) {
            right[inoutOffset + i] = 10 * left[inOffset + i] + right[inoutOffset + i];
        }
    };

    private static final Reduction.Function ON_BUFFERS = (in, inOffset, inout, inoutOffset, count) -> {
        ByteBuffer left = (ByteBuffer) in;
        ByteBuffer right = (ByteBuffer) inout;
        assertTrue(left.isDirect() && right.isDirect(), "operands are direct");
        assertSame(ByteOrder.nativeOrder(), left.order());
        assertEquals(4 * count, right.remaining(), "what remains is what is to be reduced");
        while (left.hasRemaining()) {
            int at = left.position();
            right.putInt(at, 10 * left.getInt() + right.getInt(at));
        }
    };

    private static NativeMemory incoming(int... values) {
        NativeMemory memory = NativeMemory.allocate(values.length * 4);
        memory.ints.put(0, values);
        return memory;
    }

    @Test
    void theOperandIsTheLeftOneUnlessIncomingComesFirst() {
        for (boolean asArrays : new boolean[] {true, false}) {
            Reduction op = Reduction.user(asArrays ? ON_ARRAYS : ON_BUFFERS, false, asArrays);
            for (Backing backing : Backing.values()) {
                byte[] content = new byte[12];
                ByteBuffer.wrap(content).order(ByteOrder.nativeOrder()).putInt(1).putInt(2).putInt(3);
                Region operand = new Region().wrap(backing.of(ElementKind.INT, content), 0);
                int[] result = new int[3];
                Region target = new Region().wrap(result, 0);
                Combiners.of(INT, op, false).combine(incoming(4, 5, 6), 0, 12, operand, 0, target, 0);
                assertArrayEquals(new int[] {14, 25, 36}, result, "operand first, " + backing);
                Combiners.of(INT, op, true).combine(incoming(4, 5, 6), 0, 12, operand, 0, target, 0);
                assertArrayEquals(new int[] {41, 52, 63}, result, "incoming first, " + backing);
            }
        }
    }

    @Test
    void longStretchesAreReducedInPiecesOfWholeItems() {
        TypeLayout triple = TypeLayout.of("three ints", ElementKind.INT, 3);
        List<Integer> counts = new ArrayList<>();
        Reduction op = Reduction.user((in, inOffset, inout, inoutOffset, count) -> {
            counts.add(count);
            ON_ARRAYS.reduce(in, inOffset, inout, inoutOffset, 3 * count);
        }, true);
        int items = 5000;
        int[] values = new int[3 * items];
        int[] arrived = new int[3 * items];
        int[] expected = new int[3 * items];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
            arrived[i] = 7 * i;
            expected[i] = 17 * i;
        }
        Region region = new Region().wrap(values, 0);
        Combiners.of(triple, op, false).combine(incoming(arrived), 0, values.length * 4, region, 0, region, 0);
        assertArrayEquals(expected, values);
        assertEquals(items, counts.stream().mapToInt(Integer::intValue).sum(),
            "every item goes to the function once: " + counts);
        assertTrue(counts.size() > 1, "pieces: " + counts);
    }

    @Test
    void anItemLongerThanAPieceIsReducedWhole() {
        TypeLayout vast = TypeLayout.of("5000 ints", ElementKind.INT, 5000);
        Reduction op = Reduction.user((in, inOffset, inout, inoutOffset, count) -> {
            assertEquals(1, count);
            ON_ARRAYS.reduce(in, inOffset, inout, inoutOffset, 5000);
        }, true);
        int[] values = new int[10000];
        values[9999] = 3;
        int[] arrived = new int[10000];
        arrived[9999] = 4;
        Region region = new Region().wrap(values, 0);
        Combiner combiner = Combiners.of(vast, op, false);
        combiner.combine(incoming(arrived), 0, 40000, region, 0, region, 0);
        assertEquals(34, values[9999]);
        assertEquals(20000, combiner.itemBytes());
    }

    @Test
    void whatTheFunctionThrowsReachesTheCallerAndTheTargetIsUntouched() {
        ArithmeticException thrown = new ArithmeticException("mine");
        Reduction op = Reduction.user((in, inOffset, inout, inoutOffset, count) -> {
            ((int[]) inout)[inoutOffset] = -1;
            throw thrown;
        }, true);
        int[] values = {1, 2};
        Region region = new Region().wrap(values, 0);
        assertSame(thrown, assertThrows(ArithmeticException.class,
            () -> Combiners.of(INT, op, false).combine(incoming(5, 6), 0, 8, region, 0, region, 0)));
        assertArrayEquals(new int[] {1, 2}, values);
    }

    @Test
    void aFunctionThatKeepsItsOperandsCannotReachTheArrivedBytes() {
        Object[] kept = new Object[1];
        Reduction op = Reduction.user((in, inOffset, inout, inoutOffset, count) -> kept[0] = inout, true, false);
        NativeMemory incoming = incoming(5, 6);
        Region region = new Region().wrap(new int[2], 0);
        Combiners.of(INT, op, false).combine(incoming, 0, 8, region, 0, region, 0);
        ((ByteBuffer) kept[0]).putInt(0, 99);
        assertEquals(5, incoming.ints.get(0));
    }
}
