package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes, of all launchers. Afterwards their folder of ports is empty, and none of them runs. */
abstract class ProcessJobs {
    static final String JAVA = System.getProperty("java.home") + "/bin/java";
    static final String CLASS_PATH = System.getProperty("java.class.path");
    static final int SECONDS = 200; // it takes three; a busy machine is no failure
    static final int KILLED = 128 + 9;

    @TempDir
    Path directory;
    private final List<Job> jobs = new ArrayList<>();

    /** A job under way, and what it has said so far. */
    record Job(Process process, Path text) {
        String said() throws IOException {
            return Files.readString(text);
        }

        Job ended(int code) throws Exception {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            assertEquals(code, process.waitFor(), said());
            return this;
        }

        void says(int times, String line) throws IOException {
            assertEquals(times, said().lines().filter(each -> each.endsWith(line)).count(), said());
        }

        /** The rest of the first so many lines that begin so, once they are there. */
        List<String> awaited(int lines, String begin) throws Exception {
            while (process.isAlive() || said().contains(begin)) {
                List<String> found = said().lines().filter(each -> each.startsWith(begin))
                    .map(each -> each.substring(begin.length())).toList();
                if (found.size() >= lines) {
                    return found;
                }
                Thread.sleep(20);
            }
            throw new AssertionError(said());
        }
    }

    @BeforeEach
    void foldersThatOnlyWeCanWriteTo() throws IOException {
        Files.createDirectory(directory.resolve("ports"));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (Job job : jobs) {
            job.process.descendants().forEach(ProcessHandle::destroyForcibly);
            job.process.destroyForcibly();
        }
        for (ProcessHandle each : ProcessHandle.allProcesses().toList()) {
            if (isOfThisTest(each.pid())) {
                each.onExit().get(SECONDS, TimeUnit.SECONDS);
            }
        }
        assertEquals(List.of(), names(directory.resolve("ports").toFile(), ""));
        for (Job job : jobs) {
            assertEquals(List.of(), names(new File("/dev/shm"), "-" + job.process.pid() + "-"));
        }
    }

    /** All that a job starts inherits its folder. */
    private boolean isOfThisTest(long pid) {
        try {
            return new String(Files.readAllBytes(Path.of("/proc/" + pid + "/environ")), StandardCharsets.UTF_8)
                .contains("BRIGADE_PORTS=" + directory.resolve("ports"));
        } catch (IOException gone) {
            return false;
        }
    }

    static List<String> names(File folder, String part) {
        List<String> names = new ArrayList<>(List.of(folder.list()));
        names.removeIf(each -> !each.contains(part));
        return names;
    }

    Job start(String... command) throws IOException {
        Path text = directory.resolve("text" + jobs.size());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile());
        builder.environment().put("BRIGADE_PORTS", directory.resolve("ports").toString());
        Job job = new Job(builder.start(), text);
        job.process.getOutputStream().close();
        jobs.add(job);
        return job;
    }

    static String[] line(List<String> begin, Class<?> program, String... arguments) {
        List<String> line = new ArrayList<>(begin);
        line.add(program.getName());
        line.addAll(List.of(arguments));
        return line.toArray(new String[0]);
    }

    Job mpjrun(int ranks, Class<?> program, String... arguments) throws IOException {
        return start(line(TestJava.mpjrun("-np", "" + ranks), program, arguments));
    }

    Job alone(Class<?> program, String... arguments) throws IOException {
        return start(line(TestJava.command(), program, arguments));
    }

    Job mpirun(int ranks, Class<?> program, String... arguments) throws IOException {
        return start(line(TestJava.behind(List.of(command("mpirun.openmpi", "mpirun"), "--allow-run-as-root",
            "--oversubscribe", "-np", "" + ranks)), program, arguments));
    }

    private Job hydra(int ranks, Class<?> program, String... arguments) throws IOException {
        return start(line(TestJava.behind(List.of(command("mpiexec.hydra"), "-np", "" + ranks)), program, arguments));
    }

    private static String command(String... names) {
        for (String name : names) {
            if (new File("/usr/bin/" + name).canExecute()) {
                return "/usr/bin/" + name;
            }
        }
        return abort("no " + names[0] + " here");
    }

    /** A job of one rank if no launcher starts it. */
    Job by(String launcher, int ranks, Class<?> program, String... arguments) throws IOException {
        return switch (launcher) {
            case "mpjrun" -> mpjrun(ranks, program, arguments);
            case "mpirun" -> mpirun(ranks, program, arguments);
            case "hydra" -> hydra(ranks, program, arguments);
            default -> alone(program, arguments);
        };
    }
}
