package org.brigade.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.SpawnCommand;

/** The command of a spawned process: a java command line, a class of the program that spawns it, or a file. */
final class ChildCommand {
    private static final String JAVA = "java";
    private static final String SETTING = "-Dbrigade.";

    private ChildCommand() {
    }

    /**
     * The whole command.
     *
     * @param parent how the first job was started
     * @throws LaunchException if there is no such file, or the java options are wrong
     */
    static List<String> of(SpawnCommand program, LaunchOptions parent) {
        String command = program.command();
        boolean path = command.indexOf('/') >= 0;
        if (command.equals(JAVA) || path && command.endsWith("/" + JAVA)) {
            return java(program, parent, path ? command : null);
        }
        if (path) {
            if (!new File(command).canExecute()) {
                throw new LaunchException("there is no file " + command + " that can be run; pass java with the"
                    + " arguments of a java command line, the name of a class, or the path of a program");
            }
            List<String> whole = new ArrayList<>(List.of(command));
            whole.addAll(program.arguments());
            return whole;
        }
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(program.arguments());
        return RankCommand.of(options(parent, classPath(parent), null, parent.javaOptions(), line));
    }

    private static List<String> java(SpawnCommand program, LaunchOptions parent, String java) {
        LaunchOptions asked = LaunchOptions.parse(program.arguments().toArray(new String[0]));
        List<String> javaOptions = new ArrayList<>();
        for (String option : parent.javaOptions()) {
            if (option.startsWith(SETTING)) {
                javaOptions.add(option); // jobs that are joined must have the same settings; java takes the last
            }
        }
        javaOptions.addAll(asked.javaOptions());
        boolean given = asked.classPath() != null || asked.jar() != null;
        List<String> whole = RankCommand.of(options(asked, given ? asked.classPath() : classPath(parent),
            asked.jar(), javaOptions, asked.program()));
        if (java != null) {
            whole.set(0, java);
        }
        return whole;
    }

    private static String classPath(LaunchOptions parent) {
        return parent.jar() != null ? parent.jar() : parent.classPath();
    }

    private static LaunchOptions options(LaunchOptions like, String classPath, String jar, List<String> javaOptions,
        List<String> line) {
        return new LaunchOptions(like.request(), 1, 1, null, null, Binding.NONE, false, false, null, classPath, jar,
            null, javaOptions, line);
    }

    /** A setting of the ranks, as mpjrun's own command line or environment gives it; null if it does not. */
    static String setting(LaunchOptions options, String name) {
        String property = SETTING + name + "=";
        String value = System.getenv("BRIGADE_" + name.toUpperCase(java.util.Locale.ROOT));
        for (String option : options.javaOptions()) {
            if (option.startsWith(property)) {
                value = option.substring(property.length());
            }
        }
        return value;
    }
}
