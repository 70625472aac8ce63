package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that end by signals, by hooks and by exceptions. */
@Timeout(400)
@Tag("slow")
class EndsTest extends ProcessJobs {
    private Job mpjrun(String options, String... arguments) throws Exception {
        List<String> begin = new ArrayList<>(TestJava.mpjrun(options.split(" ")));
        return start(line(begin, EndingProgram.class, arguments));
    }

    /** Rank by rank the hooks begin at other times; a rank is there until its process is gone. */
    @ParameterizedTest
    @CsvSource({"-np 4", "-np 4 --nodes 2 -Dbrigade.fabric=pretended"})
    void hooksCommunicateAndFinalize(String options) throws Exception {
        mpjrun(options, "finalize").ended(0).says(4, "finalized after a sum of 4");
    }

    @Test
    void aHookThatNeedsARankWithoutOneSaysThatItHasLeft() throws Exception {
        Job job = mpjrun("-np 2", "finalize alone").ended(1);
        assertTrue(job.said().contains("rank 0 of 2, waiting in allreduce: rank 1 exited without MPI.Finalize"),
            job.said());
    }

    /** As long as mpjrun once gave them, and half as much again. */
    @Test
    void afterSigtermHooksHaveTheTimeThatGraceSaysAndAreHeard() throws Exception {
        Job job = mpjrun("-np 2 --grace 300", "checkpoint", "1500");
        job.awaited(2, "rank is up");
        job.process().toHandle().destroy();
        job.ended(128 + 15).says(2, "checkpoint is written");
    }

    @Test
    void noHookKeepsAJobLongerThanGraceSays() throws Exception {
        Job job = mpjrun("-np 2 --grace=0", "checkpoint", "3600000");
        job.awaited(2, "rank is up");
        job.process().toHandle().destroy();
        job.ended(128 + 15).says(0, "checkpoint is written");
    }

    @Test
    void aDefaultHandlerThatIsSetAfterInitIsCalledToo() throws Exception {
        mpjrun("-np 1", "handler").ended(1).says(1, "the handler has a reason");
    }
}
