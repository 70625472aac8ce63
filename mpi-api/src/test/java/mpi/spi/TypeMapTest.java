package mpi.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TypeMapTest {
    /** A map, and what it means: the place of every packed byte, and the size of every element. */
    private record Sample(TypeMap map, List<Long> places, List<Integer> elements) {
    }

    private static Sample random(Random random, int depth) {
        switch (depth == 0 ? 0 : random.nextInt(4)) {
            case 0 -> {
                int element = 1 << random.nextInt(4);
                int count = random.nextInt(4);
                List<Long> places = new ArrayList<>();
                for (long i = 0; i < (long) count * element; i++) {
                    places.add(i);
                }
                return new Sample(TypeMap.contiguous(count, element), places, Collections.nCopies(count, element));
            }
            case 1, 2 -> {
                Sample item = random(random, depth - 1);
                int count = random.nextInt(5);
                long stride = random.nextInt(3) == 0 ? item.map.size : random.nextInt(100) - 30;
                List<Long> places = new ArrayList<>();
                List<Integer> elements = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    for (long place : item.places) {
                        places.add(place + i * stride);
                    }
                    elements.addAll(item.elements);
                }
                return new Sample(TypeMap.repeated(item.map, count, stride), places, elements);
            }
            default -> {
                int parts = random.nextInt(4);
                TypeMap[] maps = new TypeMap[parts];
                long[] offsets = new long[parts];
                List<Long> places = new ArrayList<>();
                List<Integer> elements = new ArrayList<>();
                for (int i = 0; i < parts; i++) {
                    Sample part = random(random, depth - 1);
                    maps[i] = part.map;
                    offsets[i] = i > 0 && random.nextBoolean() ? offsets[i - 1] + maps[i - 1].size
                        : random.nextInt(200) - 60;
                    for (long place : part.places) {
                        places.add(place + offsets[i]);
                    }
                    elements.addAll(part.elements);
                }
                return new Sample(TypeMap.sequence(maps, offsets), places, elements);
            }
        }
    }

    private static List<Long> visited(TypeMap map, long place, long from, long to) {
        List<Long> visited = new ArrayList<>();
        map.visit(place, from, to, (at, stride, bytes, count) -> {
            assertTrue(bytes > 0 && count > 0);
            for (long block = 0; block < count; block++) {
                for (long i = 0; i < bytes; i++) {
                    visited.add(at + block * stride + i);
                }
            }
        });
        return visited;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void everyStretchOfPackedBytesIsFoundWhereTheDefinitionPutsIt(int depth) {
        Random random = new Random(depth);
        for (int trial = 0; trial < 3000; trial++) {
            Sample sample = random(random, depth);
            TypeMap map = sample.map;
            assertEquals(sample.places.size(), map.size);
            assertEquals(sample.elements.size(), map.elements);
            if (map.size > 0) {
                assertEquals(Collections.min(sample.places), map.lowest);
                assertEquals(Collections.max(sample.places) + 1, map.highest);
                assertEquals(sample.places, visited(map, 0, 0, map.size));
                int from = random.nextInt((int) map.size);
                int to = from + 1 + random.nextInt((int) map.size - from);
                assertEquals(sample.places.subList(from, to), visited(map, 0, from, to));
            }
            assertEquals(new HashSet<>(sample.places).size() < sample.places.size(), map.overlaps());
            elementsAreCounted(sample);
        }
    }

    private static void elementsAreCounted(Sample sample) {
        long bytes = 0;
        for (int i = 0; i < sample.elements.size(); i++) {
            assertEquals(i, sample.map.elementsIn(bytes));
            assertEquals(bytes, sample.map.bytesOf(i));
            for (int inside = 1; inside < sample.elements.get(i); inside++) {
                assertEquals(-1, sample.map.elementsIn(bytes + inside));
            }
            bytes += sample.elements.get(i);
        }
    }

    /** Blocks at displacements of a v-call may lie before item 0. */
    @Test
    void itemsBeforeTheFirstAreFoundToo() {
        Random random = new Random(7);
        for (int trial = 0; trial < 3000; trial++) {
            Sample item = random(random, 2);
            if (item.map.size == 0) {
                continue;
            }
            long extent = item.map.highest - item.map.lowest + random.nextInt(20);
            TypeMap items = TypeMap.repeated(item.map, 1L << 31, extent);
            int from = random.nextInt(100) - 50;
            int to = from + 1 + random.nextInt(50);
            List<Long> expected = new ArrayList<>();
            for (int i = from; i < to; i++) {
                int size = (int) item.map.size;
                expected.add(1000 + Math.floorDiv(i, size) * extent + item.places.get(Math.floorMod(i, size)));
            }
            assertEquals(expected, visited(items, 1000, from, to));
        }
    }

    @Test
    void whatLiesSideBySideIsOneStretch() {
        TypeMap three = TypeMap.contiguous(3, 4);
        assertTrue(TypeMap.repeated(three, 5, 12).isContiguous());
        assertFalse(TypeMap.repeated(three, 5, 16).isContiguous());
        assertTrue(TypeMap.sequence(new TypeMap[] {three, three}, new long[] {0, 12}).isContiguous());
        assertFalse(TypeMap.sequence(new TypeMap[] {three, three}, new long[] {12, 0}).isContiguous());
        List<Long> calls = new ArrayList<>();
        TypeMap.repeated(TypeMap.repeated(TypeMap.contiguous(1, 8), 10, 80), 1 << 20, 800)
            .visit(0, 0, 8 << 20, (at, stride, bytes, count) -> calls.add(count));
        assertEquals(List.of(1L << 20), calls, "a column of columns is one column");
    }
}
