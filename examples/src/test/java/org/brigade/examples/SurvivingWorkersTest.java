package org.brigade.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A spawned worker is killed, and the master gets all results from the others. */
@Tag("once")
class SurvivingWorkersTest {
    @Test
    void theMasterGoesOnWithTheWorkersThatAreLeft() throws Exception {
        List<String> printed = RealRanks.run(Map.of(), false, 1, SurvivingWorkers.class, "3", "20", "1");
        assertEquals(List.of("going on with 2 workers", "the squares of the tasks add up to 2870"),
            printed.stream().filter(line -> !line.startsWith("mpjrun: ")).toList(), printed::toString);
    }
}
