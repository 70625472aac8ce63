package org.brigade.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import mpi.MPI;
import org.brigade.communicator.BrigadeProvider;
import org.brigade.launch.Launcher;
import org.brigade.launch.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive of classes that the commands of bin/ make at their first use, with a jar made of the classes under test.
 */
@Tag("slow")
@Timeout(300)
class ClassArchiveTest {
    private static final Path SCRIPT = Path.of("../bin/common.sh").toAbsolutePath().normalize();
    private static final String HOME = System.getProperty("java.home");

    @TempDir
    Path folder;

    @Test
    void aProgramLoadsNoClassFromTheJar() throws Exception {
        assumeTrue(Files.exists(SCRIPT), "no bin/ beside this module");
        Path jar = jar();
        List<String> flags = archiveFlags(jar);
        assertTrue(flags.get(0).startsWith("-XX:SharedArchiveFile="), "no archive: " + flags);

        List<String> command = new ArrayList<>(List.of(HOME + "/bin/java"));
        command.addAll(flags);
        command.addAll(List.of("-XX:+UseSerialGC", "-Xlog:class+load:file=" + folder.resolve("loaded.%p"), "-cp",
            jar + File.pathSeparator + Path.of("target/test-classes").toAbsolutePath(), ColdProgram.class.getName()));
        List<String> output = Collections.synchronizedList(new ArrayList<>());
        assertEquals(0, RankProcesses.run(command, 2, null, (rank, error, line) -> output.add(line), true),
            output::toString);

        try (Stream<Path> files = Files.list(folder)) {
            List<Path> logs = files.filter(file -> file.getFileName().toString().startsWith("loaded.")).toList();
            assertEquals(2, logs.size());
            for (Path log : logs) {
                List<String> fromJar =
                    Files.readAllLines(log).stream().filter(line -> line.contains("source: file:" + jar)).toList();
                assertEquals(List.of(), fromJar, "make org.brigade.rehearsal.RehearsedCalls use these classes");
            }
        }
    }

    private List<String> archiveFlags(Path jar) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", ". " + SCRIPT + "; find_java; jar=" + jar
            + "; find_archive; printf '%s\\n' \"${archive_flags[@]}\"").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", HOME);
        Process shell = builder.start();
        String flags = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, shell.waitFor(), flags);
        return flags.lines().toList();
    }

    private Path jar() throws Exception {
        Path jar = folder.toRealPath().resolve("brigade.jar");
        Set<Path> parts = new LinkedHashSet<>();
        for (Class<?> of : List.of(MPI.class, BrigadeProvider.class, Launcher.class,
            Class.forName("com.sun.jna.Native"))) {
            parts.add(Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()));
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.setLevel(0);
            Set<String> names = new LinkedHashSet<>();
            for (Path part : parts) {
                if (Files.isDirectory(part)) {
                    add(part, out, names);
                } else {
                    try (FileSystem inside = FileSystems.newFileSystem(part)) {
                        add(inside.getPath("/"), out, names);
                    }
                }
            }
        }
        return jar;
    }

    private static void add(Path root, ZipOutputStream out, Set<String> names) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String name = root.relativize(file).toString();
                if (names.add(name)) {
                    out.putNextEntry(new ZipEntry(name));
                    try (InputStream in = Files.newInputStream(file)) {
                        in.transferTo(out);
                    }
                    out.closeEntry();
                }
            }
        }
    }
}
