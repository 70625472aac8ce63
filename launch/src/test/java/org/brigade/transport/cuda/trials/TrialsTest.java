package org.brigade.transport.cuda.trials;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ways that are tried within a program's calls, on the software driver, where some kernels are slow. */
@Timeout(400)
@Tag("once")
class TrialsTest {
    /** A way is kept long before. */
    private static final String MANY = "1000000";

    @TempDir
    private Path home;

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private DeviceJob job(String... arguments) {
        return new DeviceJob(TrialCalls.class, arguments).option("-Dbrigade.device.measure=on")
            .set("XDG_CONFIG_HOME", home.toString()).set("SOFTWARE_CUDA_DEVICES", "3");
    }

    private static DeviceJob slow(DeviceJob job, String kernels) {
        return job.set("SOFTWARE_CUDA_SLOW_KERNELS", kernels).set("SOFTWARE_CUDA_SLOW_MICROS", "4000");
    }

    private static void assertAlike(List<String> lines, int ranks) {
        List<String> ran = lines.stream().filter(line -> line.startsWith("ran ")).toList();
        assertEquals(ranks, ran.size(), lines::toString);
        assertEquals(1, ran.stream().distinct().count(), lines::toString);
    }

    private static String last(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("last")).findFirst().orElse("");
    }

    private Path file() throws Exception {
        try (Stream<Path> files = Files.list(home.resolve("brigade"))) {
            List<Path> found = files.toList();
            assertEquals(1, found.size(), found::toString);
            return found.get(0);
        }
    }

    /**
     * Of what gives the same bits; the next job has it from its second call on; a spoiled file is said to be so once.
     */
    @Test
    void aSlowKernelIsReplacedAndTheNextJobKnowsThat() throws Exception {
        List<String> lines = slow(job("sums", MANY), "brigade_lines_").run(3).lines();
        assertAlike(lines, 3);
        assertTrue(last(lines).contains("measured on these GPUs") && !last(lines).contains("lines"), lines::toString);
        List<String> next = job("sums", "2").run(3).lines();
        assertAlike(next, 3);
        assertEquals(last(lines), last(next), () -> lines + " " + next);
        assertEquals(bits(lines), bits(next));

        Path file = file();
        String text = Files.readString(file);
        assertTrue(text.contains("allreduce") && text.contains("3 x Software CUDA device"), text);
        Files.writeString(file, text.replace("blocks", "locks"));
        List<String> spoiled = job("sums", "2").run(3).lines();
        assertAlike(spoiled, 3);
        assertEquals(1, spoiled.stream().filter(line -> line.startsWith("brigade: ")
            && line.contains(" is not used: it is not whole; delete it")).count(), spoiled::toString);
        assertTrue(last(spoiled).startsWith("last: lines"), spoiled::toString);

        Files.writeString(file, text);
        List<String> other = job("sums", "2").set("SOFTWARE_CUDA_DEVICES", "2").run(3).lines();
        assertTrue(last(other).startsWith("last: lines"), "three ranks on two GPUs are another machine: " + other);
    }

    private static String bits(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("ran ")).map(line -> line.replaceAll(".* bits", ""))
            .distinct().collect(Collectors.joining());
    }

    /** A root in place, ranks that are not, and the copy engine as the slow mover. */
    @Test
    void aSlowCopyEngineIsReplacedByAKernel() throws Exception {
        List<String> lines = slow(job("bcasts", MANY), "copy").run(2).lines();
        assertAlike(lines, 2);
        assertTrue(Files.readString(file()).contains("bcast ") && !last(lines).contains("copy-engine"),
            lines::toString);
    }

    @Test
    void communicatorsOfOtherSizesAndThreadsMeasureApart() throws Exception {
        List<String> lines = job("several", "120").run(4).lines();
        assertEquals(24, lines.stream().filter(line -> line.startsWith("ran ") && !line.contains("half")).count(),
            lines::toString);
        for (String each : lines) {
            assertTrue(!each.contains("of half") || lines.stream().filter(each::equals).count() == 2
                || each.startsWith("last"), lines::toString);
        }
        List<String> threads = job("threads", "150").run(2).lines();
        assertEquals(4, threads.stream().filter(line -> line.startsWith("ran ")).count(), threads::toString);
        for (String each : threads) {
            assertTrue(!each.startsWith("ran") || threads.stream().filter(each::equals).count() == 2,
                threads::toString);
        }
    }

    @Test
    void twoJobsMayWriteAtOnce() throws Exception {
        CompletableFuture<List<String>> one = CompletableFuture.supplyAsync(() -> run("sums", "brigade_lines_"));
        CompletableFuture<List<String>> other = CompletableFuture.supplyAsync(() -> run("bcasts", "copy"));
        assertAlike(one.join(), 2);
        assertAlike(other.join(), 2);
        String text = Files.readString(file());
        assertTrue(text.contains("\nallreduce ") || text.contains("\nbcast "), text);
        List<String> next = job("sums", "2").run(2).lines();
        assertTrue(next.stream().noneMatch(line -> line.startsWith("brigade: ")), next::toString);
    }

    private List<String> run(String calls, String slow) {
        try {
            return slow(job(calls, MANY), slow).run(2).lines();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRankThatDiesMeanwhileEndsTheJob() throws Exception {
        DeviceJob.Ended ended = job("dies", "20").run(3);
        assertNotEquals(0, ended.code(), ended.text());
        assertTrue(ended.text().contains("was killed by signal 9") || ended.text().contains("died"), ended.text());
    }
}
