package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.brigade.launch.HostLauncher;

/**
 * Several hosts on this machine, made by bin/cluster; they end with {@link #close} or with this process. Programs on
 * them see this one's class path, but no other file below /tmp.
 */
public final class Cluster implements AutoCloseable {
    public static final String JAVA = System.getProperty("java.home") + "/bin/java";
    public static final String CLASS_PATH = System.getProperty("java.class.path");
    static final Path SCRIPT = Path.of("").toAbsolutePath().resolveSibling("bin").resolve("cluster");
    /** Open MPI's launcher from 5 on, which ends the job itself when what it has started on a host ends. */
    static final String LAUNCHER_KNOWS = "PRTE has lost communication with a remote daemon";
    private static final int SECONDS = 150; // a busy machine is no failure
    private static final int LOOK_MILLIS = 50;
    private static int clusters;

    /** What a command or job printed, standard output and error together, and its code. */
    public record Ended(int code, String text) {
        public List<String> lines() {
            return text.lines().toList();
        }
    }

    private final Process holder;
    private final String key;
    private final Path directory;

    private Cluster(Process holder, String key, Path directory) {
        this.holder = holder;
        this.key = key;
        this.directory = directory;
    }

    /** Skips the test where there can be no hosts. */
    public static void assumePossible() throws IOException, InterruptedException {
        Process trial = new ProcessBuilder("sh", "-c",
            "PATH=$PATH:/usr/sbin:/sbin; [ $(id -u) = 0 ] || user=-r; command -v tc && unshare $user -n -u -i -m -p -f"
                + " ip link add name trial type bridge")
            .redirectErrorStream(true).start();
        trial.getInputStream().readAllBytes();
        assumeTrue(trial.waitFor() == 0,
            "hosts on one machine need iproute2, and root or a kernel (and container) that lets users make namespaces"
                + " and bridges");
    }

    /** Skips the test if the launcher, openmpi or mpich, is not installed. */
    public static void assumeInstalled(String mpi) {
        HostLauncher.of(mpi);
    }

    /** As many hosts; {@code directory} takes what commands print. */
    public static Cluster of(int hosts, Path directory, String... options) throws Exception {
        String key;
        synchronized (Cluster.class) {
            key = "test-" + ProcessHandle.current().pid() + "-" + clusters++;
        }
        List<String> command =
            new ArrayList<>(List.of(SCRIPT.toString(), "hold", "-k", key, "--share", directory.toString()));
        command.addAll(List.of(options));
        command.add("" + hosts);
        Process holder = new ProcessBuilder(command).redirectError(directory.resolve(key + ".err").toFile()).start();
        String answer = new BufferedReader(new InputStreamReader(holder.getInputStream())).readLine();
        assertEquals("ready", answer, () -> "bin/cluster hold says:\n" + text(directory.resolve(key + ".err")));
        return new Cluster(holder, key, directory);
    }

    public String key() {
        return key;
    }

    /** The process whose end is the hosts' end. */
    ProcessHandle holder() {
        return holder.toHandle();
    }

    /** Runs a command on a host, or on login. */
    public Ended on(String host, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("exec", host));
        line.addAll(List.of(command));
        return end(start(Map.of(), line.toArray(new String[0])), SECONDS);
    }

    /** For mpjrun on login: the {@code --launch-agent} that is ssh's place. */
    public String agent() throws Exception {
        return on("login", "sh", "-c", "ls -d /run/brigade-clusters/agent /var/tmp/brigade-clusters-*/agent"
            + " 2> /dev/null | head -n 1").text().strip();
    }

    /** stall, unstall, rate, pause, resume or kill, which must succeed. */
    public void control(String command, String... hostAndValue) throws Exception {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(hostAndValue));
        Ended ended = end(start(Map.of(), line.toArray(new String[0])), SECONDS);
        assertEquals(0, ended.code(), ended::text);
    }

    /** A command of bin/cluster for this cluster, begun, with more environment. */
    public Begun start(Map<String, String> environment, String... line) throws IOException {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), line[0], "-k", key));
        command.addAll(List.of(line).subList(1, line.length));
        Path text = Files.createTempFile(directory, line[0], ".text");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile());
        builder.environment().put("BRIGADE_INIT_TIMEOUT", "" + SECONDS);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new Begun(process, text);
    }

    /** What runs, and the file it prints to. */
    public record Begun(Process process, Path file) {
        public String text() {
            return Cluster.text(file);
        }

        /** Waits until it has printed one of these. */
        public void awaitText(String... parts) throws InterruptedException {
            for (int i = 0; i < SECONDS * 1000 / LOOK_MILLIS && !says(parts); i++) {
                assertTrue(process.isAlive() || says(parts),
                    () -> "ended without saying \"" + String.join("\" or \"", parts) + "\":\n" + text());
                Thread.sleep(LOOK_MILLIS);
            }
            assertTrue(says(parts),
                () -> "does not say \"" + String.join("\" or \"", parts) + "\" within " + SECONDS + " s:\n" + text());
        }

        private boolean says(String... parts) {
            String text = text();
            for (String part : parts) {
                if (text.contains(part)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Waits for the end; who runs for longer is killed, and the test fails. */
    public static Ended end(Begun begun, int seconds) throws InterruptedException {
        if (!begun.process().waitFor(seconds, TimeUnit.SECONDS)) {
            begun.process().descendants().forEach(ProcessHandle::destroyForcibly);
            begun.process().destroyForcibly();
            fail("it does not end within " + seconds + " s:\n" + begun.text());
        }
        return new Ended(begun.process().exitValue(), begun.text());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws IOException {
        holder.getOutputStream().close();
        try {
            assertTrue(holder.waitFor(SECONDS, TimeUnit.SECONDS),
                "bin/cluster hold does not end with its standard input");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
