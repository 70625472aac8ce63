package org.brigade.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line of mpjrun: {@code [-np|-n N] [--nodes N] [java options] (App | -jar X) args}. Whatever is not mpjrun's own goes to java
 * unchanged. Options of MPJ Express that choose what Brigade finds out by itself ({@code -dev multicore}) are accepted and ignored.
 */
public final class LaunchOptions {
    /** What the command line asks for. */
    enum Request { RUN, HELP }

    private Request request = Request.RUN;
    private int ranks;
    private int[] nodeOf;
    private boolean tagged;
    private String directory;
    private String classPath;
    private String jar;
    private final NodeOptions nodes = new NodeOptions();
    private final List<String> javaOptions = new ArrayList<>();
    private final List<String> program = new ArrayList<>();

    private LaunchOptions() {
    }

    /** @throws LaunchException if the line cannot be followed: one sentence with the cure */
    public static LaunchOptions parse(String[] line) {
        LaunchOptions options = new LaunchOptions();
        int at = 0;
        while (at < line.length && options.program.isEmpty() && options.jar == null && options.request == Request.RUN) {
            at = options.take(line, at);
        }
        while (at < line.length) {
            options.program.add(line[at++]);
        }
        if (options.request == Request.RUN && options.jar == null && options.program.isEmpty()) {
            throw new LaunchException("no program: name a class, or a jar behind -jar, as in: mpjrun -np 4 -cp app.jar App");
        }
        if (options.ranks == 0) {
            options.ranks = Runtime.getRuntime().availableProcessors();
        }
        options.nodeOf = options.nodes.of(options.ranks);
        return options;
    }

    private int take(String[] line, int at) {
        String word = line[at];
        switch (word) {
            case "-np", "-n" -> ranks = number(word, value(line, at), "the number of ranks must be 1 or more, as in -np 4");
            case "--nodes" -> nodes.nodes(value(line, at));
            case "--map" -> nodes.map(value(line, at));
            case "--fabric" -> nodes.fabric(value(line, at));
            case "-wdir" -> directory = value(line, at);
            case "-cp", "-classpath", "--class-path" -> classPath = value(line, at);
            case "-jar" -> jar = value(line, at);
            case "-dev", "-dport", "-mpjport", "-headnodeip", "-mxboardnum", "-psl" -> value(line, at);
            case "-machinesfile", "-hostfile", "--hostfile", "-host", "--host" -> throw new LaunchException(word
                + ": mpjrun starts ranks on this machine only; for several, start them with mpirun or srun: mpirun -np 4 mpjava App");
            case "-m", "--module" -> {
                javaOptions.add(word);
                program.add(value(line, at));
            }
            case "-p", "--module-path", "--upgrade-module-path", "--add-modules", "--limit-modules", "--add-opens", "--add-exports", "--add-reads",
                "--patch-module", "--enable-native-access", "--source", "--finalization", "--illegal-native-access" -> {
                javaOptions.add(word);
                javaOptions.add(value(line, at));
            }
            case "--tag" -> {
                tagged = true;
                return at + 1;
            }
            case "-src" -> {
                return at + 1;
            }
            case "-h", "--help" -> {
                request = Request.HELP;
                return at + 1;
            }
            default -> {
                if (word.startsWith("--class-path=")) {
                    classPath = word.substring("--class-path=".length());
                } else if (word.startsWith("-") || word.startsWith("@")) {
                    javaOptions.add(word);
                } else {
                    program.add(word);
                }
                return at + 1;
            }
        }
        return at + 2;
    }

    private static String value(String[] line, int at) {
        if (at + 1 == line.length) {
            throw new LaunchException(line[at] + " needs a value behind it");
        }
        return line[at + 1];
    }

    static int number(String option, String text, String cure) {
        int number = 0;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // said below, like a number that is too small
        }
        if (number < 1) {
            throw new LaunchException(option + " " + text + ": " + cure);
        }
        return number;
    }

    Request request() {
        return request;
    }

    /** Ranks to start: as many as this machine has processors if the line does not say. */
    public int ranks() {
        return ranks;
    }

    /** On how many emulated nodes the ranks are. */
    public int nodes() {
        return nodes.count();
    }

    /** By rank: its node; null if all are on one. */
    public int[] nodeOf() {
        return nodeOf;
    }

    /** What joins the nodes; null if the line does not say. */
    public String fabric() {
        return nodes.fabric();
    }

    /** Whether every line of output begins with its rank. */
    public boolean tagged() {
        return tagged;
    }

    /** Where the ranks run; null: here. */
    public String directory() {
        return directory;
    }

    /** The user's class path; null if the line gives none. */
    public String classPath() {
        return classPath;
    }

    /** The jar behind -jar; null if a class is named. */
    public String jar() {
        return jar;
    }

    /** Options for java, in order. */
    public List<String> javaOptions() {
        return javaOptions;
    }

    /** The main class (not with -jar), then the program's arguments. */
    public List<String> program() {
        return program;
    }
}
