package org.brigade.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A job of real processes that has ended.
 *
 * @param text what it has written to standard output and standard error
 */
public record EndedJob(int code, String text) {
    /**
     * Starts a job without input and waits for its end. One that does not end in time is killed, and fails the test.
     *
     * @param text the file that takes what the job writes
     */
    public static EndedJob of(ProcessBuilder job, Path text, long seconds) throws IOException, InterruptedException {
        Process process = job.redirectErrorStream(true).redirectOutput(text.toFile()).start();
        process.getOutputStream().close();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError(
                "the job does not end: " + String.join(" ", job.command()) + "\n" + Files.readString(text));
        }
        return new EndedJob(process.exitValue(), Files.readString(text));
    }
}
