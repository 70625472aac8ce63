package org.brigade.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.spi.TypeMap;
import mpi.spi.TypedBuffer;
import org.junit.jupiter.api.Test;

/** A region around items with gaps is their packed bytes, whatever holds them and wherever a stretch is cut. */
class TypedRegionTest {
    private static final int BYTES = 4_000;
    private final NativeMemory outside = NativeMemory.allocate(BYTES + 16);

    private static TypeMap column(int element, long stride) {
        return TypeMap.repeated(TypeMap.contiguous(1, element), 1 << 20, stride);
    }

    private static List<TypeMap> maps() {
        return List.of(column(8, 24), column(8, -16), column(4, 12), column(4, 8), column(2, 6), column(1, 3),
            column(1, 8), column(8, 20), column(16, 40), TypeMap.repeated(TypeMap.contiguous(3, 8), 1 << 20, 56),
            TypeMap.repeated(TypeMap.sequence(new TypeMap[] {TypeMap.contiguous(2, 8), column(4, 12)},
                new long[] {40, 0}), 1, 0),
            pieces(1), pieces(8));
    }

    /** More pieces than compiled code takes in one call, of one to three elements. */
    private static TypeMap pieces(int element) {
        TypeMap[] parts = new TypeMap[400 / element];
        long[] places = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = TypeMap.contiguous(1 + i % 3, element);
            places[i] = (long) i * 8 * element;
        }
        return TypeMap.sequence(parts, places);
    }

    /** Where the packed bytes lie, up to the first that is outside the buffer. */
    private static int[] places(TypeMap map, long place) {
        int[] places = new int[BYTES];
        int[] found = {0};
        boolean[] ended = {false};
        for (int at = 0; at < BYTES && !ended[0] && at < map.size; at++) {
            map.visit(place, at, at + 1, (where, stride, bytes, count) -> {
                ended[0] = where < 0 || where >= BYTES;
                if (!ended[0]) {
                    places[found[0]++] = (int) where;
                }
            });
        }
        return Arrays.copyOf(places, found[0]);
    }

    @Test
    void anyStretchIsPackedAndUnpacked() {
        for (Object buffer : RegionTest.buffers()) {
            Region plain = new Region().wrap(buffer, 0);
            Random random = new Random(3);
            for (TypeMap map : maps()) {
                for (long place : new long[] {0, 400, 8}) {
                    long first = map.lowest < 0 ? BYTES - 16 : place;
                    int[] places = places(map, first);
                    Region region = new Region().wrap(new TypedBuffer(buffer, first, map), 0);
                    for (int round = 0; round < 40; round++) {
                        int from = random.nextInt(places.length);
                        int bytes = random.nextInt(round % 2 == 0 ? 20 : BYTES) % (places.length - from + 1);
                        check(plain, region, places, from, bytes, random.nextInt(16), random, buffer + " " + round);
                    }
                }
            }
        }
    }

    private void check(Region plain, Region region, int[] places, int from, int bytes, int there, Random random,
        String what) {
        byte[] expected = contents(plain);
        byte[] read = new byte[bytes];
        region.read(from, outside, there, bytes);
        outside.bytes.get(there, read);
        byte[] packed = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            packed[i] = expected[places[from + i]];
        }
        assertArrayEquals(packed, read, what);
        for (int i = 0; i < bytes; i++) {
            byte value = (byte) random.nextInt(60); // no NaN, which a copy of floats may change
            outside.bytes.put(there + i, value);
            expected[places[from + i]] = value;
        }
        region.write(from, outside, there, bytes);
        assertArrayEquals(expected, contents(plain), what);
    }

    private byte[] contents(Region region) {
        byte[] all = new byte[BYTES];
        NativeMemory memory = NativeMemory.allocate(BYTES);
        region.read(0, memory, 0, BYTES);
        memory.bytes.get(0, all);
        return all;
    }

    @Test
    void regionsOfItemsWithGapsAreCopiedThroughOtherMemory() {
        Region even = new Region().wrap(new TypedBuffer(new int[] {1, 2, 3, 4, 5, 6}, 0, column(4, 8)), 0);
        int[] target = new int[6];
        Region odd = new Region().wrap(new TypedBuffer(target, 4, column(4, 8)), 0);
        assertFalse(RegionCopy.copy(odd, 0, even, 0, 12));
        even.read(0, outside, 0, 12);
        odd.write(0, outside, 0, 12);
        assertArrayEquals(new int[] {0, 1, 0, 3, 0, 5}, target);
    }

    @Test
    void placesOutsideADirectBufferAreRefused() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1024).order(ByteOrder.nativeOrder());
        for (long place : new long[] {-8, 16, 1024}) {
            Region region = new Region().wrap(new TypedBuffer(buffer, place, TypeMap.repeated(TypeMap.contiguous(1, 8),
                64, 16)), 0);
            assertThrows(IndexOutOfBoundsException.class, () -> region.read(0, outside, 0, 512), "read at " + place);
            assertThrows(IndexOutOfBoundsException.class, () -> region.write(0, outside, 0, 512), "write at " + place);
        }
    }

    /** Compiled code copies pieces that follow no rule, and checks none of them itself. */
    @Test
    void piecesOutsideABufferAreRefused() {
        ByteBuffer direct = ByteBuffer.allocateDirect(3208).order(ByteOrder.nativeOrder());
        for (Object buffer : new Object[] {direct, direct.asDoubleBuffer(), new double[401], new byte[3208]}) {
            Region fits = new Region().wrap(new TypedBuffer(buffer, 8, pieces(8)), 0);
            fits.read(0, outside, 0, 784);
            fits.write(0, outside, 0, 784);
            for (long place : new long[] {-8, 3208}) {
                Region region = new Region().wrap(new TypedBuffer(buffer, place, pieces(8)), 0);
                assertThrows(IndexOutOfBoundsException.class, () -> region.read(0, outside, 0, 784), "at " + place);
                assertThrows(IndexOutOfBoundsException.class, () -> region.write(0, outside, 0, 784), "at " + place);
            }
        }
    }
}
