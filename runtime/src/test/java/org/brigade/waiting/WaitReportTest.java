package org.brigade.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitReportTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 100 * SECOND;

    private static RankState waits(int rank, Wait wait, int seconds, int... peers) {
        wait.since = NOW - seconds * SECOND;
        wait.seen = NOW - SECOND / 50;
        for (int peer : peers) {
            wait.peer(peer);
        }
        return new RankState(rank, 1000 + rank, true, wait);
    }

    private static Wait collective(String call, int number) {
        Wait wait = new Wait().begin(call);
        wait.on("grid");
        wait.collective(9L << 32 | number - 1);
        return wait;
    }

    private static Wait recv(int tag) {
        Wait wait = new Wait().begin("recv");
        wait.on("grid");
        wait.receive(9, tag);
        return wait;
    }

    private static RankState computes(int rank) {
        return new RankState(rank, 1000 + rank, true, null);
    }

    private static List<String> lines(RankState... states) {
        return new WaitReport(List.of(states), NOW).lines();
    }

    @Test
    void ranksThatWaitForEachOtherAreACycle() {
        assertEquals(List.of("rank 0 (pid 1000) has waited for 12 s in recv with tag 3 of grid for rank 1",
            "rank 1 (pid 1001) has waited for 12 s in recv with any tag of grid for rank 2",
            "rank 2 (pid 1002) has waited for 5 s in recv with tag 3 of grid for rank 0",
            "cycle: rank 0 waits for rank 1, which waits for rank 2, which waits for rank 0"),
            lines(waits(0, recv(3), 12, 1), waits(1, recv(Wait.ANY_TAG), 12, 2), waits(2, recv(3), 5, 0)));
    }

    /** They may compute what is waited for, however long that takes. */
    @Test
    void processesOfOtherJobsAreNamedAndAWaitForThemIsNoStall() {
        RankState[] states = {waits(0, recv(3), 12, -4711, 1), waits(1, recv(3), 12, Wait.STRANGER),
            waits(2, recv(3), 12, -4712)};
        WaitReport report = new WaitReport(List.of(states), NOW, Map.of(4712L, "rank 5 of job other"));
        assertEquals(List.of(
            "rank 0 (pid 1000) has waited for 12 s in recv with tag 3 of grid for rank 1 and process 4711 of another job",
            "rank 1 (pid 1001) has waited for 12 s in recv with tag 3 of grid for a process of another job",
            "rank 2 (pid 1002) has waited for 12 s in recv with tag 3 of grid for rank 5 of job other"),
            report.lines());
        assertFalse(report.isStalled(10 * SECOND));
        assertTrue(new WaitReport(List.of(waits(0, recv(3), 12, 1), waits(1, recv(3), 12)), NOW)
            .isStalled(10 * SECOND));
    }

    @Test
    void aChainIsNoCycleAndItsEndIsNamed() {
        assertEquals(List.of("rank 2, for which ranks 0 and 1 wait, does not wait in a call"),
            lines(waits(0, recv(3), 12, 2), waits(1, collective("barrier", 4), 3, 2), computes(2)).subList(3, 4));
    }

    @Test
    void differentCallsOfOneCommunicatorAreAMismatch() {
        List<String> lines = lines(waits(0, collective("allreduce", 18), 9), waits(1, collective("barrier", 17), 9),
            waits(2, collective("allreduce", 18), 9), waits(3, collective("bcast", 17), 9));
        assertEquals(
            List.of("mismatch: rank 3 is in bcast number 17 of grid, rank 1 in barrier number 17 of grid",
                "mismatch: ranks 0 and 2 are in allreduce number 18 of grid, rank 1 still in barrier number 17 of grid"),
            lines.subList(4, lines.size()).stream().sorted((a, b) -> b.compareTo(a)).sorted(
                (a, b) -> Boolean.compare(a.contains("still"), b.contains("still"))).toList());
    }

    @Test
    void theSameCallIsNoMismatchAndShortWaitsAreNoProof() {
        assertEquals(2, lines(waits(0, collective("barrier", 17), 9), waits(1, collective("barrier", 17), 9)).size());
        assertEquals(2, lines(waits(0, recv(1), 0, 1), waits(1, recv(1), 0, 0)).size());
    }

    @Test
    void aJobIsStalledIfAllOfItsRanksWaitForLong() {
        RankState ended = new RankState(2, 1002, false, null);
        assertTrue(new WaitReport(List.of(waits(0, recv(1), 60), waits(1, recv(1), 61), ended), NOW)
            .isStalled(60 * SECOND));
        assertFalse(new WaitReport(List.of(waits(0, recv(1), 60), waits(1, recv(1), 59)), NOW).isStalled(60 * SECOND));
        assertFalse(new WaitReport(List.of(waits(0, recv(1), 60), computes(1)), NOW).isStalled(60 * SECOND));
        assertFalse(new WaitReport(List.of(ended), NOW).isStalled(60 * SECOND));
    }

    /** A rank that has not looked for long is in the user's code. */
    @Test
    void aWaitThatHasEndedIsThePast() {
        Wait wait = recv(1);
        wait.since = NOW - 90 * SECOND;
        wait.seen = NOW - 7 * SECOND;
        assertEquals(List.of("rank 0 (pid 1000) does not wait in a call; its last long wait was in recv with tag 1 of"
            + " grid, 7 s ago"), lines(new RankState(0, 1000, true, wait)));
    }
}
