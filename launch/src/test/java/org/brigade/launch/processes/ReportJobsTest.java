package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.brigade.probe.SingleCopy;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rank 0 of real jobs says of them. */
@Timeout(400)
@Tag("slow")
@Tag("once")
class ReportJobsTest extends ProcessJobs {
    private Job job(int code, int ranks, String... options) throws Exception {
        List<String> begin = TestJava.mpjrun("-np", "" + ranks);
        begin.addAll(List.of(options));
        return start(line(begin, ReportedProgram.class)).ended(code);
    }

    /** With folded lines as one. */
    private static String words(Job job) throws Exception {
        return job.said().replaceAll("\\s+", " ");
    }

    private static void contains(Job job, String words) throws Exception {
        assertTrue(words(job).contains(words), job.said());
    }

    @Test
    void oneRankTellsWhatWasChosenAndWhatRan() throws Exception {
        Job job = job(0, 2, "-Dbrigade.report=debug");
        job.says(1, "what was chosen for this job (brigade.report=debug)");
        contains(job, " 2 ranks on one node, started by mpjrun; Brigade ");
        contains(job, "-Dbrigade.report=debug ");
        contains(job, " within a node shm in /dev/shm: ");
        contains(job, " algorithms shm-default.table, ");
        assertTrue(words(job).matches(".* allreduce \\S+ \\S+ KiB 30 \\S+, by line \\d+ of shm-default.table: .*"),
            job.said());
        assertTrue(words(job).matches(".* allreduce from \\S+ KiB 1 movement-avoiding, by line .*"), job.said());
        assertEquals(32, job.said().lines().filter(each -> each.startsWith("  allreduce "))
            .mapToInt(each -> Integer.parseInt(each.substring(39).trim().split(" ")[0])).sum(), job.said());
    }

    @Test
    void aJobOfManyRanksWithoutTheLibraryHearsWhatThatCosts() throws Exception {
        int many = Runtime.getRuntime().availableProcessors() + 1;
        Job job = job(0, Math.min(many, 40), "-Dbrigade.report=info", "-Dbrigade.native=off");
        job.says(1, "what was chosen for this job (brigade.report=info)");
        contains(job, "costs speed - the compiled library is not loaded: ");
        contains(job, "Cure: leave out brigade.native");
        if (many <= 40) {
            contains(job, "they take turns, and each message to a rank that has no processor waits for the kernel");
        }
        job.says(0, "until Finalize (brigade.report=debug)");
    }

    @Test
    void blocksInTheHeapAreLeftToAnotherAlgorithm() throws Exception {
        assumeTrue(SingleCopy.here().available(), SingleCopy.here().words());
        Job job = job(0, 3, "-Dbrigade.report=debug");
        assertTrue(words(job).matches(".* alltoall \\S+ \\S+ KiB to \\S+ KiB 4 single-copy, by line .*"), job.said());
        assertTrue(words(job).matches(".* alltoall \\S+ \\S+ KiB 2 pairwise, by line .*"), job.said());
    }

    @Test
    void nothingIsSaidUnlessAsked() throws Exception {
        assertEquals("", job(0, 2).said());
        assertEquals("", job(0, 2, "-Dbrigade.report=off").said());
    }

    @Test
    void anotherLevelIsAnErrorOfInit() throws Exception {
        contains(job(1, 2, "-Dbrigade.report=all"), "Init on rank ");
        contains(job(1, 2, "-Dbrigade.report=all"), "-Dbrigade.report=all must be off or info or debug");
    }
}
