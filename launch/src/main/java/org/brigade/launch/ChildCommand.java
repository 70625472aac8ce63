package org.brigade.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.SpawnCommand;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.PathOptions;
import org.brigade.launch.options.ProgramOptions;

/** The command of a spawned process: a java command line, a class of the program that spawns it, or a file. */
final class ChildCommand {
    private static final String JAVA = "java";
    private static final String SETTING = "-Dbrigade.";

    private ChildCommand() {
    }

    /** Where the processes of a command run: seen from the first job's directory, which is that of the others. */
    static String directory(SpawnCommand program, ProgramOptions parent) {
        return program.directory().isEmpty() ? parent.directory()
            : new PathOptions(parent.directory()).path(program.directory());
    }

    /**
     * The whole command. What it takes from the first job is found from any directory; what the program itself passes,
     * java sees from the directory in which it runs.
     *
     * @param first how the first job was started
     * @throws LaunchException if there is no such file, or the java options are wrong
     */
    static List<String> of(SpawnCommand program, ProgramOptions first) {
        ProgramOptions parent = program.directory().isEmpty() ? first
            : new PathOptions(first.directory()).absolute(first);
        String directory = directory(program, first);
        String command = program.command();
        boolean path = command.indexOf('/') >= 0;
        if (command.equals(JAVA) || path && command.endsWith("/" + JAVA)) {
            return java(program, parent, directory, path ? file(command, directory, first) : null);
        }
        if (path) {
            List<String> whole = new ArrayList<>(List.of(file(command, directory, first)));
            whole.addAll(program.arguments());
            return whole;
        }
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(program.arguments());
        return command(directory, classPath(parent), null, parent.javaOptions(), line);
    }

    /** A program seen from where it runs, or else from where its parents run. */
    private static String file(String command, String directory, ProgramOptions first) {
        String here = new PathOptions(directory).path(command);
        String there = new PathOptions(first.directory()).path(command);
        if (!new File(here).canExecute() && !new File(there).canExecute()) {
            throw new LaunchException("there is no file " + here + " that can be run; pass java with the"
                + " arguments of a java command line, the name of a class, or the path of a program");
        }
        return new File(here).canExecute() ? here : there;
    }

    private static List<String> java(SpawnCommand program, ProgramOptions parent, String directory, String java) {
        ProgramOptions asked = LaunchOptions.parseSpawned(program.arguments().toArray(new String[0])).first();
        List<String> javaOptions = new ArrayList<>();
        for (String option : parent.javaOptions()) {
            if (option.startsWith(SETTING)) {
                javaOptions.add(option); // jobs that are joined must have the same settings; java takes the last
            }
        }
        javaOptions.addAll(asked.javaOptions());
        boolean given = asked.classPath() != null || asked.jar() != null;
        List<String> whole = command(directory, given ? asked.classPath() : classPath(parent), asked.jar(),
            javaOptions, asked.program());
        if (java != null) {
            whole.set(0, java);
        }
        return whole;
    }

    private static String classPath(ProgramOptions parent) {
        return parent.jar() != null ? parent.jar() : parent.classPath();
    }

    private static List<String> command(String directory, String classPath, String jar, List<String> javaOptions,
        List<String> line) {
        return RankCommand
            .of(new LaunchOptions(new ProgramOptions(1, directory, classPath, jar, javaOptions, line)));
    }

    /** A setting of the ranks, as mpjrun's own command line or environment gives it; null if it does not. */
    static String setting(ProgramOptions options, String name) {
        String property = SETTING + name + "=";
        String value = System.getenv(org.brigade.setting.Setting.variable(name));
        for (String option : options.javaOptions()) {
            if (option.startsWith(property)) {
                value = option.substring(property.length());
            }
        }
        return value;
    }
}
