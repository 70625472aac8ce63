package org.brigade.cli.bench.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerTimeTest {
    @TempDir
    Path threads;

    @Test
    void bothCompilersCountAndNoOtherThread() throws IOException {
        thread("11", "java", "900 900 1");
        thread("12", "C2 CompilerThre", "5000 300 7");
        thread("13", "C1 CompilerThre", "40 2 7");
        thread("14", "GC Thread#0", "800 800 1");
        assertEquals(5342, CompilerTime.ofThreads(threads));
    }

    @Test
    void aThreadThatEndsMeanwhileAndAKernelWithoutCountsAreNone() throws IOException {
        Files.createDirectory(threads.resolve("15"));
        Files.writeString(Files.createDirectory(threads.resolve("16")).resolve("comm"), "C2 CompilerThre\n");
        assertEquals(0, CompilerTime.ofThreads(threads));
        assertEquals(0, CompilerTime.ofThreads(threads.resolve("none")));
    }

    @Test
    void thisJvmHasCompiled() {
        assertTrue(CompilerTime.nanos() > 0);
    }

    private void thread(String id, String name, String times) throws IOException {
        Path folder = Files.createDirectory(threads.resolve(id));
        Files.writeString(folder.resolve("comm"), name + "\n");
        Files.writeString(folder.resolve("schedstat"), times + "\n");
    }
}
