package org.brigade.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.brigade.cli.shared.Json;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.RankActivity;
import org.brigade.waiting.RankState;
import org.brigade.waiting.RecordedCall;
import org.junit.jupiter.api.Test;

class JobsCommandTest {
    @Test
    void aJobIsGivenRankByRank() {
        RunningJob job = new RunningJob("47-1a", 4,
            List.of(new RankActivity(new RankState(0, 4730, true, null), 0, 0, null),
                new RankActivity(new RankState(2, 4735, false, null), 0, 0, null)));
        Map<?, ?> json = (Map<?, ?>) Json.read(Json.write(JobsCommand.named(job, System.nanoTime())));
        assertEquals(List.of("47-1a", 4.0, 2.0, 0.0, List.of()), List.of(json.get("id"), json.get("size"),
            json.get("ranksHere"), json.get("waiting"), json.get("conclusions")));
        assertEquals(List.of(
            Map.of("rank", 0.0, "pid", 4730.0, "running", true, "waits", false, "state", "does not wait in a call"),
            Map.of("rank", 2.0, "pid", 4735.0, "running", false, "waits", false, "state", "has finalized or ended")),
            json.get("ranks"));
    }

    private static RunningJob job(int made, boolean returned) {
        return new RunningJob("47-1a", 2,
            List.of(
                new RankActivity(new RankState(0, 4730, true, null), made, made > 1900 ? 0 : 3_000_000L,
                    new RecordedCall("allreduce", 1, "MPI_COMM_WORLD", "fused-flat", 17, true, -1, 1024, 0, returned)),
                new RankActivity(new RankState(1, 4735, true, null), 7, 0, null)));
    }

    @Test
    void aWatchTellsCallsAndBytesInASecondAndTheNewestWithItsAlgorithm() {
        int almostAll = RankActivity.MODULUS - 100;
        List<String> lines = RankWatch.lines(job(almostAll, true), job(1900, false), 2_000_000_000L, 5);
        assertEquals(List.of("0 4730 1000 1.500 fused-flat in allreduce number 18 of MPI_COMM_WORLD, 1024 bytes",
            "1 4735 0 0.000 - no call"),
            lines.subList(1, 3).stream().map(line -> line.trim().replaceAll(" +", " ")).toList());
    }

    @Test
    void theProgramIsFoundAmongJavasArguments() {
        assertEquals("App", JobProgram.main(List.of("-Xmx1g", "-cp", "a:b", "-ea", "App", "-jar", "x")));
        assertEquals("x.jar", JobProgram.main(List.of("-Da=b", "-jar", "x.jar", "y")));
        assertEquals("", JobProgram.main(List.of()));
        assertEquals(List.of("0 s", "119 s", "3 min", "2 h", "2 days"), Stream.of(0, 119, 200, 7200, 180_000)
            .map(each -> JobProgram.age(Duration.ofSeconds(each))).toList());
    }
}
