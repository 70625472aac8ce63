package org.brigade.cli.port;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.brigade.cli.shared.BenchException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code brigade check-port}: says before anything runs what of a program would not resolve. */
@Command(name = "check-port", mixinStandardHelpOptions = true,
    description = "Checks that a program for Open MPI's Java bindings or MPJ Express fits Brigade's package mpi.",
    footer = {"", "Compiled classes are linked against Brigade as the JVM does it. Exit code 1: something is missing."})
public final class CheckPortCommand implements Callable<Integer> {
    private static final int MOST_CLASSES = 3;
    /** A class of package mpi itself, in a jar or a folder. */
    private static final Pattern OTHER_API = Pattern.compile("[/!]mpi/[^/]+\\.class$");

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "APP.jar|DIR", arity = "0..*",
        description = "Jars, and folders of classes, that were compiled against another mpi.jar.")
    private List<Path> classes = List.of();

    @Option(names = "--source", paramLabel = "DIR",
        description = "Also compile the Java files below this folder against Brigade.")
    private List<Path> sources = List.of();

    @Option(names = {"-cp", "--class-path"}, paramLabel = "PATH", description = "What else --source needs to compile.")
    private String classPath = "";

    private final Map<String, Set<String>> problems = new TreeMap<>();
    private final Set<String> used = new TreeSet<>();
    private int read;
    private int others;

    @Override
    public Integer call() throws IOException {
        if (classes.isEmpty() && sources.isEmpty()) {
            throw new BenchException("name a jar or a folder of classes, or --source with a folder of Java files");
        }
        PrintWriter out = spec.commandLine().getOut();
        boolean fits = true;
        if (!classes.isEmpty()) {
            for (Path each : classes) {
                readAll(each);
            }
            fits = report(out);
        }
        for (Path each : sources) {
            fits &= compile(each, out);
        }
        return fits ? 0 : 1;
    }

    // ---- classes ----

    private void readAll(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            for (Path file : files(path, ".class")) {
                check(Files.readAllBytes(file), file.toString());
            }
        } else if (Files.isRegularFile(path)) {
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
                throw new BenchException(
                    path + " is no jar (" + e.getMessage() + "); name a jar or a folder of classes");
            }
        } else {
            throw new BenchException("there is no " + path + "; name a jar or a folder of classes");
        }
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(suffix)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(found);
        return found;
    }

    private void check(byte[] classFile, String where) {
        if (OTHER_API.matcher(where).find()) {
            others++;
            return;
        }
        try {
            ClassCheck.check(classFile, problems, used);
            read++;
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new BenchException(where + " cannot be read: " + e.getMessage());
        }
    }

    private boolean report(PrintWriter out) {
        if (read == 0) {
            throw new BenchException("there are no classes in " + classes + "; name where the compiled program lies");
        }
        if (others > 0) {
            out.println(
                others + " classes of package mpi itself lie among them; take them away, as the first ones on the"
                    + " class path are used.");
        }
        long members = used.stream().filter(each -> each.indexOf('.') >= 0).count();
        out.println(read + " classes use " + (used.size() - members) + " classes and " + members
            + " members of package mpi.");
        for (Map.Entry<String, Set<String>> problem : problems.entrySet()) {
            out.println(problem.getKey() + "\n         needed by " + firstOf(problem.getValue()));
        }
        out.println(problems.isEmpty() ? "All of them are here." : problems.size() + " are not here.");
        out.flush();
        return problems.isEmpty();
    }

    private static String firstOf(Set<String> names) {
        List<String> some = names.stream().limit(MOST_CLASSES).toList();
        int more = names.size() - some.size();
        return String.join(", ", some) + (more > 0 ? " and " + more + " more" : "");
    }

    // ---- sources ----

    private boolean compile(Path folder, PrintWriter out) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new BenchException("this Java has no compiler; run with a JDK, or check compiled classes");
        }
        if (!Files.isDirectory(folder)) {
            throw new BenchException("there is no folder " + folder + "; name the folder of the Java files");
        }
        List<Path> files = files(folder, ".java");
        if (files.isEmpty()) {
            throw new BenchException("there are no Java files in " + folder + "; name the folder of the Java files");
        }
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        Path target = Files.createTempDirectory("brigade-check-port");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(said, null, null)) {
            compiler.getTask(null, manager, said,
                List.of("-proc:none", "-nowarn", "-Xmaxerrs", "1000", "-d", target.toString(), "-cp",
                    System.getProperty("java.class.path") + File.pathSeparator + classPath),
                null, manager.getJavaFileObjectsFromPaths(files)).call();
        } finally {
            delete(target);
        }
        List<Diagnostic<? extends JavaFileObject>> errors =
            said.getDiagnostics().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR).toList();
        for (Diagnostic<? extends JavaFileObject> error : errors) {
            String where =
                error.getSource() == null ? "" : error.getSource().getName() + ":" + error.getLineNumber() + ": ";
            out.println(where + error.getMessage(null).replaceAll("\\s*\n\\s*", "; "));
        }
        out.println(files.size() + " Java files: " + (errors.isEmpty() ? "all compile." : errors.size() + " errors."));
        out.flush();
        return errors.isEmpty();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Collections.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
