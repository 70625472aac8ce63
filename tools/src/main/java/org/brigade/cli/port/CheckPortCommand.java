package org.brigade.cli.port;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.SubCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code brigade check-port}: says before anything runs what of a program would not resolve. */
@Command(name = "check-port", mixinStandardHelpOptions = true,
    description = "Checks that a program for Open MPI's Java bindings or MPJ Express fits Brigade's package mpi.",
    footer = {"",
        "Compiled classes are linked against Brigade as the JVM does it. Exit code 1: something is missing. A note names"
            + " what links but behaves otherwise than under the launcher it was written for."})
public final class CheckPortCommand extends SubCommand implements Callable<Integer> {
    private static final int MOST_CLASSES = 3;

    @Parameters(paramLabel = "APP.jar|DIR", arity = "0..*",
        description = "Jars, and folders of classes, that were compiled against another mpi.jar.")
    private List<Path> classes = List.of();

    @Option(names = "--source", paramLabel = "DIR",
        description = "Also compile the Java files below this folder against Brigade.")
    private List<Path> sources = List.of();

    @Option(names = {"-cp", "--class-path"}, paramLabel = "PATH", description = "What else --source needs to compile.")
    private String classPath = "";

    @Override
    public Integer call() throws IOException {
        if (classes.isEmpty() && sources.isEmpty()) {
            throw new BenchException("name a jar or a folder of classes, or --source with a folder of Java files");
        }
        PrintWriter out = out();
        boolean fits = true;
        if (!classes.isEmpty()) {
            PortedProgram program = new PortedProgram();
            for (Path each : classes) {
                program.readAll(each);
            }
            fits = report(program, out);
        }
        for (Path each : sources) {
            fits &= SourceCheck.compile(each, classPath, out);
        }
        out.flush();
        return fits ? 0 : 1;
    }

    private boolean report(PortedProgram program, PrintWriter out) {
        if (program.classes() == 0) {
            throw new BenchException("there are no classes in " + classes + "; name where the compiled program lies");
        }
        if (program.originals() > 0) {
            out.println(
                program.originals() + " classes of package mpi itself lie among them; take them away, as the first ones"
                    + " on the class path are used.");
        }
        Set<String> used = program.used();
        long members = used.stream().filter(each -> each.indexOf('.') >= 0).count();
        out.println(program.classes() + " classes use " + (used.size() - members) + " classes and " + members
            + " members of package mpi.");
        Map<String, Set<String>> problems = program.problems();
        for (Map.Entry<String, Set<String>> problem : problems.entrySet()) {
            out.println(problem.getKey() + "\n         needed by " + firstOf(problem.getValue()));
        }
        program.habits().notes().forEach((note, who) -> out.println("note: " + firstOf(who) + " " + note));
        out.println(problems.isEmpty() ? "All of them are here." : problems.size() + " are not here.");
        return problems.isEmpty();
    }

    private static String firstOf(Set<String> names) {
        List<String> some = names.stream().limit(MOST_CLASSES).toList();
        int more = names.size() - some.size();
        return String.join(", ", some) + (more > 0 ? " and " + more + " more" : "");
    }
}
