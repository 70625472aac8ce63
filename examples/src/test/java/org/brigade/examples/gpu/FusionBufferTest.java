package org.brigade.examples.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jcuda.driver.CUdeviceptr;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** On device memory that is an array: an address is an index into it, in bytes. */
class FusionBufferTest {
    private static final int BUFFER = 1 << 12;

    private final float[] memory = new float[1 << 14];
    private final List<int[]> exchanges = new ArrayList<>();
    private int pending;

    /** Copies are late, as those of a stream are: they are made when awaited. */
    private final class LateCopies implements DeviceCopies {
        private final List<Runnable> queue = new ArrayList<>();

        @Override
        public void copy(CUdeviceptr from, CUdeviceptr to, long bytes) {
            int floats = (int) (bytes / Float.BYTES);
            pending++;
            queue.add(() -> System.arraycopy(memory, index(from), memory, index(to), floats));
        }

        @Override
        public void await() {
            queue.forEach(Runnable::run);
            queue.clear();
            pending = 0;
        }
    }

    private static final class Address extends CUdeviceptr {
        Address(CUdeviceptr of) {
            super(of);
        }

        long value() {
            return getNativePointer() + getByteOffset();
        }
    }

    private static CUdeviceptr at(int index) {
        return new CUdeviceptr().withByteOffset((long) index * Float.BYTES);
    }

    private static int index(CUdeviceptr at) {
        return (int) (new Address(at).value() / Float.BYTES);
    }

    private final LateCopies copies = new LateCopies();

    private FusionBuffer buffer(int capacity) {
        return new FusionBuffer(copies, at(BUFFER), (long) capacity * Float.BYTES, this::tenfold);
    }

    private void tenfold(CUdeviceptr at, int floats) {
        assertEquals(0, pending, "copies under way when the exchange begins");
        exchanges.add(new int[] {index(at), floats});
        for (int i = 0; i < floats; i++) {
            memory[index(at) + i] *= 10;
        }
    }

    /** Tensors one behind the other from 0 on, with a gap of one between two. */
    private static List<Tensor> tensors(List<Integer> lengths) {
        List<Tensor> tensors = new ArrayList<>();
        int at = 0;
        for (int length : lengths) {
            tensors.add(new Tensor("tensor" + tensors.size(), at(at), length));
            at += length + 1;
        }
        return tensors;
    }

    private void run(int capacity, List<Tensor> tensors) {
        exchanges.clear();
        FusionBuffer fusion = buffer(capacity);
        for (Tensor tensor : tensors) {
            fusion.add(tensor);
        }
        fusion.flush();
        copies.await();
    }

    @Property(tries = 500)
    void everyValueIsExchangedOnceWhereItLies(@ForAll @Size(max = 20) List<@IntRange(min = 1, max = 9) Integer> lengths,
        @ForAll @IntRange(max = 40) int capacity) {
        List<Tensor> tensors = tensors(lengths);
        float[] expected = new float[BUFFER];
        for (int i = 0; i < BUFFER; i++) {
            memory[i] = expected[i] = i;
        }
        for (Tensor tensor : tensors) {
            for (int i = 0; i < tensor.floats(); i++) {
                expected[index(tensor.at()) + i] *= 10;
            }
        }
        run(capacity, tensors);
        assertArrayEquals(expected, Arrays.copyOf(memory, BUFFER));
    }

    @Property(tries = 500)
    void noTwoNeighbouringExchangesWouldHaveFitIntoOne(
        @ForAll @Size(max = 20) List<@IntRange(min = 1, max = 9) Integer> lengths,
        @ForAll @IntRange(max = 40) int capacity) {
        List<Tensor> tensors = tensors(lengths);
        run(capacity, tensors);
        int next = 0;
        for (int[] exchange : exchanges) {
            int sum = 0;
            int first = next;
            while (sum < exchange[1]) {
                sum += tensors.get(next++).floats();
            }
            assertEquals(exchange[1], sum, "tensors are not cut");
            assertTrue(sum <= capacity || next == first + 1, () -> exchange[1] + " floats packed into " + capacity);
            assertTrue(next == tensors.size() || sum + tensors.get(next).floats() > capacity,
                () -> "the tensor behind " + exchange[1] + " floats fits into " + capacity);
        }
        assertEquals(tensors.size(), next);
    }

    @Test
    void aTensorLongerThanTheBufferGoesFromWhereItLies() {
        run(4, tensors(List.of(1, 2, 8, 3)));
        assertEquals(3, exchanges.size());
        assertArrayEquals(new int[] {BUFFER, 3}, exchanges.get(0));
        assertArrayEquals(new int[] {5, 8}, exchanges.get(1));
        assertArrayEquals(new int[] {14, 3}, exchanges.get(2));
    }

    @Test
    void withoutCapacityNothingIsPacked() {
        run(0, tensors(List.of(1, 2, 3)));
        assertEquals(3, exchanges.size());
        for (int[] exchange : exchanges) {
            assertTrue(exchange[0] < BUFFER, "packed");
        }
    }
}
