package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.brigade.communicator.NodesTrial;
import org.brigade.process.EndedJob;
import org.brigade.process.SharedFiles;
import org.brigade.process.TestJava;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that this test starts one by one, as anything may: they meet at BRIGADE_RENDEZVOUS, and UCX joins the nodes.
 */
@Timeout(300)
@Tag("slow")
class RendezvousJobsTest {
    private static final int SECONDS = 150; // it takes one; a busy machine is no failure

    @TempDir
    Path directory;
    private final SharedFiles before = new SharedFiles();
    private final List<Process> ranks = new ArrayList<>();
    private Map<String, String> variables;

    @BeforeEach
    void aSecretAndAnAddress() throws IOException {
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
        variables = new HashMap<>(Map.of("BRIGADE_RENDEZVOUS", port(), "BRIGADE_SECRET_FILE", secret("own"),
            "BRIGADE_INIT_TIMEOUT", "" + SECONDS));
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        ranks.forEach(Process::destroyForcibly);
        before.assertNothingLeft();
    }

    private static String port() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return "localhost:" + any.getLocalPort();
        }
    }

    private String secret(String name) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "the secret called " + name);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    private int start(int rank, int size, String... program) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(TestJava.command(program)).redirectErrorStream(true)
            .redirectOutput(text(ranks.size()).toFile());
        builder.environment().putAll(variables);
        builder.environment().put("BRIGADE_RANK", "" + rank);
        builder.environment().put("BRIGADE_SIZE", "" + size);
        Process process = builder.start();
        process.getOutputStream().close();
        ranks.add(process);
        return ranks.size() - 1;
    }

    private Path text(int process) {
        return directory.resolve("text" + process);
    }

    private EndedJob ended(int process) throws Exception {
        String text = Files.readString(text(process));
        assertTrue(ranks.get(process).waitFor(SECONDS, TimeUnit.SECONDS), text);
        return new EndedJob(ranks.get(process).exitValue(), Files.readString(text(process)));
    }

    private void assertFails(int process, String... words) throws Exception {
        EndedJob job = ended(process);
        assertNotEquals(0, job.code(), job.text());
        for (String each : words) {
            assertTrue(job.text().contains(each), "\"" + each + "\" is not in:\n" + job.text());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '/', value = {"port/0,1,1", "folder/0,1,0"})
    void allIsRightOnTwoNodes(String place, String nodes) throws Exception {
        Path folder = Files.createDirectory(directory.resolve("folder"));
        if (place.equals("folder")) {
            variables.put("BRIGADE_RENDEZVOUS", folder.toString());
        }
        variables.put("BRIGADE_EMULATED_NODES", nodes);
        for (int rank = 2; rank >= 0; rank--) {
            start(rank, 3, NodesTrial.class.getName(), nodes, "messages", "communicators");
        }
        for (int process = 0; process < 3; process++) {
            EndedJob job = ended(process);
            assertEquals(0, job.code(), job.text());
            assertTrue(job.text().contains("rank " + (2 - process) + ": all is right"), job.text());
        }
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void ranksOfOneMachineFindThatTheyShareIt() throws Exception {
        start(0, 2, NodesTrial.class.getName(), "0,0", "communicators");
        start(1, 2, NodesTrial.class.getName(), "0,0", "communicators");
        assertEquals(0, ended(0).code(), ended(0).text());
        assertEquals(0, ended(1).code(), ended(1).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,1,1", "1,0,1"})
    void theOthersHearOfAKilledRank(String nodes) throws Exception {
        variables.put("BRIGADE_EMULATED_NODES", nodes.equals("1,0,1") ? "0,1,0" : nodes);
        for (int rank = 0; rank < 3; rank++) {
            start(rank, 3, FaultyProgram.class.getName(), "kill", "recv");
        }
        assertEquals(128 + 9, ended(1).code());
        // Shared memory, UCX and the rendezvous see it; who of them is first differs.
        String words =
            "(?s).*rank 1 (\\(pid " + ranks.get(1).pid() + "( on \\S+)?\\) died|cannot be reached any more).*";
        for (int rank = 0; rank < 3; rank += 2) {
            EndedJob job = ended(rank);
            assertNotEquals(0, job.code(), job.text());
            assertTrue(job.text().matches(words), job.text());
        }
    }

    @Test
    void survivorsGoOn() throws Exception {
        variables.put("BRIGADE_EMULATED_NODES", "0,1,2");
        for (int rank = 0; rank < 3; rank++) {
            start(rank, 3, SurvivingProgram.class.getName(), "kill", "allreduce");
        }
        for (int rank = 0; rank < 3; rank += 2) {
            EndedJob job = ended(rank);
            assertEquals(0, job.code(), job.text());
            assertTrue(job.text().contains("rank " + rank + " finalized"), job.text());
        }
    }

    @Test
    void aRankThatNeverComesIsNamed() throws Exception {
        variables.put("BRIGADE_INIT_TIMEOUT", "2");
        start(0, 3, FaultyProgram.class.getName(), "nothing", "nothing");
        start(1, 3, FaultyProgram.class.getName(), "nothing", "nothing");
        assertFails(0, "waited 2 s for rank", "to call Init");
        assertFails(1, "Init on rank 1 of 3");
    }

    @Test
    void aRankWithAnotherSecretIsNamed() throws Exception {
        variables.put("BRIGADE_INIT_TIMEOUT", "20");
        start(0, 2, FaultyProgram.class.getName(), "nothing", "nothing");
        variables.put("BRIGADE_SECRET_FILE", secret("another"));
        start(1, 2, FaultyProgram.class.getName(), "nothing", "nothing");
        assertFails(1, "Init on rank 1 of 2", "the secrets differ", "BRIGADE_SECRET_FILE");
        assertFails(0, "waited 20 s for rank 1 to call Init", "was refused: the secrets differ");
    }

    @Test
    void aRankThatFailsInInitEndsTheOthers() throws Exception {
        start(0, 2, FaultyProgram.class.getName(), "nothing", "nothing");
        start(1, 2, "-Dbrigade.check=true", FaultyProgram.class.getName(), "nothing", "nothing");
        assertFails(0, "rank 1 was given other settings");
        assertFails(1, "rank 0 was given other settings");
    }

    @Test
    void twoJobsAtOneAddressAreASentence() throws Exception {
        int rank0 = start(0, 3, FaultyProgram.class.getName(), "nothing", "nothing");
        int rank1 = start(1, 3, FaultyProgram.class.getName(), "nothing", "nothing");
        int port = Integer.parseInt(variables.get("BRIGADE_RENDEZVOUS").substring("localhost:".length()));
        awaitConnections(port);
        assertFails(start(0, 3, FaultyProgram.class.getName(), "nothing", "nothing"),
            "something listens at port " + port, "give each job an address of its own by BRIGADE_RENDEZVOUS");
        assertFails(start(1, 3, FaultyProgram.class.getName(), "nothing", "nothing"), "is there already",
            "give each job an address of its own by BRIGADE_RENDEZVOUS");
        assertTrue(ranks.get(rank0).isAlive() && ranks.get(rank1).isAlive());
        start(2, 3, FaultyProgram.class.getName(), "nothing", "nothing");
        assertEquals(0, ended(rank0).code(), ended(rank0).text());
    }

    /** Returns once rank 0 has two connections: its own and that of rank 1. */
    private static void awaitConnections(int port) throws Exception {
        String at = String.format(":%04X ", port);
        for (int looks = 0; looks < SECONDS * 50; looks++) {
            long ends = 0;
            for (String table : List.of("tcp", "tcp6")) {
                ends += Files.readAllLines(Path.of("/proc/net/" + table)).stream()
                    .filter(line -> line.contains(at) && line.matches(" *\\d+: \\S+ \\S+ 01 .*")).count();
            }
            if (ends >= 4) {
                return; // who it is follows at once: long before the JVM of another job can have started
            }
            Thread.sleep(20);
        }
        throw new AssertionError("rank 1 does not connect");
    }

    @Test
    void whatIsMissingInTheEnvironmentIsNamed() throws Exception {
        variables.remove("BRIGADE_SECRET_FILE");
        assertFails(start(1, 2, FaultyProgram.class.getName(), "nothing", "nothing"), "BRIGADE_SECRET_FILE is not set");
        variables.put("BRIGADE_SECRET_FILE", directory.resolve("nowhere").toString());
        assertFails(start(1, 2, FaultyProgram.class.getName(), "nothing", "nothing"), "nowhere does not exist");
        variables.put("BRIGADE_RENDEZVOUS", "/nowhere");
        assertFails(start(1, 2, FaultyProgram.class.getName(), "nothing", "nothing"), "is neither HOST:PORT");
    }
}
