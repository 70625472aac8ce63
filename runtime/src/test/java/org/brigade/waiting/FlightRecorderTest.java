package org.brigade.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.memory.NativeMemory;
import org.junit.jupiter.api.Test;

/** What a rank notes of its calls, and what is said of it when a job dies. */
class FlightRecorderTest {
    private static final int AT = 64;
    private static final long GRID = 7;
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 50 * SECOND;

    private final NativeMemory memory = NativeMemory.allocate(AT + FlightRecorder.BYTES);
    private final FlightRecorder recorder = new FlightRecorder(memory, AT, 0);

    private int allreduce(int number, long bytes) {
        return recorder.begins(Collective.ALLREDUCE, true, GRID << 32 | number, 0, bytes);
    }

    private static LastCalls.Of rank(int rank, boolean there, List<RecordedCall> calls) {
        return new LastCalls.Of(new RankState(rank, 100 + rank, there, null), calls);
    }

    @Test
    void theCallUnderWayAndThoseBeforeItAreRead() {
        recorder.names((int) GRID, "grid");
        assertEquals(List.of(), recorder.read(3));
        recorder.tick(NOW - 3 * SECOND);
        recorder.ended(recorder.begins(FlightRecorder.SEND, GRID << 32 | 5, 3, 1L << 33));
        recorder.ended(
            recorder.begins(FlightRecorder.RECV, GRID << 32 | 0xffffffffL, FlightRecorder.NOBODY, 8));
        recorder.begins(Collective.BCAST, false, GRID << 32 | 17, 2, -1);
        List<RecordedCall> calls = recorder.read(32);
        assertEquals(List.of("nonblocking bcast number 18 of grid, root 2", "recv of grid, any tag, 8 bytes",
            "send of grid, to rank 3, tag 5, 8589934592 bytes"), calls.stream().map(RecordedCall::words).toList());
        assertTrue(!calls.get(0).returned() && calls.get(1).returned());
        assertEquals(List.of("rank 4: in nonblocking bcast number 18 of grid, root 2, for 3.0 s",
            "    before: recv of grid, any tag, 8 bytes",
            "    before: send of grid, to rank 3, tag 5, 8589934592 bytes"),
            LastCalls.lines(List.of(rank(4, true, calls)), 3, NOW));
    }

    @Test
    void theOldestOfManyCallsAreForgottenAlsoWhereNumbersBeginAgain() {
        int last = 0;
        for (int i = 0; i < (1 << 23) + 40; i++) {
            last = allreduce(i, 4);
            recorder.ended(last);
        }
        assertEquals(40, last);
        List<RecordedCall> calls = recorder.read(100);
        assertEquals(FlightRecorder.CALLS, calls.size());
        assertEquals("allreduce number " + ((1 << 23) + 40) + " of communicator 7, 4 bytes", calls.get(0).words());
    }

    @Test
    void ranksThatDidTheSameShareALineAndRepeatedCallsAreCounted() {
        recorder.names((int) GRID, "grid");
        recorder.tick(NOW - SECOND);
        for (int i = 0; i < 4; i++) {
            recorder.ended(allreduce(i, 4));
        }
        List<RecordedCall> after = recorder.read(32);
        allreduce(4, 4);
        List<RecordedCall> within = recorder.read(32);
        assertEquals(
            List.of("ranks 0, 2: in allreduce number 5 of grid, 4 bytes, for 1.0 s",
                "    before: allreduce number 4 of grid, 4 bytes, and 3 like it before",
                "rank 1: (gone) after allreduce number 4 of grid, 4 bytes, 1.0 s ago",
                "    before: allreduce number 3 of grid, 4 bytes, and 2 like it before",
                "rank 3: has made no call"),
            LastCalls.lines(List.of(rank(0, true, within), rank(1, false, after), rank(2, true, within),
                rank(3, true, List.of())), 3, NOW));
    }

    @Test
    void callsThatAreAlikeTakeOneOfTheLines() {
        recorder.names((int) GRID, "grid");
        recorder.tick(NOW - SECOND);
        for (int i = 0; i < 100; i++) {
            recorder.ended(allreduce(i, 4));
        }
        assertEquals(List.of("rank 0: after allreduce number 100 of grid, 4 bytes, 1.0 s ago",
            "    before: allreduce number 99 of grid, 4 bytes, and 30 or more like it before"), shown(3));
        for (int i = 0; i < 4; i++) {
            recorder.made(FlightRecorder.ISEND, GRID << 32 | i, 1, 8);
        }
        recorder.ended(allreduce(100, 4));
        assertEquals(List.of("rank 0: after allreduce number 101 of grid, 4 bytes, 1.0 s ago",
            "    before: isend of grid, to rank 1, tag 3, 8 bytes",
            "    before: isend of grid, to rank 1, tag 2, 8 bytes"), shown(3));
        assertEquals(List.of("rank 0: after allreduce number 101 of grid, 4 bytes, 1.0 s ago"), shown(1));
    }

