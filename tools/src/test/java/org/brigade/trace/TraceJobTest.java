package org.brigade.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import org.brigade.cli.Ended;
import org.brigade.cli.shared.Json;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real job on two emulated nodes: traced, with a tool that its setting names, and read by the command. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class TraceJobTest {
    @TempDir
    Path folder;

    @Test
    void aTraceFindsTheLateRankAndNamesWhatRan() throws Exception {
        Path text = folder.resolve("text");
        Process job = new ProcessBuilder(TestJava.mpjrun("-np", "3", "--nodes", "2", "-Dbrigade.fabric=pretended",
            "-Dbrigade.trace=" + folder, "-Dbrigade.interpose=" + CountingTool.class.getName(),
            TracedProgram.class.getName())).redirectErrorStream(true).redirectOutput(text.toFile()).start();
        assertTrue(job.waitFor(150, TimeUnit.SECONDS), "the job does not end");
        assertEquals(0, job.exitValue(), Files.readString(text));
        assertTrue(Files.readString(text).contains("rank 1 made 2 collective calls"), Files.readString(text));

        Ended shown = Ended.brigade("trace", "--from", folder.toString());
        assertEquals(0, shown.code(), shown.err());
        JobTrace trace = TraceReader.read(folder);
        long[][] waited = trace.waitedFor();
        long forLate = waited[0][1] + waited[2][1];
        assertTrue(waited[0][1] > 0 || waited[2][1] > 0, shown.out());
        assertTrue(forLate > 200_000_000, "the others have waited for rank 1\n" + shown.out());
        assertTrue(shown.out().contains("brought together by messages; within "), shown.out());
        assertTrue(shown.out().lines().anyMatch(line -> line.matches("bcast +3 +1 MiB +1  \\S+ .*")), shown.out());
        for (RankTrace rank : trace.ranks()) {
            TracedSpan bcast = rank.spans().stream().filter(span -> span.name().equals("bcast")).findFirst()
                .orElseThrow();
            assertTrue(!bcast.algorithm().isEmpty() && bcast.detail().contains("table"), bcast.toString());
            assertTrue(rank.spans().stream().anyMatch(span -> span.kind() == TracedSpan.Kind.STAGE), "its stages");
            assertTrue(rank.spans().stream().anyMatch(span -> span.name().equals("fence")), "calls of windows");
        }
        assertEquals(1, trace.flows().stream().filter(flow -> flow.sender() == 0 && flow.receiver() == 2).count());
        assertEquals(2, trace.ranks().stream().filter(rank -> rank.spans().stream()
            .anyMatch(span -> span.words().equals("barrier (wait)"))).count());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("trace.svg").toFile());
        assertTrue(Json.read(Files.readString(folder.resolve("trace.json"))) instanceof Map<?, ?>);
    }

    @Test
    void aFolderWithoutRecordingsIsAnErrorWithItsCure() {
        Ended ended = Ended.brigade("trace", "--from", folder.toString());
        assertEquals(1, ended.code());
        assertTrue(ended.err().contains("run the program with -Dbrigade.trace="), ended.err());
        assertEquals(2, Ended.brigade("trace").code());
    }

    @Test
    void aJvmWithoutTheFlightRecorderSaysSo() throws Exception {
        Process job = new ProcessBuilder(TestJava.mpjrun("-np", "1", "--limit-modules",
            "java.base,java.logging,java.management,jdk.unsupported", "-Dbrigade.trace=" + folder,
            TracedProgram.class.getName())).redirectErrorStream(true).start();
        String text = new String(job.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(text.contains("brigade.trace needs Java's flight recorder") && text.contains("jlink --add-modules"),
            text);
        assertEquals(1, job.waitFor(), text);
    }

    /** Short messages use no wire: the simulated half shows what the ranks do instead. */
    @Test
    void theSimulatedHalfOfAShortCallIsNotBlank() throws Exception {
        Process job = new ProcessBuilder(TestJava.mpjrun("-np", "2", "-Dbrigade.trace=" + folder,
            LaunchedSum.class.getName())).redirectErrorStream(true).start();
        String text = new String(job.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, job.waitFor(), text);
        Ended shown = Ended.brigade("trace", "--from", folder.toString());
        assertEquals(0, shown.code(), shown.err());
        String picture = Files.readString(folder.resolve("trace.svg"));
        // by flat-pull, or without the compiled library by fused-flat
        assertTrue(picture.contains("a row for each rank")
            && (picture.contains("<title>board of rank 1[0..8] = SEND[0..8]</title>")
                || picture.contains("<title>send 8 bytes to 1</title>")),
            picture);
    }
}
