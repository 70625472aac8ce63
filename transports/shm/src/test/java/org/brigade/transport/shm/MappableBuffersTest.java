package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.brigade.engine.node.MappableBuffers;
import org.brigade.memory.NativeMemory;
import org.brigade.process.NamelessFile;
import org.brigade.transport.Endpoint;
import org.brigade.transport.NodeMemory;
import org.brigade.transport.tail.SegmentTail;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program's buffers in the node's memory: who keeps it, who gets it next, and when there is none. */
class MappableBuffersTest {
    private static final int LONG = 2 << 20;
    private static final int ROUNDS = 40;

    @TempDir
    Path directory;

    private SegmentTail tail;

    private MappableBuffers buffers(int ranks) {
        tail = new SegmentTail(() -> NamelessFile.make(directory, "buffers"), directory,
            NativeMemory.allocate(Long.BYTES), 0);
        return of(tail, ranks);
    }

    private static MappableBuffers of(NodeMemory memory, int ranks) {
        return new MappableBuffers((Endpoint) Proxy.newProxyInstance(Endpoint.class.getClassLoader(),
            new Class<?>[] {Endpoint.class}, (self, method, arguments) -> switch (method.getName()) {
                case "withinNode" -> self;
                case "size" -> ranks;
                case "nodeMemory" -> memory;
                default -> throw new AssertionError(method);
            }));
    }

    @AfterEach
    void close() throws Exception {
        if (tail != null) {
            tail.close();
        }
    }

    @Test
    void aViewOfAViewKeepsTheMemory() throws Exception {
        MappableBuffers buffers = buffers(2);
        LongBuffer view = buffers.make(LONG).slice(64, LONG - 64).asLongBuffer().slice(8, 1000).duplicate();
        LongBuffer shortView = buffers.make(800).duplicate().asLongBuffer().slice(0, 100);
        for (int i = 0; i < 100; i++) {
            view.put(i, 7);
            shortView.put(i, 7);
        }
        for (int round = 0; round < ROUNDS; round++) {
            System.gc();
            Thread.sleep(2);
            buffers.make(LONG).asLongBuffer().put(16, 9);
            for (int i = 0; i < 100; i++) {
                buffers.make(800).putLong(0, 9);
            }
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(7, view.get(i));
            assertEquals(7, shortView.get(i));
        }
    }

    @Test
    void memoryThatNobodyReachesServesAgainAndIsZero() throws Exception {
        MappableBuffers buffers = buffers(2);
        Set<Long> places = new HashSet<>();
        boolean again = false;
        for (int round = 0; round < 500 && !again; round++) {
            ByteBuffer each = buffers.make(LONG);
            assertNotNull(each, "round " + round);
            again = !places.add(buffers.place(each, tail));
            for (int at = 0; at < LONG; at += 512) {
                assertEquals(0, each.getLong(at));
            }
            each.putLong(1024, -1);
            each = null;
            System.gc();
            Thread.sleep(1);
        }
        assertTrue(again, places.size() + " places");
    }

    @Test
    void shortBuffersShareAStretchButNoCacheLine() throws Exception {
        MappableBuffers buffers = buffers(2);
        List<ByteBuffer> all = new ArrayList<>();
        Set<Long> lines = new HashSet<>();
        Set<Long> stretches = new HashSet<>();
        for (int i = 0; i < 3000; i++) {
            ByteBuffer each = buffers.make(1 + i % 100);
            all.add(each);
            long place = buffers.place(each, tail);
            assertEquals(1 + i % 100, each.capacity());
            assertEquals(0, place % 64);
            for (long line = place; line < place + each.capacity(); line += 64) {
                assertTrue(lines.add(line), "line " + line);
            }
            stretches.add(place >> 16);
            each.put(0, (byte) i);
        }
        assertTrue(stretches.size() <= 8, stretches + "");
        long at = buffers.place(all.get(99), tail);
        assertEquals(99, tail.map(at, 1).get(0)); // as another rank would see it
    }

    @Test
    void whereThereIsNoMemoryThereIsNoBuffer() {
        assertNull(of(null, 2).make(8));
        assertNull(buffers(1).make(8), "one rank");
        MappableBuffers buffers = buffers(2);
        assertNull(buffers.make((64 << 20) + 1));
        assertNull(buffers.make(0));
        assertEquals(-1, buffers.place(ByteBuffer.allocateDirect(8), tail));
        assertNotNull(buffers.make(8));
        assertEquals(-1, buffers.place(ByteBuffer.allocateDirect(8), tail));
        assertNull(buffers(Integer.MAX_VALUE).make(1 << 20), "a part for each of many ranks");
    }
}
