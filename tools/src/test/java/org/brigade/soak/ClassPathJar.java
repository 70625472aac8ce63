package org.brigade.soak;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/**
 * This process's class path with all folders in one jar, as users run Brigade: a JVM with few open files can still read
 * classes from a jar that it has open.
 */
final class ClassPathJar {
    private ClassPathJar() {
    }

    /** The class path. The jar goes when this process ends. */
    static String of(String classPath) {
        List<String> entries = new ArrayList<>();
        try {
            Path jar = Files.createTempFile("brigade-soak", ".jar");
            jar.toFile().deleteOnExit();
            entries.add(jar.toString());
            Set<String> packed = new HashSet<>();
            try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file)) {
                out.setLevel(Deflater.BEST_SPEED);
                for (String entry : classPath.split(File.pathSeparator)) {
                    if (Files.isDirectory(Path.of(entry))) {
                        pack(Path.of(entry), packed, out);
                    } else {
                        entries.add(entry);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Of two files of one name the first counts, as on a class path. */
    private static void pack(Path folder, Set<String> packed, JarOutputStream out) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            if (packed.add(name)) {
                out.putNextEntry(new ZipEntry(name));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }
}
