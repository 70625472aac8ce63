package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyWaysTest {
    private static final long BYTES = 100_000;

    private final CopyWays ways = new CopyWays(CopyWays.Use.MEASURED, CopyWays.Use.MEASURED);
    /** What a message takes each way. */
    private final long[] nanos = {40_000, 30_000, 20_000};

    /** Sends messages whose receiver answers before the next; how many went each way. */
    private int[] send(int messages, long bytes, boolean mayLend) {
        int[] taken = new int[3];
        for (int message = 0; message < messages; message++) {
            int way = ways.next(bytes, ways.mayStream(bytes), mayLend);
            taken[way]++;
            if (ways.isTimed()) {
                assertTrue(ways.isAwaited());
                ways.heard(CopyWays.time(way, bytes, message, nanos[way]));
                assertFalse(ways.isAwaited());
            }
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(ints = {CopyWays.RING, CopyWays.STREAM, CopyWays.LOAN})
    void theFastestWayIsTakenAndTheOthersAreTried(int fastest) {
        nanos[fastest] = 15_000;
        send(100, BYTES, true);
        int[] taken = send(64_000, BYTES, true);
        for (int way = 0; way < 3; way++) {
            if (way == fastest) {
                assertEquals(63_000, taken[way]);
            } else {
                assertEquals(500, taken[way], "way " + way);
            }
        }
    }

    @Test
    void anotherWayIsTakenOnceItIsFaster() {
        send(100, BYTES, true);
        nanos[CopyWays.LOAN] = 90_000;
        send(4, BYTES, true); // the last four times count, and all loans are timed
        assertTrue(send(64, BYTES, true)[CopyWays.STREAM] >= 63);
        nanos[CopyWays.RING] = 10_000;
        send(129, BYTES, true); // two trials
        assertTrue(send(64, BYTES, true)[CopyWays.RING] >= 63);
    }

    @Test
    void aMuchSlowerWayIsTriedRarely() {
        nanos[CopyWays.RING] = 100_000;
        send(100, BYTES, true);
        int[] taken = send(64 * 64, BYTES, true);
        assertEquals(2, taken[CopyWays.RING]);
        assertEquals(32, taken[CopyWays.STREAM]);
    }

    @Test
    void shortMessagesStreamOnlyInProgramsThatSendMany() {
        assertEquals(32, send(32, 4096, false)[CopyWays.RING]);
        send(32, 4096, false);
        assertTrue(send(1000, 4096, false)[CopyWays.STREAM] > 980);
        assertEquals(32, send(32, 8192, false)[CopyWays.RING], "another size class begins anew");
    }

    @Test
    void fewShortMessagesAreTimed() {
        send(100, 4096, false);
        int timed = 0;
        for (int message = 0; message < 1600; message++) {
            ways.next(4096, true, false);
            timed += ways.isTimed() ? 1 : 0;
        }
        assertEquals(100, timed);
    }

    @Test
    void noWayIsTakenThatTheMessageCannotGo() {
        assertEquals(0, send(5000, BYTES, false)[CopyWays.LOAN]);
        for (int message = 0; message < 5000; message++) {
            assertEquals(CopyWays.RING, ways.next(BYTES, false, false));
            assertFalse(ways.isTimed());
        }
    }

    @Test
    void theUserMayDecide() {
        CopyWays never = new CopyWays(CopyWays.Use.ALWAYS, CopyWays.Use.NEVER);
        CopyWays always = new CopyWays(CopyWays.Use.NEVER, CopyWays.Use.ALWAYS);
        for (int message = 0; message < 100; message++) {
            assertEquals(CopyWays.LOAN, never.next(BYTES, never.mayStream(BYTES), true));
            assertEquals(CopyWays.RING, never.next(BYTES, never.mayStream(BYTES), false));
            assertEquals(CopyWays.STREAM, always.next(BYTES, always.mayStream(BYTES), false));
        }
    }
}
