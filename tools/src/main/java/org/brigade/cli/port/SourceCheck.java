package org.brigade.cli.port;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.brigade.cli.shared.BenchException;

/** Compiles a folder of Java files against Brigade and tells errors about MPI from others. */
final class SourceCheck {
    private static final String PACKAGES = "(?:mpi|mpjbuf|mpjdev|xdev)";
    /** A name of one of the API's packages, as javac writes it in full; mpi.samples is a program's own. */
    private static final Pattern OF_THE_API = Pattern.compile("(?<![\\w.])" + PACKAGES + "\\b(?!\\.[a-z]\\w*\\.)");
    private static final Pattern UNKNOWN_CLASS = Pattern.compile("symbol:\\s+class (\\w+)");

    private SourceCheck() {
    }

    /** Whether all files compile. */
    static boolean compile(Path folder, String classPath, PrintWriter out) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new BenchException("this Java has no compiler; run with a JDK, or check compiled classes");
        }
        if (!Files.isDirectory(folder)) {
            throw new BenchException("there is no folder " + folder + "; name the folder of the Java files");
        }
        List<Path> files = PortedProgram.files(folder, ".java");
        if (files.isEmpty()) {
            throw new BenchException("there are no Java files in " + folder + "; name the folder of the Java files");
        }
        List<Diagnostic<? extends JavaFileObject>> errors = errors(compiler, files, classPath);
        int aboutMpi = 0;
        for (Diagnostic<? extends JavaFileObject> error : errors) {
            String message = error.getMessage(null);
            String where =
                error.getSource() == null ? "" : error.getSource().getName() + ":" + error.getLineNumber() + ": ";
            out.println(where + message.replaceAll("\\s*\n\\s*", "; "));
            aboutMpi += isAboutMpi(error, message) ? 1 : 0;
        }
        out.println(files.size() + " Java files: " + verdict(errors.size(), aboutMpi, classPath));
        return errors.isEmpty();
    }

    /** Whether javac names something of the API, or a class that the file imports from it. */
    private static boolean isAboutMpi(Diagnostic<? extends JavaFileObject> error, String message) throws IOException {
        if (OF_THE_API.matcher(message).find()) {
            return true;
        }
        Matcher unknown = UNKNOWN_CLASS.matcher(message);
        return error.getSource() != null && unknown.find()
            && Pattern.compile("import\\s+" + PACKAGES + "\\.(?:\\w+\\.)*" + unknown.group(1) + "\\s*;")
                .matcher(error.getSource().getCharContent(true)).find();
    }

    private static String verdict(int errors, int aboutMpi, String classPath) {
        if (errors == 0) {
            return "all compile.";
        }
        String text = errors + (errors == 1 ? " error, " : " errors, ") + aboutMpi + " about MPI.";
        if (errors == aboutMpi) {
            return text;
        }
        return text + (classPath.isEmpty() ? " For the others, name the program's libraries with -cp."
            : " The others are not about MPI; -cp may lack a library.");
    }

    /** All errors, those of later stages too; names in full, so that a program's own class is not taken for MPI's. */
    private static List<Diagnostic<? extends JavaFileObject>> errors(JavaCompiler compiler, List<Path> files,
        String classPath) throws IOException {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        Path target = Files.createTempDirectory("brigade-check-port");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(said, null, null)) {
            compiler.getTask(null, manager, said,
                List.of("-proc:none", "-nowarn", "-Xmaxerrs", "1000", "-XDshould-stop.ifError=FLOW",
                    "-XDdiags.formatterOptions=-simpleNames", "-d", target.toString(), "-cp",
                    System.getProperty("java.class.path") + File.pathSeparator + classPath),
                null, manager.getJavaFileObjectsFromPaths(files)).call();
        } finally {
            delete(target);
        }
        return said.getDiagnostics().stream().filter(each -> each.getKind() == Diagnostic.Kind.ERROR).toList();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Collections.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