    private List<String> shown(int most) {
        return LastCalls.lines(List.of(rank(0, true, recorder.read(FlightRecorder.CALLS))), most, NOW);
    }

    @Test
    void aCallThatReturnsAfterManyOthersOfAnotherThreadDoesNotSpoilTheirEntries() {
        int slow = allreduce(0, 8);
        for (int i = 0; i < FlightRecorder.CALLS; i++) {
            recorder.begins(FlightRecorder.ISEND, GRID << 32 | i, 0, 8);
        }
        recorder.ended(slow);
        assertTrue(recorder.read(FlightRecorder.CALLS).stream().noneMatch(RecordedCall::returned));
    }

    @Test
    void theLibrarysOwnMessagesAreNotShown() {
        recorder.begins(FlightRecorder.ISEND, (GRID | 0x8000_0000L) << 32, 0, 8);
        assertEquals(List.of(), recorder.read(3));
    }

    @Test
    void aShortCallIsWrittenAtItsEndOrWhenItMustBeShown() {
        int quick = recorder.enters(Collective.BARRIER, true, GRID << 32, 0, 0);
        assertEquals(List.of(), recorder.read(3));
        recorder.ended(quick);
        assertTrue(recorder.read(3).get(0).returned());

        int slow = recorder.enters(Collective.BARRIER, true, GRID << 32 | 1, 0, 0);
        recorder.show();
        RecordedCall shown = recorder.read(1).get(0);
        assertTrue(!shown.returned() && shown.words().startsWith("barrier number 2 "), shown.words());
        recorder.ended(slow);
        assertTrue(recorder.read(1).get(0).returned());
        assertEquals(2, recorder.read(9).size());
    }

    /** As when a thread lets go of the lock without waiting, and another calls. */
    @Test
    void aCallThatAnotherFollowsIsWrittenFirst() {
        int first = recorder.enters(FlightRecorder.SEND, GRID << 32, 1, 8);
        int second = recorder.enters(FlightRecorder.RECV, GRID << 32 | 1, 1, 8);
        assertEquals(1, recorder.read(9).size());
        recorder.ended(second);
        assertTrue(recorder.read(9).get(0).returned() && !recorder.read(9).get(1).returned());
        recorder.ended(first);
        assertTrue(recorder.read(9).get(1).returned());
    }

    @Test
    void bytesAreSummedUpButForReceivesAndThoseNotKnown() {
        recorder.made(FlightRecorder.ISEND, GRID << 32, 1, 1L << 38); // too long for an entry, not for the sum
        recorder.made(FlightRecorder.IRECV, GRID << 32, 1, 5000);
        recorder.begins(Collective.GATHER, true, GRID << 32, 1, -1);
        assertEquals(List.of(-1L, 5000L, -1L), recorder.read(9).stream().map(RecordedCall::bytes).toList());
        assertEquals(1L << 38, recorder.sum());
        for (int i = 0; i < 16; i++) {
            recorder.ended(recorder.enters(Collective.ALLREDUCE, true, GRID << 32, 0, 8));
        }
        assertTrue(recorder.sum() > 1L << 38);
        recorder.enters(Collective.BARRIER, true, GRID << 32, 0, 0);
        recorder.show();
        assertEquals((1L << 38) + 16 * 8, recorder.sum());
    }

    @Test
    void algorithmsAreNotedByTheirNames() {
        long ring = recorder.algorithm("ring");
        assertEquals(ring, recorder.algorithm("ring"));
        int written = allreduce(0, 8);
        recorder.runs(written, ring);
        int entered = recorder.enters(Collective.BCAST, true, GRID << 32 | 1, 3, 16);
        recorder.runs(entered, recorder.algorithm("movement-avoiding"));
        recorder.runs(written, recorder.algorithm("pull")); // as the members have not agreed on the first
        recorder.ended(entered);
        assertEquals(List.of("movement-avoiding", "pull"),
            recorder.read(9).stream().map(RecordedCall::algorithm).toList());
        assertEquals("bcast number 2 of communicator 7, root 3, 16 bytes", recorder.read(1).get(0).words());
        for (int i = 0; i < 28; i++) {
            assertTrue(recorder.algorithm("a" + i) != 0);
        }
        recorder.runs(written, recorder.algorithm("one too many"));
        assertEquals("", recorder.read(9).get(1).algorithm());
    }

    @Test
    void whatCompiledCodeHasWrittenIsLeftAlone() {
        long key = GRID << 32 | 4;
        int first = recorder.enters(Collective.BARRIER, true, key, 0, 0);
        assertEquals(FlightRecorder.NONE, recorder.unwritten(key + 1));
        assertEquals(first, recorder.unwritten(key));
        recorder.written();
        assertEquals(FlightRecorder.NONE, recorder.unwritten(key));
        recorder.ended(first);
        assertEquals(List.of(), recorder.read(9));
        recorder.ended(recorder.enters(Collective.BARRIER, true, key, 0, 0));
        assertEquals(1, recorder.read(9).size());
    }
}
