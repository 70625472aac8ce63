package org.brigade.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.brigade.cli.shared.Json;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.RankState;
import org.junit.jupiter.api.Test;

class JobsCommandTest {
    @Test
    void aJobIsGivenRankByRank() {
        RunningJob job = new RunningJob("47-1a", 4,
            List.of(new RankState(0, 4730, true, null), new RankState(2, 4735, false, null)));
        Map<?, ?> json = (Map<?, ?>) Json.read(Json.write(JobsCommand.named(job, System.nanoTime())));
        assertEquals(List.of("47-1a", 4.0, 2.0, 0.0, List.of()), List.of(json.get("id"), json.get("size"),
            json.get("ranksHere"), json.get("waiting"), json.get("conclusions")));
        assertEquals(List.of(
            Map.of("rank", 0.0, "pid", 4730.0, "running", true, "waits", false, "state", "does not wait in a call"),
            Map.of("rank", 2.0, "pid", 4735.0, "running", false, "waits", false, "state", "has finalized or ended")),
            json.get("ranks"));
    }
}
