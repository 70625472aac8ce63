package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.brigade.launch.HostLauncher;
import org.brigade.process.TestJava;

/**
 * A program with a main method as the ranks of a job, or alone, on the software driver:
 * {@code new DeviceJob(Program.class, "argument").run(2)}.
 */
public final class DeviceJob {
    private static final int SECONDS = 300;

    private final String program;
    private final List<String> arguments;
    private final List<String> options = new ArrayList<>();
    private List<String> around = List.of();
    private final Map<String, String> environment = new LinkedHashMap<>();

    /** How a job ended, and all it printed. */
    public record Ended(int code, String text) {
        /** The lines that it printed; the job must have ended well. */
        public List<String> lines() {
            assertEquals(0, code, text);
            return text.lines().toList();
        }
    }

    public DeviceJob(Class<?> program, String... arguments) {
        this.program = program.getName();
        this.arguments = List.of(arguments);
    }

    /**
     * Sets a variable of the environment of all ranks: one of Brigade's, or of the software driver's, which may name
     * one rank: {@code "3@1"}.
     */
    public DeviceJob set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Adds an option of java for all ranks. */
    public DeviceJob option(String option) {
        options.add(option);
        return this;
    }

    /** Starts it by this command, which gets the job's as further arguments. */
    public DeviceJob within(String... command) {
        around = List.of(command);
        return this;
    }

    /** Runs it under mpjrun, to its end. */
    public Ended run(int ranks) throws IOException, InterruptedException {
        return end(TestJava.mpjrun("-np", "" + ranks));
    }

    /** Runs it as one process without a launcher. */
    public Ended alone() throws IOException, InterruptedException {
        return end(TestJava.launching());
    }

    /**
     * Runs it under Open MPI's launcher, a rank for each of these lists, which is the rank's CUDA_VISIBLE_DEVICES.
     */
    public Ended seeing(String... visible) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder("case $OMPI_COMM_WORLD_RANK in");
        for (int rank = 0; rank < visible.length; rank++) {
            script.append(' ').append(rank).append(") export CUDA_VISIBLE_DEVICES=").append(visible[rank]).append(";;");
        }
        List<String> command = new ArrayList<>(HostLauncher.ranks("openmpi", visible.length));
        command.addAll(List.of("sh", "-c", script + " esac; exec \"$0\" \"$@\""));
        environment.putAll(HostLauncher.ENVIRONMENT);
        return within(command.toArray(new String[0])).alone();
    }

    private Ended end(List<String> command) throws IOException, InterruptedException {
        command.add("-ea");
        command.add("-Djava.io.tmpdir=" + SoftwareCuda.temporary());
        command.add("-XX:ErrorFile=" + SoftwareCuda.temporary().resolve("crash-%p.log"));
        command.addAll(options);
        command.add(program);
        command.addAll(arguments);
        command.addAll(0, around);
        Path output = Files.createTempFile("device", ".out");
        try {
            ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            SoftwareCuda.enter(builder.environment());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = false;
            try {
                ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                // The test's own time is up: what was printed is the diagnosis then, too.
            }
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                fail(program + " " + arguments + " has not ended within " + SECONDS
                    + " s, or the test's time; it printed:\n" + Files.readString(output));
            }
            return new Ended(process.exitValue(), Files.readString(output));
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
