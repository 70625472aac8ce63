package org.brigade.cli.bench.timing;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * How long this JVM's compilers have been at work. The JVM's own count knows a method only once it is compiled; beside
 * ranks that spin on all processors, one method can take 0.2 s. The kernel's count of the compilers' threads grows
 * meanwhile.
 */
final class CompilerTime {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private CompilerTime() {
    }

    /** Nanoseconds so far, with those in which a compiler waited for a processor. Less if a compiler's thread ends. */
    static long nanos() {
        long nanos = ofThreads(THREADS);
        return nanos > 0 ? nanos : TimeUnit.MILLISECONDS.toNanos(COMPILER.getTotalCompilationTime());
    }

    /** As the kernel tells in a folder; 0 if it does not. */
    static long ofThreads(Path folder) {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(folder)) {
            for (Path thread : threads) {
                sum += ofThread(thread);
            }
        } catch (IOException e) { // not Linux
            return 0;
        }
        return sum;
    }

    private static long ofThread(Path thread) {
        try {
            if (!Files.readString(thread.resolve("comm")).matches("C[12] Compiler.*\n")) {
                return 0;
            }
            String[] ranAndWaited = Files.readString(thread.resolve("schedstat")).split(" ");
            return Long.parseLong(ranAndWaited[0]) + Long.parseLong(ranAndWaited[1]);
        } catch (IOException e) { // it has ended, or this kernel keeps no such count
            return 0;
        }
    }
}
