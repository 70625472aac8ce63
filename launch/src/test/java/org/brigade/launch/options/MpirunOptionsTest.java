package org.brigade.launch.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.brigade.launch.options.LaunchHelp;
import org.brigade.launch.Launcher;
import org.brigade.process.TestJava;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that mpjrun has in common with mpirun, with the real launcher and real ranks. */
@Timeout(300)
class MpirunOptionsTest {
    private static final String PROGRAM = OptionsProgram.class.getName();
    private static final String FEATURE = " on " + Runtime.version().feature();

    @TempDir
    Path folder;

    private record Ended(int code, List<String> out, String err) {
    }

    private Process start(String... line) throws IOException {
        return new ProcessBuilder(TestJava.mpjrun(line)).redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile()).start();
    }

    private Ended run(String... line) throws Exception {
        return end(start(line));
    }

    private Ended end(Process launcher) throws Exception {
        launcher.getOutputStream().close();
        assertTrue(launcher.waitFor(200, TimeUnit.SECONDS), "the launcher does not end");
        return new Ended(launcher.exitValue(), Files.readAllLines(folder.resolve("out")).stream().sorted().toList(),
            Files.readString(folder.resolve("err")));
    }

    @Test
    void severalProgramsAreOneJobEachWithItsVariablesAndDirectory() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        Ended job =
            run("-np", "1", "-x", "A=1 = 2", "-cp", TestJava.CLASS_PATH, PROGRAM, "x", ":", "-np", "2", "--wdir",
                other.toString(), PROGRAM, "y");
        assertEquals(0, job.code(), job.err());
        String here = new File("").getAbsoluteFile().getName();
        assertEquals(List.of("0 of 3 in " + here + " application 0 A=1 = 2 x" + FEATURE,
            "1 of 3 in other application 1 A=null y" + FEATURE, "2 of 3 in other application 1 A=null y" + FEATURE),
            job.out());
    }

    @Test
    void aJobThatRunsForTooLongEndsAndSaysWhoWaitsForWhom() throws Exception {
        Ended job = run("-np", "2", "--timeout", "6", PROGRAM, "hang");
        assertEquals(110, job.code(), job.err());
        assertTrue(job.err().contains("the job has run for 6 s (--timeout); ending it"), job.err());
        assertTrue(job.err().contains("cycle: rank 0 waits for rank 1, which waits for rank 0"), job.err());
        assertEquals(0, run("-np", "2", "--timeout", "120", PROGRAM).code(),
            "a limit that is not reached says nothing");
    }

    @Test
    void eachRanksOutputIsInAFileToo() throws Exception {
        Path files = folder.resolve("a/b");
        Ended job = run("-np", "2", "--output-filename", files.toString(), PROGRAM);
        assertEquals(2, job.out().size(), job.err());
        for (int rank = 0; rank < 2; rank++) {
            String text = Files.readString(files.resolve("rank." + rank));
            assertTrue(text.contains(job.out().get(rank)) && text.contains("error of " + rank), text);
        }
        job = run("-np", "1", "--output-filename", files + ":nocopy", "--tag-output", PROGRAM);
        assertEquals(List.of(), job.out());
        List<String> lines = Files.readAllLines(files.resolve("rank.0")); // the two streams in any order
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("0 of 1 in ")), "without a tag: " + lines);
        String refused = run("-np", "2", "--output-filename", "/proc/none", PROGRAM).err();
        assertTrue(refused.contains("the folder cannot be made"), refused);
    }

    /** A debugger shakes hands, and then the JVM that waits for it goes on when the debugger leaves. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneRankWaitsForADebugger(boolean hosts) throws Exception {
        int port = freePort();
        List<String> line = new ArrayList<>(List.of("--debug", "1:" + port, PROGRAM));
        if (hosts) {
            assumeTrue(UcxInventory.missing() == null, UcxInventory::missing);
            Path agent = Files.writeString(folder.resolve("agent"), "#!/bin/sh\nshift\nexec \"$@\"\n");
            Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
            line.addAll(0, List.of("--launch-agent", agent.toString(), "--hosts", "a:1,b:1"));
        } else {
            line.addAll(0, List.of("-np", "2"));
        }
        Process launcher = start(line.toArray(new String[0]));
        try {
            while (!Files.readString(folder.resolve("err")).contains("rank 1 waits for a debugger at port " + port)) {
                assertTrue(launcher.isAlive(), () -> "ended: " + read("err"));
                Thread.sleep(20);
            }
            Thread.sleep(1500);
            assertEquals("", read("out"), "no rank goes on in Init while one waits");
            try (Socket debugger = connected(launcher, port)) {
                debugger.setSoTimeout(60_000);
                comeAndLeave(new DataInputStream(debugger.getInputStream()), debugger.getOutputStream());
                Ended job = end(launcher);
                assertEquals(0, job.code(), job.err());
                assertEquals(2, job.out().size(), job.err());
            }
        } finally {
            launcher.destroy();
        }
    }

    /**
     * Shakes hands, waits for the event that the JVM has started, and leaves. A debugger that leaves before that event
     * resumes a JVM that is not suspended yet: it would then wait for ever.
     */
    private static void comeAndLeave(DataInputStream in, OutputStream out) throws IOException {
        byte[] hands = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
        out.write(hands);
        assertEquals(new String(hands, StandardCharsets.US_ASCII),
            new String(in.readNBytes(hands.length), StandardCharsets.US_ASCII));
        boolean started = false;
        while (!started) {
            byte[] packet = in.readNBytes(in.readInt() - Integer.BYTES);
            // id (4 bytes), flags, command set 64, command 100 (Event.Composite), policy, count, kind 90 (VM_START)
            started = packet[4] == 0 && packet[5] == 64 && packet[6] == 100 && packet[12] == 90;
        }
        // length 11, id 1, no flags, VirtualMachine.Dispose: the JVM goes on
        out.write(new byte[] {0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 6});
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        }
    }

    private static Socket connected(Process launcher, int port) throws Exception {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException notYet) {
                assertTrue(launcher.isAlive());
                Thread.sleep(50);
            }
        }
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void whatOthersSetUpIsReadOverWithOneLine() throws Exception {
        Ended job = run("--allow-run-as-root", "--oversubscribe", "--mca", "btl", "tcp,self", "-np", "2", "--map-by",
            "core", "-H", "localhost:2", TestJava.JAVA, PROGRAM);
        assertEquals(2, job.out().size(), job.err());
        assertEquals(1, job.err().lines().filter(line -> line.startsWith("mpjrun: ")).count(), job.err());
        assertTrue(job.err().contains("ignored: --mca btl tcp,self, --map-by core."), job.err());
    }

    @Test
    void versionAndCompletionAreSaidOnce() throws Exception {
        assertTrue(run("-np", "4", "--version").out().toString().matches("\\[Brigade [0-9.]+, on Java .*\\]"));
        List<String> complete = new ArrayList<>(List.of("bash", "-c", "eval \"$1\"; COMP_WORDS=(mpjrun --out);"
            + " COMP_CWORD=1; _mpjrun; echo ${COMPREPLY[@]}", "x", LaunchHelp.completion()));
        Process shell = new ProcessBuilder(complete).redirectErrorStream(true).start();
        assertEquals("--output-filename", new String(shell.getInputStream().readAllBytes()).trim());
    }

    @Test
    void aProgramInAModuleRuns() throws Exception {
        Path jar = Path.of("target", "brigade.jar").toAbsolutePath();
        assumeTrue(Files.exists(jar), "brigade.jar is not packed");
        Path main = Files.createDirectories(folder.resolve("src/app")).resolve("Main.java");
        Files.writeString(main,
            "package app; public class Main { public static void main(String[] a) throws Exception {"
                + " mpi.MPI.Init(a); System.out.println(Main.class.getModule() + \" with \" + mpi.MPI.class.getModule());"
                + " mpi.MPI.Finalize(); } }");
        Path module = Files.writeString(folder.resolve("src/module-info.java"), "module app { requires org.brigade; }");
        Process javac = new ProcessBuilder(Path.of(TestJava.JAVA).resolveSibling("javac").toString(), "-p",
            jar.toString(), "-d", folder.resolve("mods/app").toString(), module.toString(), main.toString())
            .inheritIO().start();
        assertEquals(0, javac.waitFor());
        List<String> line = TestJava.command("-Dbrigade.launch.path=" + jar, Launcher.class.getName(), "-np", "2", "-p",
            folder.resolve("mods").toString(), "-m", "app/app.Main");
        Ended job = end(new ProcessBuilder(line).redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile()).start());
        assertEquals(List.of("module app with module org.brigade", "module app with module org.brigade"), job.out(),
            job.err());
        assertEquals("", job.err(), "no JVM warns");
    }

    @Test
    void theJarStartsProgramsWithoutAnyScript() throws Exception {
        Path jar = Path.of("target", "brigade.jar").toAbsolutePath();
        assumeTrue(Files.exists(jar), "brigade.jar is not packed");
        Ended job = end(new ProcessBuilder(TestJava.JAVA, "-jar", jar.toString(), "-np", "2", "-cp",
            TestJava.CLASS_PATH, PROGRAM, "jar").redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile()).start());
        assertEquals(0, job.code(), job.err());
        assertEquals(2, job.out().stream().filter(line -> line.contains(" of 2 ") && line.contains(" jar on "))
            .count(), job.out()::toString);
        job = end(new ProcessBuilder(TestJava.JAVA, "-jar", jar.toString(), "info")
            .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile()).start());
        assertEquals(2, job.code());
        assertTrue(job.err().contains("run bin/brigade info"), job.err());
    }
}
