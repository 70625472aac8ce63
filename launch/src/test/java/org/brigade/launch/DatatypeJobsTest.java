package org.brigade.launch;

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
import org.junit.jupiter.params.provider.ValueSource;

/** Derived types and objects in every call, and inter-communicators, in real jobs. */
@Timeout(300)
@Tag("once") // with many processes; the code behind is the same on every JDK
class DatatypeJobsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = 2)
    @Nightly({"1", "3"})
    void everyCallMovesItemsWithGaps(int ranks) throws Exception {
        run(ranks, DerivedTypesProgram.class, "derived types are right");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Nightly("2")
    void everyCallThatTakesObjectsMovesThem(int ranks) throws Exception {
        run(ranks, ObjectsProgram.class, "objects are right");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    @Nightly("5")
    void twoGroupsAreJoinedInAllWays(int ranks) throws Exception {
        run(ranks, IntercommProgram.class, "inter-communicators are right");
    }

    private void run(int ranks, Class<?> program, String end) throws Exception {
        List<String> command = TestJava.mpjrun("-np", "" + ranks);
        command.add(program.getName());
        Path text = directory.resolve("text");
        Process job = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile()).start();
        job.getOutputStream().close();
        if (!job.waitFor(240, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
        }
        String said = Files.readString(text);
        assertEquals(ranks, said.lines().filter(line -> line.endsWith(end)).count(), said);
        assertEquals(0, job.exitValue(), said);
    }
}
