package org.brigade.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.brigade.cli.Brigade;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real sessions of two ranks, with a script. On every JDK, as each has a JShell of its own. */
@Timeout(300)
@Tag("slow")
class ShellJobTest {
    @TempDir
    Path folder;

    private record Session(int code, List<String> out, String err) {
        void says(String... lines) {
            for (String line : lines) {
                assertTrue(out.contains(line), () -> "'" + line + "' is not in\n" + this);
            }
        }
    }

    private Session run(String script, String... options) throws Exception {
        Path in = Files.writeString(folder.resolve("in"), script);
        List<String> line = new ArrayList<>(TestJava.launching(Brigade.class.getName(), "shell"));
        line.addAll(List.of(options));
        Process shell = new ProcessBuilder(line)
            .redirectInput(in.toFile()).redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile()).start();
        assertTrue(shell.waitFor(120, TimeUnit.SECONDS), "the session does not end");
        return new Session(shell.exitValue(), Files.readAllLines(folder.resolve("out")),
            Files.readString(folder.resolve("err")));
    }

    @Test
    void aScriptRunsOnAllRanksAndErrorsOfOneDoNotEndIt() throws Exception {
        Session session = run("""
            size + 40
            int here = rank + 50, there = rank + 60
            int[] mine = {rank, 10}
            comm.allReduce(mine, 2, MPI.INT, MPI.SUM)
            mine[0] * 100 + mine[1]
            @1 System.out.println("only rank " + rank)
            rank == 1 ? 1 / (rank - 1) : 7
            comm.send(mine, 5, MPI.INT, 0, 0)
            no such thing
            int twice(int x) {
                return 2 * x;
            }
            twice(rank + 1)
            %time 10x comm.barrier()
            %explain allreduce 1M
            @7 rank
            @0 comm.barrier()
            @1 comm.barrier()
            rank - 5
            %quit
            rank + 1000
            """, "-np", "2");
        assertEquals(0, session.code, session.toString());
        session.says("0-1: 42", "0: here = 50", "1: here = 51", "0: there = 60", "1: there = 61",
            "0: mine = int[2] { 0, 10 }", "1: mine = int[2] { 1, 10 }", "0-1: 120",
            "[1] only rank 1", "0: 7", "1: java.lang.ArithmeticException: / by zero", "defined twice(int)", "0: 2",
            "1: 4", "@7: there is no rank 7; ranks are 0-1", "0: done", "0: -5", "1: -4");
        String out = String.join("\n", session.out);
        assertTrue(out.contains("\n0-1: mpi.MPIException: MPI_ERR_") || out.contains("\n0: mpi.MPIException: MPI_ERR_"),
            out);
        assertTrue(session.out.stream().anyMatch(line -> line.startsWith("error: ")), out);
        for (String time : List.of("0: ", "1: ", "slowest: rank [01], ")) {
            assertTrue(session.out.stream().anyMatch(line -> line.matches(time + "[\\d.]+ (ns|us|ms|s)")), out);
        }
        assertTrue(out.contains("allreduce, 2 ranks on 1 node, host memory, 1 MiB: "), out);
        assertTrue(out.contains("rank 0 still runs"), "a barrier of one rank keeps nobody else from going on\n" + out);
        assertFalse(out.contains("\n0: 1000"), "nothing runs behind %quit\n" + out);
        assertFalse(out.contains("brigade> ") || out.contains("\033"), "no prompts and no colours in a pipe\n" + out);
        assertEquals("", session.err);
    }

    /** Both hosts are this machine: agents pass on the connections of their ranks. */
    @Test
    @Tag("once")
    void ranksOfSeveralHostsAnswerAndSayWhatTheyWaitForAndNothingIsLeft() throws Exception {
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        Path agent = Files.writeString(folder.resolve("agent"), """
            #!/bin/sh
            shift
            java=$1
            shift
            exec "$java" -Djava.io.tmpdir=%s "$@"
            """.formatted(theirs));
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
        Session session = run("""
            int[] mine = {rank, 10}
            comm.allReduce(mine, 2, MPI.INT, MPI.SUM)
            mine[0] * 100 + mine[1]
            @1 comm.barrier()
            rank + 50
            """, "--launch-agent", agent.toString(), "--hosts", "a:1,b:1");
        assertEquals(1, session.code, session.toString());
        session.says("0-1: 120", "0: 50");
        assertTrue(session.out.stream().anyMatch(
            line -> line.matches("  rank 1 \\(pid \\d+\\) has waited for \\d+ s in barrier .*for rank 0")),
            session.toString());
        assertTrue(session.err.contains("rank 1 has not answered; ended"), session.err);
        try (Stream<Path> left = Files.list(theirs)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    @Tag("once")
    void aRankThatExitsIsNamedAndEndsTheSession() throws Exception {
        Session session = run("""
            @1 System.exit(3)
            rank + 1000
            """, "-np", "2");
        assertEquals(3, session.code, session.toString());
        assertTrue(session.err.contains("brigade shell: rank 1 has ended, and the session with it"), session.err);
        assertTrue(session.err.contains("mpjrun: rank 1 of 2 exited with code 3"), session.err);
        assertEquals(List.of(), session.out);
    }
}
