package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Processors;
import org.brigade.launch.HostLauncher;
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

    private static CpuSet on(Job job, String thread) throws Exception {
        return CpuSet.parseList(job.awaited(1, thread + " on ").get(0));
    }

    /** The JVM's threads are on those processors; the program's are where the rank is. */
    private static void threadsAre(Job job, String who, CpuSet others) throws Exception {
        for (String thread : List.of("VM Thread", "C1 CompilerThre")) {
            assertEquals(others, on(job, who + ": " + thread), job.said());
        }
        for (String thread : List.of("early", "late")) {
            assertEquals(where(job, who), on(job, who + ": " + thread), job.said());
        }
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
        if (used.equals(here)) {
            threadsAre(job, "rank 1", where(job, "rank 1"));
        }
    }

    @Test
    void theJvmsOtherThreadsLeaveABoundRankForAProcessorThatIsSpare() throws Exception {
        here();
        Job job = job("/usr/bin:/bin", "-np 1 --bind-to core --report-bindings " + REPORT);
        String report = job.awaited(1, "mpjrun: rank 0: processors ").get(0);
        String others = "its JVM's other threads: processors ";
        boolean alone = where(job, "rank 0").size() > 1; // on a core's other hardware thread they disturb nobody
        assertEquals(!alone, report.contains(others), report);
        CpuSet spare = alone ? where(job, "rank 0")
            : CpuSet.parseList(report.substring(report.indexOf(others) + others.length()));
        assertTrue(alone || spare.and(where(job, "rank 0")).isEmpty(), report);
        threadsAre(job, "rank 0", spare);
        assertTrue(job.said().contains(": a processor of its own, and one for its JVM's compiler and collector: "),
            job.said());
    }

    /** One rank stands for two on twice the processors. */
    @ParameterizedTest
    @CsvSource({"always", "never"})
    void theJvmsOtherThreadsLeaveAProcessorToARankThatIsNotBound(String setting) throws Exception {
        CpuSet here = here();
        Job job = job("/usr/bin:/bin", "-np 1 " + REPORT + " -Dbrigade.spare.cores=" + setting);
        assertEquals(here, where(job, "rank 0"), "and so do the threads that it starts");
        boolean moved = setting.equals("always");
        assertEquals(moved ? here.minus(CpuSet.of(here.first())) : here, on(job, "rank 0: C1 CompilerThre"),
            job.said());
        for (String each : List.of("VM Thread", "early", "late")) {
            assertEquals(here, on(job, "rank 0: " + each), job.said());
        }
        assertEquals(moved, job.said().contains(", its JVM's other threads on "), job.said());
    }

    /** In a container that has one processor. */
    @Test
    void onOneProcessorTheyStay() throws Exception {
        CpuSet one = CpuSet.of(here().first());
        List<String> begin = new ArrayList<>(List.of("/usr/bin/env", "taskset", "-c", one.toString()));
        begin.addAll(TestJava.mpjrun("-np", "1", "-Dbrigade.spare.cores=always", REPORT));
        Job job = start(line(begin, BoundProgram.class)).ended(0);
        threadsAre(job, "rank 0", one);
        assertTrue(job.said().contains(": a processor of its own, shared with its JVM's compiler and collector: "),
            job.said());
    }

    /** Bound by the launcher itself, or by a program between it and the rank; and what switches that off. */
    @ParameterizedTest
    @CsvSource({"openmpi, --bind-to none, enough", "openmpi, --bind-to none, never", "mpich, '', enough"})
    void theyDoSoUnderOtherLaunchers(String mpi, String options, String setting) throws Exception {
        CpuSet here = here();
        CpuSet home = CpuSet.of(here.toArray()[here.size() - 1]);
        List<String> begin = new ArrayList<>(List.of("/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"));
        begin.addAll(HostLauncher.ranks(mpi, 1));
        begin.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
        begin.addAll(List.of("taskset", "-c", home.toString()));
        begin.addAll(TestJava.command("-Dbrigade.spare.cores=" + setting, REPORT));
        Job job = start(line(begin, BoundProgram.class)).ended(0);
        assertEquals(home, where(job, "rank 0"));
        CpuSet others = on(job, "rank 0: VM Thread");
        boolean moved = !setting.equals("never");
        assertEquals(!moved, others.equals(home), job.said());
        assertTrue(others.equals(home) || here.minus(home).containsAll(others), job.said());
        threadsAre(job, "rank 0", others);
        assertEquals(moved, job.said().contains(", its JVM's other threads on " + others + ": "), job.said());
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
        CpuSet child = where(job, "child 0");
        assertTrue(where(job, "rank 0").and(child).isEmpty(), job.said());
        assertTrue(on(job, "rank 0: VM Thread").and(child).isEmpty(), "the parent's other threads leave it: " + job
            .said());
        assertTrue(on(job, "child 0: VM Thread").and(where(job, "rank 0")).isEmpty(), job.said());
        assertEquals(1, job.awaited(1, "mpjrun: rank 0 of spawned job 1: processors ").size());
        String waits = job.awaited(1, "brigade: rank 0 of 1, joined to another job, on processors ").get(0);
        assertTrue(waits.contains(": a processor of its own, "), waits);
    }
}
