package org.brigade.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import mpi.spi.Collective;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.schedule.Schedule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A schedule changes only when somebody means it to. */
class ScheduleDumpTest {
    @ParameterizedTest
    @CsvSource({
        "ALLREDUCE, recursive-doubling, 4, 1, 0, false",
        "ALLREDUCE, recursive-doubling, 6, 3, 0, true",
        "ALLREDUCE, ring, 4, 1, 0, false",
        "ALLREDUCE, segmented-ring, 2, 0, 0, true",
        "ALLREDUCE, rabenseifner, 5, 1, 0, false",
        "BCAST, pipelined-chain, 4, 2, 1, false",
        "BCAST, scatter-allgather, 6, 2, 0, false",
        "REDUCE, knomial, 7, 2, 2, false",
        "REDUCE_SCATTER, pairwise, 5, 2, 0, false",
        "ALLTOALL, bruck, 5, 0, 0, false",
        "BARRIER, dissemination, 5, 0, 0, false",
    })
    void aScheduleIsWhatItWas(Collective collective, String algorithm, int ranks, int rank, int root, boolean inPlace)
        throws IOException {
        Schedule[] schedules =
            Verifier.build((ScheduledAlgorithm) Catalogue.find(collective, algorithm), ranks, root, inPlace, 2);
        String actual = SchedulePrinter.print(schedules[rank]);
        String name = collective.key() + "-" + algorithm + "-" + rank + "-of-" + ranks + ".txt";
        try (InputStream file = ScheduleDumpTest.class.getResourceAsStream(name)) {
            String expected = file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(expected, actual, "the text of " + name);
        }
    }
}
