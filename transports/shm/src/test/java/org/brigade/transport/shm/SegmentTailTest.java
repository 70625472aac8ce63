package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.brigade.memory.NativeMemory;
import org.brigade.process.NamelessFile;
import org.brigade.transport.Endpoint;
import org.brigade.transport.NodeMemory;
import org.brigade.transport.tail.SegmentTail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentTailTest {
    private static final int PAGE = 4096;
    private static final int LARGE = 3 << 20;

    @TempDir
    private Path directory;

    private SegmentTail tail() {
        return new SegmentTail(() -> NamelessFile.make(directory, "tail"), directory,
            NativeMemory.allocate(Long.BYTES), 0);
    }

    /** Ranks that found the segment by its name, as processes do. */
    @Test
    void ranksShareMemoryThatNeverHasAName() throws IOException {
        Endpoint[] ends = SegmentRanks.open(Path.of("/dev/shm"), "tail-" + ProcessHandle.current().pid(), 2);
        NodeMemory one = ends[0].nodeMemory();
        NodeMemory other = ends[1].nodeMemory();
        long first = one.reserve(100);
        long second = other.reserve(LARGE);
        assertNotEquals(first, second);
        one.fill(first, 100);
        other.fill(second, LARGE);
        one.map(first, 100).putLong(8, 42);
        one.map(second, LARGE).putLong(LARGE - 8, 43);
        assertEquals(42, other.map(first, 100).getLong(8));
        assertEquals(43, other.map(second, LARGE).getLong(LARGE - 8));
        assertEquals(ends[0].rank(), 0);
        for (Endpoint end : ends) {
            end.close();
        }
        String said = assertThrows(IOException.class, () -> one.map(first + PAGE, LARGE)).getMessage();
        assertTrue(said.contains("ended"), said);
    }

    @Test
    void aLargeStretchGivesItsMemoryBack() throws IOException {
        SegmentTail tail = tail();
        long at = tail.reserve(LARGE);
        tail.fill(at, LARGE);
        ByteBuffer mapped = tail.map(at, LARGE);
        mapped.putLong(LARGE - 8, 42);
        tail.release(at, LARGE);
        assertEquals(0, mapped.getLong(LARGE - 8), "the mapping stays, without its pages");
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aStretchThatHasEndedIsUsedAgainAndFullOfZeros() throws IOException {
        SegmentTail tail = tail();
        long first = tail.reserve(100);
        long second = tail.reserve(PAGE + 1);
        long third = tail.reserve(100);
        assertEquals(List.of(0L, (long) PAGE, 3L * PAGE), List.of(first, second, third));
        for (int again = 0; again < 3; again++) {
            tail.fill(second, PAGE + 1);
            assertEquals(0, tail.map(second, PAGE + 1).getLong(PAGE - 7));
            assertEquals(0, tail.map(second, PAGE + 1).get(0));
            tail.map(second, PAGE + 1).put(0, (byte) -1).putLong(PAGE - 7, -1);
            tail.end(second, PAGE + 1);
            assertEquals(second, tail.reserve(2 * PAGE), "as long in pages");
        }
        tail.end(first, 100);
        tail.end(second, 2 * PAGE);
        assertEquals(4L * PAGE, tail.reserve(4 * PAGE), "too long for what has ended");
        tail.end(third, 100);
        assertEquals(first, tail.reserve(4 * PAGE), "the three touch");
    }

    @Test
    void anInterruptedThreadGetsMemoryAndStaysInterrupted() throws IOException {
        SegmentTail tail = tail();
        Thread.currentThread().interrupt();
        long at = tail.reserve(LARGE);
        tail.fill(at, LARGE);
        assertEquals(LARGE, tail.map(at, LARGE).capacity());
        assertTrue(Thread.interrupted());
    }

    @Test
    void aDirectoryThatIsNotThereIsAnError() {
        SegmentTail tail = new SegmentTail(() -> NamelessFile.make(directory.resolve("nowhere"), "tail"), directory,
            NativeMemory.allocate(Long.BYTES), 0);
        assertThrows(IOException.class, () -> tail.reserve(8));
    }
}
