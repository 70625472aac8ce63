package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
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
 * Jobs of real processes on several nodes of the software library, which broadcast by reflective memory: in every mode
 * the data are the root's, and nothing is left behind.
 */
@Timeout(300)
@Tag("once") // jobs of many JVMs
class MulticastJobsTest {
    private static final int SECONDS = 150; // a busy machine is no failure

    @TempDir
    Path directory;

    private final SharedFiles before = new SharedFiles();

    @AfterEach
    void nothingIsLeftInSharedMemory() throws InterruptedException {
        before.assertNothingLeft();
    }

    private EndedJob run(int ranks, int nodes, String mode, String fault, String... arguments) throws Exception {
        Path text = directory.resolve("text");
        List<String> command = TestJava.mpjrun("-np", "" + ranks, "--nodes", "" + nodes, "--fabric", "sisci",
            "-Xmx200m", "-Dbrigade.bcast.algorithm=reflective-memory",
            "-Dbrigade.allreduce.algorithm=reflective-memory", MulticastProgram.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("BRIGADE_SISCI", "emulated");
        if (mode != null) {
            builder.environment().put("BRIGADE_SISCI_MODE", mode);
        }
        if (fault != null) {
            builder.environment().put("BRIGADE_SISCI_FAULT", fault);
        }
        return EndedJob.of(builder, text, SECONDS);
    }

    private static long count(EndedJob job, String word) {
        return job.text().lines().filter(line -> line.contains(word)).count();
    }

    @ParameterizedTest
    @CsvSource("5,3")
    @Nightly({"3,3", "4,4"})
    void everySizeFromEveryRootIsWhatItsScheduleBrings(int ranks, int nodes) throws Exception {
        EndedJob job = run(ranks, nodes, null, null, "all");
        assertEquals(0, job.code(), job.text());
        assertEquals(ranks, count(job, "finalized"), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = "weak=3,shifted")
    @Nightly({"weak=1", "weak=2", "weak=11", "weak=12"})
    void storesThatComeInAnyOrderChangeNothing(String mode) throws Exception {
        EndedJob job = run(4, 4, mode, null, "all");
        assertEquals(0, job.code(), job.text());
    }

    @Test
    void checksThatSayStoresAreLostCostNothingButTime() throws Exception {
        EndedJob job = run(3, 3, "weak=5", "sequence=retriable@3,sequence=pending@7", "soak", "4000");
        assertEquals(0, job.code(), job.text());
    }

    /** What members miss while a cable is out, nobody is told: it is stored again because it is not acknowledged. */
    @ParameterizedTest
    @CsvSource("12,weak=6")
    @Nightly({"4,", "8,"})
    void whatAMemberMissesWhileACableIsOutIsStoredAgain(String victim, String mode) throws Exception {
        EndedJob job = run(3, 3, mode, null, "soak", "4000", victim);
        assertEquals(0, job.code(), job.text());
        assertEquals(1, count(job, "cables pulled: 8"), job.text());
    }

    @Test
    void aSlowMemberLosesNothing() throws Exception {
        EndedJob job = run(4, 4, null, null, "slow");
        assertEquals(0, job.code(), job.text());
    }

    @Test
    void aCountThatIsNotTheRootsIsAnErrorAndHoldsUpNobody() throws Exception {
        EndedJob job = run(4, 4, null, null, "counts");
        assertEquals(0, job.code(), job.text());
        assertEquals(1, count(job, "refused"), job.text());
    }

    @ParameterizedTest
    @ValueSource(ints = 3_000_000)
    @Nightly({"8", "60000"})
    void whoeverBroadcastsWithARankThatIsKilledHearsOfIt(int bytes) throws Exception {
        EndedJob job = run(4, 4, null, null, "kill", "" + bytes);
        assertEquals(3, count(job, "heard of it"), job.text());
        assertEquals(3, count(job, "finalized"), job.text());
    }

    @Test
    void aNodeThatIsGoneEndsTheJob() throws Exception {
        EndedJob job = run(3, 3, null, "peer=lost@12+3", "soak", "100000000");
        assertNotEquals(0, job.code(), job.text());
        assertTrue(job.text().contains("rank "), job.text());
    }

    @Test
    void onTwoNodesItsScheduleRuns() throws Exception {
        EndedJob job = run(4, 2, null, null, "few");
        assertEquals(0, job.code(), job.text());
    }
}
