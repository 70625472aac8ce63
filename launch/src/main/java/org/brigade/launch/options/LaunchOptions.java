package org.brigade.launch.options;

import java.util.List;

/**
 * The command line of mpjrun: {@code [options] [java options] (App | -jar X) args [: ...]}. {@link LaunchOption} lists
 * mpjrun's own options. Options of other MPIs' launchers are read over ({@link ForeignOptions}), and options of java go
 * to java.
 *
 * @param ranks of all programs together
 * @param nodeOf the emulated node of each rank; null: all are on one
 * @param hosts where the ranks run; null: on this machine
 * @param timeoutSeconds after which the job ends; 0: never
 * @param debug which rank waits for a debugger; null: none
 * @param programs at least one, unless help is asked for
 */
public record LaunchOptions(Request request, int ranks, int nodes, int[] nodeOf, JobHosts hosts, String fabric,
    Binding binding,
    boolean reportsBindings, OutputOptions output, int timeoutSeconds, DebugPorts debug,
    List<ProgramOptions> programs) {
    /** What the command line asks for. */
    public enum Request { RUN, HELP, VERSION, COMPLETION }

    /** A job of one rank whose options nobody gives. */
    public LaunchOptions(ProgramOptions program) {
        this(Request.RUN, program.ranks(), 1, null, null, null, Binding.NONE, false, OutputOptions.PLAIN, 0, null,
            List.of(program));
    }

    /** @throws LaunchException if the line cannot be followed: one sentence with the cure */
    public static LaunchOptions parse(String[] line) {
        return new LaunchLine(false).parse(line);
    }

    /** The line of a java command that a program spawns: there ':' is an argument like any other. */
    public static LaunchOptions parseSpawned(String[] line) {
        return new LaunchLine(true).parse(line);
    }

    /** The first program, which is mostly the only one. */
    public ProgramOptions first() {
        return programs.get(0);
    }

    /** Java's options of the first program. */
    public List<String> javaOptions() {
        return first().javaOptions();
    }

    /** The first program and its arguments. */
    public List<String> program() {
        return first().program();
    }

    /** The jar of the first program; null if it has none. */
    public String jar() {
        return first().jar();
    }

    public String directory() {
        return first().directory();
    }

    public String classPath() {
        return first().classPath();
    }

    static int number(String option, String text, String cure) {
        int number = 0;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // reported below, like a number that is too small
        }
        if (number < 1) {
            throw new LaunchException(option + " " + text + ": " + cure);
        }
        return number;
    }
}
