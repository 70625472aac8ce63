package org.brigade.launch.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.brigade.nightly.Nightly;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of real jobs, on one node and on emulated nodes that share a file system. */
@Timeout(300)
@Tag("slow")
class FileJobsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "4, 2"})
    @Nightly({"2, 1", "5, 1"})
    void ranksWriteAndReadOneFileTogether(int ranks, int nodes) throws Exception {
        Path text = directory.resolve("text");
        Path files = Files.createDirectory(directory.resolve("files"));
        List<String> command = TestJava.mpjrun("-np", "" + ranks, "--nodes", "" + nodes,
            "-Dbrigade.fabric=" + (nodes > 1 ? "pretended" : "auto"), FilesProgram.class.getName(), files.toString());
        Process job = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile()).start();
        job.getOutputStream().close();
        if (!job.waitFor(240, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
        }
        String said = Files.readString(text);
        assertEquals(ranks, said.lines().filter(line -> line.endsWith("files are right")).count(), said);
        assertEquals(0, job.exitValue(), said);
    }
}
