package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Processors;
import org.brigade.process.TestJava;
import org.brigade.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that mpjrun binds, as the kernel sees them. */
@Timeout(400)
@Tag("slow")
@Tag("once")
class BindingJobsTest extends ProcessJobs {
    /** Each rank says how it waits. */
    private static final String REPORT = "-Dbrigade.waiting.report=true";

    /** Env, so that the launcher's PATH can be another one: java and the ranks need none. */
    private Job job(String path, String options, String... arguments) throws Exception {
        List<String> begin = new ArrayList<>(List.of("/usr/bin/env", "PATH=" + path));
        begin.addAll(TestJava.mpjrun(options.strip().split(" ")));
        return start(line(begin, BoundProgram.class, arguments)).ended(0);
    }

    private static CpuSet where(Job job, String who) throws Exception {
        return CpuSet.parseList(job.awaited(1, who + " runs on ").get(0));
    }

    private static CpuSet here() {
        CpuSet here = CpuSet.ofMask(Processors.ofThisThread().mask());
        assumeTrue(here.size() >= 2 && Runtime.getRuntime().availableProcessors() >= 2, "one processor");
        return here;
    }

    /** With taskset, if there is one, and without: then the launcher's thread binds itself for its children. */
    @ParameterizedTest
    @CsvSource({"/usr/bin:/bin, ''", "/nowhere, ''", "/nowhere, --nodes 2"})
    void eachRankRunsWhereTheLauncherSaysItDoes(String path, String nodes) throws Exception {
        CpuSet here = here();
        Job job = job(path, nodes + " -np 2 --bind-to core --report-bindings");
        CpuSet used = CpuSet.EMPTY;
        for (int rank = 0; rank < 2; rank++) {
            CpuSet its = where(job, "rank " + rank);
            String told = job.awaited(1, "mpjrun: rank " + rank + ": processors ").get(0);
            assertEquals(told.split(" ")[0], its.toString());
            assertTrue(here.containsAll(its) && used.and(its).isEmpty(), job.said());
            used = used.or(its);
        }
    }

    @Test
    void ranksThatCannotHaveProcessorsOfTheirOwnRunAnywhere() throws Exception {
        CpuSet here = here();
        int ranks = here.size() + 1;
        assumeTrue(ranks < 10, "a job of many ranks");
        Job job = job("/usr/bin:/bin", "-np " + ranks + " --bind-to numa " + REPORT);
        assertEquals(here, where(job, "rank " + (ranks - 1)));
        assertEquals(1, job.awaited(1, "mpjrun: --bind-to numa: the ranks are not bound").size());
        assertEquals(ranks, job.awaited(ranks, "brigade: rank ").size());
        assertEquals(ranks,
            job.said().split(": a processor that other ranks use too: yields at once\n", -1).length - 1);
    }

    @Test
    void aSpawnedProcessGetsACoreThatIsFree() throws Exception {
        here();
        Job job = job("/usr/bin:/bin", "-np 1 --bind-to core --report-bindings " + REPORT, "spawn");
        assertTrue(where(job, "rank 0").and(where(job, "child 0")).isEmpty(), job.said());
        assertEquals(1, job.awaited(1, "mpjrun: rank 0 of spawned job 1: processors ").size());
        String waits = job.awaited(1, "brigade: rank 0 of 1, joined to another job, on processors ").get(0);
        assertTrue(waits.contains(": a processor of its own, "), waits);
    }
}
