package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiled calls of which one step is done wrong: {@link CompiledPullTest} must find it. Each wrong library is compiled
 * here, and tried by a JVM of its own.
 */
@Tag("nightly")
@Timeout(1800)
class BlocksMutationTest {
    private static final long PATIENCE_SECONDS = 120;

    /** Lines of blocks.c, each with what stands there instead. */
    private static final String[][] MUTATIONS = {
        {"elements + at : (char *)(uintptr_t)at, bytes);", "elements : (char *)(uintptr_t)at, bytes);"},
        {"array ? elements + at : (char *)(uintptr_t)at, from, bytes",
            "array ? elements : (char *)(uintptr_t)at, from, bytes"},
        {"        *word(own, block, WHAT) = what;\n", ""},
        {"__atomic_store_n(word(own, block, TAG), tag, __ATOMIC_RELEASE);",
            "__atomic_store_n(word(own, block, TAG), tag + 1, __ATOMIC_RELEASE);"},
        {"                return peer;\n", "                return all->ranks;\n"},
        {"if (!all_alike(all, block, what))", "if (0)"},
        {"return LATE + (jint)missing;", "return UNFINISHED;"},
        {"far_first ? number : reversed(number, core)", "far_first ? reversed(number, core) : number"},
        {"number < extra ? 2 * number : number + extra", "number"},
        {"values, all->slots[first + 1] + block + DATA + from, count", "values, values, count"},
        {"sums + half * stride, half * count", "sums + half * stride, count"},
        {"if (stride == bytes)", "if (1)"},
        {"block + DATA + from;", "block + DATA;"},
        {"sum = all->slots[0] +", "sum = all->slots[all->rank] +"},
        {"peer = 1; peer < all->ranks", "peer = 2; peer < all->ranks"},
        {"        sum = all->scratch;\n", ""},
        {"memcpy(to + (size_t)peer * bytes, all->slots[peer]", "memcpy(to + (size_t)peer * bytes, all->slots[0]"},
        {"        length *= (jint)all->ranks;", ""},
        {"if (end == RANK_ORDER)", "if (end != RANK_ORDER)"},
        {"how >> OPERATOR_SHIFT & 0xff", "(how >> OPERATOR_SHIFT & 0xff) ^ 1"},
        {"entry[1] = tag - 1;", "entry[1] = tag;"},
        {"(int64_t)number << 1 | 1;", "(int64_t)number << 1;"},
        {"ENTRY_WORDS * (number & (CALLS - 1))", "ENTRY_WORDS * ((number + 1) & (CALLS - 1))"}};

    @TempDir
    Path folder;

    /** What runs in a JVM of its own. */
    public static final class Trial {
        private Trial() {
        }

        public static void main(String[] args) {
            try {
                CompiledPullTest test = new CompiledPullTest();
                for (int ranks : new int[] {3, 4, 7}) {
                    test.itGivesTheBitsOfTheCodeInJava(ranks);
                }
                test.lateMembersAndOtherCalls();
                test.compiledCallsAreNotedLikeOthers();
                test.bothGiveTheSameBitsAndServeOneCall(3);
                System.exit(0);
            } catch (Throwable wrong) { // other members' threads may wait for ever
                wrong.printStackTrace();
                System.exit(1);
            }
        }
    }

    @Test
    void everyWrongStepIsFound() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        Path include = Path.of(System.getProperty("java.home"), "include");
        assumeTrue(Files.isReadable(include.resolve("jni.h")), "no JDK with headers");
        assumeTrue(run(List.of("cc", "--version")), "no C compiler");
        Path sources = root.resolve("runtime/src/main/native");
        Path copy = Files.createDirectories(folder.resolve("native"));
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
        String right = Files.readString(sources.resolve("blocks.c"));
        assertTrue(passes(copy, include, right), "the library as it is");
        List<String> missed = new ArrayList<>();
        for (String[] mutation : MUTATIONS) {
            String wrong = right.replace(mutation[0], mutation[1]);
            assertTrue(!wrong.equals(right), "blocks.c has no more " + mutation[0]);
            if (passes(copy, include, wrong)) {
                missed.add(mutation[0].strip() + " -> " + mutation[1].strip());
            }
        }
        assertEquals(List.of(), missed, "mutations that were not found");
    }

    /** Whether the tests find nothing wrong with a library of these blocks.c. */
    private boolean passes(Path sources, Path include, String blocks) throws Exception {
        String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        Path library = folder.resolve("first/org/brigade/nativ/Linux-" + machine + "/libbrigade.so");
        Files.createDirectories(library.getParent());
        Files.writeString(sources.resolve("blocks.c"), blocks);
        List<String> compile = new ArrayList<>(List.of("cc", "-O2", "-std=gnu11", "-fPIC", "-shared", "-w",
            "-ffp-contract=off", "-fwrapv", "-I" + include, "-I" + include.resolve("linux"), "-o", library.toString()));
        for (String source : new String[] {"blocks.c", "brigade.c", "reductions.c", "waits.c"}) {
            compile.add(sources.resolve(source).toString());
        }
        // Both tables of instructions by one: these trials are of blocks.c.
        compile.add("-Dbrigade_reductions_avx2=brigade_reductions_baseline");
        assertTrue(run(compile), "it compiles");
        Path home = Files.createTempDirectory(folder, "cache");
        return run(List.of(System.getProperty("java.home") + "/bin/java", "-ea", "-XX:+UseSerialGC", "-Xmx512m", "-cp",
            folder.resolve("first") + File.pathSeparator + System.getProperty("java.class.path"),
            Trial.class.getName()), home);
    }

    private boolean run(List<String> command) throws IOException, InterruptedException {
        return run(command, folder);
    }

    /** @param cache where the JVM unpacks its library */
    private boolean run(List<String> command, Path cache) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor(); // a wrong wait
            return false;
        }
        return process.exitValue() == 0;
    }
}
