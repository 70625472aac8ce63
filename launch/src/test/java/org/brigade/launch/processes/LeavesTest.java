package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.nightly.Nightly;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of which ranks leave: they return from main, or exit with code 0, without Finalize. */
@Timeout(400)
@Tag("slow")
class LeavesTest extends ProcessJobs {
    private Job mpjrun(String options, String... arguments) throws Exception {
        List<String> begin = new ArrayList<>(TestJava.mpjrun(options.split(" ")));
        return start(line(begin, LeavingProgram.class, arguments));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-np 4", "-np 4 --nodes 2 --map node -Dbrigade.fabric=pretended"})
    void ranksThatDoNotNeedARankThatHasLeftGoOnAndFinalize(String options) throws Exception {
        Job job = mpjrun(options, "go on").ended(0);
        job.says(2, "this rank is through");
        assertFalse(job.said().contains("brigade:") || job.said().contains("mpjrun:"), job.said());
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = {"Recv from any", "Wait", "Send", "Iallreduce"})
    @Nightly({"Test", "Ssend", "Probe"})
    void aRankThatWaitsForOneThatHasLeftSaysWhichAndEndsTheJob(String call) throws Exception {
        Job job = mpjrun("-np 3", call).ended(1);
        String left = call.equals("Recv from any") ? "[12]" : "1";
        assertTrue(job.said().lines().anyMatch(line -> line.matches(
            "brigade: rank 0 of 3, waiting in \\w+: rank " + left + " exited without MPI.Finalize; ending the job")),
            job.said());
        assertFalse(job.said().contains("returned"), job.said());
        assertTrue(job.said().contains(call.equals("Recv from any")
            ? "mpjrun: rank 0 of 3 has given up waiting for a rank that has left"
            : "mpjrun: rank 1 of 3 exited with code 0 while others still waited for it"), job.said());
    }

    @Test
    void aRankThatExitsWithACodeEndsTheJobThoughNobodyWaitsForIt() throws Exception {
        Job job = mpjrun("-np 3", "dies").ended(3);
        assertTrue(job.said().contains("mpjrun: rank 1 of 3 exited with code 3; ending the job"), job.said());
    }

    @Test
    void underDevOtherThreadsCommunicateAfterFinalizeAndCreateKnowsTheGroupOutsideIt() throws Exception {
        mpjrun("-np 2 -dev multicore", "after Finalize").ended(0).says(2, "finalized true and a sum of 2");
    }
}
