package org.brigade.bootstrap.ports;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A launcher that this process starts beside itself when it spawns processes and its job's launcher cannot start any.
 * The launcher's input is a pipe from here. When the pipe ends, the launcher ends all that it has started: so they end
 * with this process, however it ends.
 *
 * <p>
 * A process that has finalized waits at its end for what it has spawned, as a launcher waits for all jobs, and takes
 * over its exit code if that is bad.
 */
public final class SpawnLauncher {
    /** The first version that warns about native access without a flag. */
    private static final int WARNS_ABOUT_NATIVE_ACCESS = 24;
    private static final String SETTING = "brigade.";
    /** Settings of launchers, which their ranks do not get. */
    private static final String LAUNCHERS = "brigade.launch.";

    // See the constructor.
    private final String main;
    private final long unbound;
    /** Null before the first spawn. */
    private Process process;
    private String name;
    private volatile boolean finished;

    /**
     * @param main the launcher's main class, whose arguments are its name, {@code unbound} and the class path
     * @param unbound a process whose processors the spawned ones may use, as a launcher binds this one to its own; 0:
     * they may use this one's
     */
    public SpawnLauncher(String main, long unbound) {
        this.main = main;
        this.unbound = unbound;
    }

    /** The box in which the launcher looks for letters. Starts the launcher if none runs. */
    synchronized String box() throws IOException {
        if (process == null || !process.isAlive()) {
            start();
        }
        return LauncherInbox.box(name);
    }

    private void start() throws IOException {
        name = ProcessHandle.current().pid() + "-" + Long.toHexString(System.currentTimeMillis()) + "-"
            + Long.toHexString(System.nanoTime());
        if (process == null) {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(this::awaitSpawned, "spawned processes"));
            } catch (IllegalStateException e) {
                throw new IOException("this process is ending");
            }
        }
        process = new ProcessBuilder(command()).redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private List<String> command() {
        List<String> command =
            new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m"));
        if (Runtime.version().feature() >= WARNS_ABOUT_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String path = absolute(System.getProperty("java.class.path"));
        String ours = ourPath(path);
        command.addAll(List.of("-D" + LAUNCHERS + "path=" + ours, "-cp", ours + File.pathSeparator + path, main, name,
            Long.toString(unbound), path));
        // What this process was started with, and the settings that the program itself has made: java takes the last.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        for (String property : System.getProperties().stringPropertyNames()) {
            if (property.startsWith(SETTING) && !property.startsWith(LAUNCHERS)) {
                command.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        return command;
    }

    /** Spawned processes may run in another folder. */
    private static String absolute(String path) {
        StringBuilder absolute = new StringBuilder();
        for (String each : path.split(File.pathSeparator)) {
            absolute.append(absolute.length() == 0 ? "" : File.pathSeparator).append(Path.of(each).toAbsolutePath());
        }
        return absolute.toString();
    }

    /**
     * The part of the class path that Brigade needs: its jar, and JCuda's where they are. All of it in a build tree.
     */
    private static String ourPath(String path) {
        String jar;
        try {
            jar = Path.of(SpawnLauncher.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException | RuntimeException unknown) {
            return path;
        }
        if (!jar.endsWith(".jar")) {
            return path;
        }
        StringBuilder ours = new StringBuilder(jar);
        for (String each : path.split(File.pathSeparator)) {
            if (new File(each).getName().startsWith("jcuda")) {
                ours.append(File.pathSeparator).append(each);
            }
        }
        return ours.toString();
    }

    /** Why nothing that was asked for can be started; null if the launcher runs. */
    synchronized String ended() {
        return process == null || process.isAlive() ? null
            : "Brigade's launcher has ended with code " + process.exitValue()
                + " before all processes were in MPI.Init; its own message says why";
    }

    /** This process asks no more. */
    synchronized void finished() {
        finished = true;
        if (process != null) {
            try {
                process.getOutputStream().write(1);
                process.getOutputStream().flush();
            } catch (IOException ended) {
                // It is not there to be told.
            }
        }
    }

    /** At the end of this process. If it has not finalized, the pipe ends with it. */
    private void awaitSpawned() {
        try {
            int code = finished && process != null ? process.waitFor() : 0;
            if (code != 0) {
                Runtime.getRuntime().halt(code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
