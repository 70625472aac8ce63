package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.SpawnCommand;
import org.brigade.bootstrap.GroupLetter;
import org.brigade.bootstrap.Ports;
import org.brigade.bootstrap.SpawnRequest;
import org.brigade.bootstrap.ports.FilePorts;
import org.brigade.bootstrap.ports.LauncherInbox;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.ProgramOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a launcher answers to requests that it cannot follow: those who ask wait for the answer. */
@Timeout(200)
@Tag("once")
class SpawnedJobsTest {
    private static final String ROOT = "a-job";

    @TempDir
    Path folder;

    @Test
    void everyRequestIsAnsweredAndTheNextOneToo() throws Exception {
        LaunchOptions options = new LaunchOptions(
            new ProgramOptions(1, null, ".", null, List.of("-Dbrigade.ports=" + folder), List.of()));
        SpawnedJobs jobs = new SpawnedJobs(RankProcesses.none(), ROOT, options);
        FilePorts ports = new FilePorts(FilePorts.ofThisUser(folder.toString()), LauncherInbox.box(ROOT), null);
        jobs.start();
        try {
            assertTrue(answer(ports, command(Integer.MAX_VALUE)).contains("at most 8192"));
            assertTrue(answer(ports, command(Integer.MAX_VALUE), command(Integer.MAX_VALUE)).contains("at most 8192"));
            assertTrue(answer(ports, command(-1)).contains("NegativeArraySize"));
            assertTrue(answer(ports).contains("IndexOutOfBounds"));
            said(() -> {
                ports.askLauncher("test", new byte[] {1, 2, 3}); // nobody can be told of this one
                assertTrue(answer(ports, command(1)).contains("the first bad exit code was 3"));
            });
            assertEquals(0, jobs.toTheirEnd(0), "whoever has asked has the error; the launcher has none");
        } finally {
            jobs.endAll();
            ports.closeAll();
            jobs.sweep();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void said(Step step) throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setErr(new PrintStream(text, true));
        try {
            step.run();
        } finally {
            System.setErr(before);
        }
        assertTrue(text.toString().contains("a request to spawn cannot be read"), text.toString());
    }

    private static SpawnCommand command(int processes) {
        return new SpawnCommand("/bin/sh", List.of("-c", "exit 3"), processes, "");
    }

    private static String answer(FilePorts ports, SpawnCommand... programs) throws Exception {
        String port = ports.open("test");
        ports.askLauncher("test", new SpawnRequest(ROOT, port, new ArrayList<>(List.of(programs))).bytes());
        Ports.Arrival arrival = null;
        while (arrival == null) {
            Thread.sleep(1);
            arrival = ports.next("test", port);
        }
        ports.close("test", port);
        return GroupLetter.of(arrival.letter()).failure();
    }
}
