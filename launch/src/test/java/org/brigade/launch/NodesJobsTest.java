package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.nightly.Nightly;
import org.brigade.process.EndedJob;
import org.brigade.process.SharedFiles;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs of real processes on several emulated nodes, which a fabric of the tests joins: what holds on one node holds
 * between them, deaths above all.
 */
@Timeout(300)
@Tag("slow")
public class NodesJobsTest {
    private static final int SECONDS = 150; // it takes one; a busy machine is no failure

    @TempDir
    Path directory;

    private final SharedFiles before = new SharedFiles();

    @AfterEach
    void nothingIsLeftInSharedMemory() throws InterruptedException {
        before.assertNothingLeft();
    }

    /** What joins the nodes. */
    protected String fabric() {
        return "pretended";
    }

    private EndedJob run(int ranks, int nodes, String map, String program, String... arguments) throws Exception {
        Path text = directory.resolve("text");
        List<String> command = TestJava.mpjrun("-np", "" + ranks, "--nodes", "" + nodes,
            "--map", map, "-Dbrigade.fabric=" + fabric(), program);
        command.addAll(List.of(arguments));
        return EndedJob.of(new ProcessBuilder(command), text, SECONDS);
    }

    private static void assertSays(String text, String rankAndWhy) {
        assertTrue(text.lines().anyMatch(line -> line.matches("(?s).*(" + rankAndWhy + ").*")),
            "no line says \"" + rankAndWhy + "\":\n" + text);
        assertFalse(text.contains("finalized"), text);
    }

    private static String reason(String deed) {
        return switch (deed) {
            case "throw" -> "rank 1 of 3 threw java.lang.IllegalStateException";
            case "exit" -> "rank 1 .*exited (without|with code 3)";
            case "kill" -> "rank 1 .*(died|SIGKILL)|signal 9";
            case "abort" -> "rank 1 of 3 .*abort";
            default -> "rank 1 exited without MPI.Finalize";
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"block 2", "node 2", "0,1,2 3", "1,0,0 2"})
    void aGoodJobEndsWithNothingToSay(String map, int nodes) throws Exception {
        EndedJob job = run(3, nodes, map, FaultyProgram.class.getName(), "nothing", "nothing");
        assertEquals(0, job.code(), job.text());
        assertEquals(Set.of("rank 0 finalized", "rank 1 finalized", "rank 2 finalized"),
            new TreeSet<>(job.text().lines().toList()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"throw recv node", "exit barrier node", "kill recv node", "kill bcast 0,0,1",
        "leave bcast node", "abort barrier node"})
    @Nightly(delimiter = ' ', value = {"kill barrier 0,1,1", "leave recv 0,0,1"})
    void aRankThatDiesWhileOthersWaitEndsTheJobOnAllNodes(String deed, String where, String map) throws Exception {
        EndedJob job = run(3, 2, map, FaultyProgram.class.getName(), deed, where);
        assertNotEquals(0, job.code(), job.text());
        assertSays(job.text(), reason(deed));
        if (deed.equals("abort")) {
            assertEquals(7, job.code());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "barrier"})
    void aRankThatFinalizesWhileOtherNodesWaitForItEndsTheJob(String where) throws Exception {
        EndedJob job = run(3, 2, "node", FaultyProgram.class.getName(), "finalize", where);
        assertNotEquals(0, job.code(), job.text());
        assertSays(job.text(), "rank 1 is in MPI.Finalize and has not sent the awaited message");
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = '/',
        value = {"kill/recv/node", "kill/bcast/0,0,1", "kill/allreduce/0,1,1", "kill/long/node", "kill/any/node",
            "kill/send/0,1,2", "leave/recv/node", "leave/allreduce/0,1,1",
            "later/long collectives/node", "later/messages/0,0,1", "later/small collectives/node"})
    void survivorsOnAnyNodeHearOfItAndGoOn(String deed, String where, String map) throws Exception {
        EndedJob job = run(3, map.contains("2") ? 3 : 2, map, SurvivingProgram.class.getName(), deed, where);
        Set<String> said = new TreeSet<>(job.text().lines().filter(line -> line.startsWith("rank ")).toList());
        assertEquals(Set.of("rank 0 heard of it", "rank 2 heard of it", "rank 0 finalized", "rank 2 finalized"), said,
            job.text());
        assertEquals(deed.equals("leave") ? 0 : 128 + 9, job.code(), job.text());
    }

    @Test
    void everyRankIsToldTheSameSettingsOrTheJobDoesNotBegin() throws Exception {
        EndedJob job = run(2, 2, "block", "-Dbrigade.check=maybe", FaultyProgram.class.getName(), "nothing", "nothing");
        assertNotEquals(0, job.code());
        assertSays(job.text(), "-Dbrigade.check=maybe must be true or false");
    }

    @Test
    void aFabricThatIsNotThereIsAnError() throws Exception {
        EndedJob job =
            run(2, 2, "block", "-Dbrigade.fabric=carrier-pigeons", FaultyProgram.class.getName(), "nothing", "nothing");
        assertNotEquals(0, job.code());
        assertSays(job.text(),
            "brigade.fabric must name a fabric to join its nodes, but no fabric is called 'carrier-pigeons'; there are:"
                + " sisci, mpi, ucx, pretended");
    }
}
