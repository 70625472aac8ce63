package org.brigade.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.launch.HostLauncher;
import org.brigade.launch.Launcher;
import org.brigade.process.SharedFiles;

/**
 * A job of processes, with folders of its own for all that it may leave. Its processes are known by a variable that
 * they inherit.
 */
final class SoakJob implements AutoCloseable {
    static final String JAVA = System.getProperty("java.home") + "/bin/java";
    /** Without JCuda, which leaves its libraries in the temporary folder. */
    static final String CLASS_PATH = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(each -> !each.contains("jcuda")).collect(Collectors.joining(File.pathSeparator));
    private static final String JARS = ClassPathJar.of(CLASS_PATH);
    /** Only keeps a failure from lasting for ever: jobs take seconds. */
    private static final int SECONDS = 120;
    private static final String MARK = "BRIGADE_PORTS=";
    private static final Pattern RANK =
        Pattern.compile("\0(?:BRIGADE_RANK|OMPI_COMM_WORLD_RANK|PMI_RANK)=(\\d+)\0");

    final Path folder;
    private final Path text;
    private final SharedFiles before = new SharedFiles();
    /** One, or several that meet. */
    private final List<Process> started = new ArrayList<>();

    SoakJob() throws IOException {
        folder = Files.createTempDirectory("brigade-soak");
        text = folder.resolve("text");
        for (String each : List.of("ports", "tmp", "cache")) {
            Files.createDirectory(folder.resolve(each));
        }
    }

    /**
     * The command of a job.
     *
     * @param launcher mpjrun, openmpi or mpich
     * @param options of each rank's JVM
     */
    List<String> command(String launcher, int ranks, List<String> options, Class<?> program, String... arguments) {
        List<String> java = List.of("-Djava.io.tmpdir=" + folder.resolve("tmp"), "-XX:-UsePerfData",
            "-XX:+UseSerialGC", "-Xmx200m", "-XX:ErrorFile=" + folder.resolve("hs_err"));
        List<String> command = new ArrayList<>();
        if (launcher.equals("mpjrun")) {
            command.add(JAVA);
            command.addAll(java);
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", JARS, Launcher.class.getName(), "-np",
                "" + ranks, "-cp", JARS));
        } else {
            command.addAll(HostLauncher.ranks(launcher, ranks));
            command.add(JAVA);
            command.addAll(List.of("-cp", JARS));
        }
        command.addAll(java);
        command.addAll(options);
        command.add(program.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts it, or another one beside it, with the same folders. */
    void start(List<String> command) throws IOException {
        ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(text.toFile()));
        builder.environment().putAll(HostLauncher.ENVIRONMENT);
        builder.environment().put("BRIGADE_PORTS", folder.resolve("ports").toString());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().put("TMPDIR", folder.resolve("tmp").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        started.add(process);
    }

    boolean isAlive() {
        return started.get(0).isAlive();
    }

    ProcessHandle launcher() {
        return started.get(0).toHandle();
    }

    String said() throws IOException {
        return new String(Files.readAllBytes(text), StandardCharsets.ISO_8859_1);
    }

    /** Its exit code; null if it does not end. */
    Integer code() throws InterruptedException {
        return codes(SECONDS).get(0);
    }

    /** The exit codes of all that was started; null for what does not end in time. */
    List<Integer> codes(int seconds) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Integer> codes = new ArrayList<>();
        for (Process each : started) {
            codes.add(each.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS) ? each.exitValue() : null);
        }
        return codes;
    }

    /** The java processes of the ranks, by rank; of one job. */
    Map<Integer, ProcessHandle> ranks() {
        Map<Integer, ProcessHandle> ranks = new TreeMap<>();
        for (ProcessHandle each : processes()) {
            int rank = rank(each);
            if (rank >= 0) {
                ranks.put(rank, each);
            }
        }
        return ranks;
    }

    /** The java processes of the ranks of all jobs. */
    List<ProcessHandle> rankProcesses() {
        return processes().stream().filter(each -> rank(each) >= 0).toList();
    }

    /** Of a java process that is a rank; else -1. */
    private static int rank(ProcessHandle process) {
        try {
            byte[] all = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
            Matcher rank = RANK.matcher("\0" + new String(all, StandardCharsets.ISO_8859_1));
            Path program = Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/exe"));
            return rank.find() && program.endsWith("java") ? Integer.parseInt(rank.group(1)) : -1;
        } catch (IOException gone) {
            return -1;
        }
    }

    private List<ProcessHandle> processes() {
        List<ProcessHandle> ours = new ArrayList<>();
        for (ProcessHandle each : ProcessHandle.allProcesses().toList()) {
            try {
                String all = new String(Files.readAllBytes(Path.of("/proc/" + each.pid() + "/environ")),
                    StandardCharsets.ISO_8859_1);
                if (all.contains(MARK + folder.resolve("ports"))) {
                    ours.add(each);
                }
            } catch (IOException gone) {
                // It has ended, or is another user's.
            }
        }
        return ours;
    }

    /** What the job has left behind: processes that do not end, files; null if nothing. */
    String leavings() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<ProcessHandle> left = processes();
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(20);
            left = processes();
        }
        if (!left.isEmpty()) {
            return "processes " + left.stream().map(each -> each.pid() + " " + each.info().commandLine().orElse(""))
                .toList();
        }
        for (String each : List.of("ports", "tmp")) {
            try (Stream<Path> files = Files.walk(folder.resolve(each))) {
                // Open MPI's own folders of sessions are its affair.
                List<Path> found = files.filter(file -> !file.equals(folder.resolve(each))
                    && !file.toString().contains("/tmp/ompi.") && !file.toString().contains("/tmp/pmix")).toList();
                if (!found.isEmpty()) {
                    return "files " + found;
                }
            }
        }
        if (Files.exists(folder.resolve("hs_err"))) {
            String crash = Files.readString(folder.resolve("hs_err"));
            if (!crash.contains("There is insufficient memory for the Java Runtime Environment")) { // its own complaint
                return "a crash of the JVM: " + crash.lines().limit(20).toList();
            }
        }
        removeWishes();
        try {
            before.assertNothingLeft();
            return null;
        } catch (AssertionError shared) {
            return shared.getMessage();
        }
    }

    /**
     * Removes what docs/reliability.md says that a rank may leave that is killed while it waits long for the first one.
     */
    private static void removeWishes() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            for (Path each : files.filter(file -> file.getFileName().toString().matches("brigade-.*\\.waits~.*"))
                .toList()) {
                if (Files.isRegularFile(each) && Files.size(each) == 0) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    /** Ends what still runs, and removes the job's folder. */
    @Override
    public void close() throws IOException {
        processes().forEach(ProcessHandle::destroyForcibly);
        started.forEach(Process::destroyForcibly);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
