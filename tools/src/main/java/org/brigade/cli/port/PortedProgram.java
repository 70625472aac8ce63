package org.brigade.cli.port;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.brigade.cli.shared.BenchException;
import org.objectweb.asm.ClassReader;

/**
 * The classes of a program, compared with package mpi one by one. The name that a class file itself gives decides what
 * it is: a program may have packages of its own whose names end in mpi.
 */
final class PortedProgram {
    private final Map<String, Set<String>> problems = new TreeMap<>();
    private final Set<String> used = new TreeSet<>();
    private final Habits habits = new Habits();
    /** What the program brings of packages that belong to MPJ Express, by internal name. */
    private final Set<String> brought = new TreeSet<>();
    private int classes;
    private int originals;

    /** Reads a jar or a folder. */
    void readAll(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            for (Path file : files(path, ".class")) {
                check(Files.readAllBytes(file), file.toString());
            }
        } else if (Files.isRegularFile(path)) {
            readJar(path);
        } else {
            throw new BenchException("there is no " + path + "; name a jar or a folder of classes");
        }
    }

    private void readJar(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            Enumeration<JarEntry> entries = jar.entries();
            while (entries.hasMoreElements()) {
                JarEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        check(in.readAllBytes(), path + "!" + entry.getName());
                    }
                }
            }
        } catch (ZipException e) {
            throw new BenchException(path + " is no jar (" + e.getMessage() + "); name a jar or a folder of classes");
        }
    }

    /** The files below a folder whose names end so, in order. */
    static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return new ArrayList<>(
                all.filter(each -> each.toString().endsWith(suffix) && Files.isRegularFile(each)).sorted().toList());
        }
    }

    private void check(byte[] classFile, String where) {
        try {
            ClassReader reader = new ClassReader(classFile);
            String name = reader.getClassName();
            if (ApiMembers.isOfPackageMpi(name)) {
                originals++;
            } else if (ApiMembers.isOfTheApi(name)) {
                brought.add(name);
            } else {
                ClassCheck.check(reader, problems, used);
                habits.read(reader);
                classes++;
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new BenchException(where + " cannot be read: " + e.getMessage());
        }
    }

    /** What does not resolve, in words; to each the program's classes that need it. */
    Map<String, Set<String>> problems() {
        for (String each : brought) {
            problems.remove(ClassCheck.missing(each));
        }
        return problems;
    }

    /** The classes and members of the API that the program needs. */
    Set<String> used() {
        return used;
    }

    Habits habits() {
        return habits;
    }

    /** The number of the program's own classes. */
    int classes() {
        return classes;
    }

    /** The number of classes of another package mpi. */
    int originals() {
        return originals;
    }
}
