package org.brigade.cli.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.brigade.cli.Brigade;
import org.brigade.launch.Launcher;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tunes with a tiny range, and runs jobs with the table. The times say nothing. */
@Timeout(300)
@Tag("once")
@Tag("slow")
class HostTuningJobsTest {
    @TempDir
    private Path temporary;
    private Path config;
    private String err;

    @BeforeEach
    void name() throws IOException {
        config = temporary.toRealPath();
    }

    private String run(Class<?> program, String... arguments) throws Exception {
        List<String> command = TestJava.launching(program.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(config.resolve("err").toFile());
        builder.environment().put("XDG_CONFIG_HOME", config.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes());
        int code = process.waitFor();
        err = Files.readString(config.resolve("err"));
        assertEquals(0, code, out + err);
        return out;
    }

    private String served(String... options) throws Exception {
        List<String> line = new ArrayList<>(List.of("-np", "2"));
        line.addAll(List.of(options));
        line.add(TunedProgram.class.getName());
        return run(Launcher.class, line.toArray(new String[0])).strip();
    }

    @Test
    void jobsFollowWhatTuneWroteUntilItIsOld() throws Exception {
        String out =
            run(Brigade.class, "tune", "--space", "host", "--np", "2", "--ops", "barrier,bcast", "--sizes", "8",
                "--time", "1s");
        assertTrue(out.contains("barrier: ") && out.contains("bcast 8: "), out);
        Path table;
        try (Stream<Path> files = Files.list(config.resolve("brigade"))) {
            List<Path> all = files.toList();
            assertEquals(1, all.size(), all.toString());
            table = all.get(0);
        }
        assertTrue(out.contains("now follow " + table), out);
        assertTrue(table.toString().endsWith("-np2.table"), table.toString());

        // Whatever was fastest, this rule is for the same machine and number of ranks.
        String measured = Files.readString(table).replaceAll("(?m)^bcast.*\n", "");
        Files.writeString(table, measured + "bcast ranks 2 nodes 1 chain\n");
        assertEquals("served by chain", served());
        assertEquals("", err);
        assertEquals("served by binomial", served("-Dbrigade.bcast.algorithm=binomial"));
        String usual = served("-Dbrigade.tuning=none");
        assertFalse(usual.endsWith("chain"), usual);

        Files.writeString(table, Files.readString(table).replaceFirst("by Brigade \\S+,", "by Brigade 0.0.0,"));
        assertEquals(usual, served());
        assertEquals(1, err.lines().count(), err);
        assertTrue(err.contains(table + " is not used: it was tuned by Brigade 0.0.0,")
            && err.contains("brigade tune --space host --np 2"), err);
    }
}
