package org.brigade.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import org.brigade.launch.options.Binding;
import org.brigade.launch.options.DebugPorts;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.PathOptions;
import org.brigade.launch.options.ProgramOptions;
import org.brigade.program.JarProgram;

/**
 * The java command of a rank: this JVM's java, Brigade first on the class path, and only flags that this version of
 * java knows.
 */
public final class RankCommand {
    /** The first version that warns about native access without a flag. */
    static final int WARNS_ABOUT_NATIVE_ACCESS = 24;
    /** For ranks that wait in Init for one that a person steps through; a later option replaces this one. */
    private static final String PATIENT = "-Dbrigade.init.timeout=86400";

    /** Stands for the rank's number among its arguments. */
    private static final String RANK = "{rank of an MPJ program}";
    /** MPI.Init recognises MPJ Express's arguments by this word, which replaces the name of a file. */
    private static final String MPJ_CONFIGURATION = "mpjrun";
    /** Where java looks for options beside its command line. */
    private static final String[] JAVA_VARIABLES = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"};
    private static final String COLLECTOR = "-XX:+Use";
    private static final String THRESHOLD = "-XX:CompileThreshold";
    /**
     * How many times more calls a method has behind it when it is compiled, where ranks leave their JVMs' compilers no
     * processor. There a compilation holds up a rank for milliseconds, and all that wait for it: a short program takes
     * a third of the time with this. One that computes alone takes as long as without it (docs/benchmarks.md, cold
     * programs).
     */
    private static final int LATER = 10;
    private static final String COMPILERS = "-XX:CICompilerCount";
    /** With these the number of compiler threads is another matter. */
    private static final String[] OTHER_COMPILERS = {COMPILERS, "-Xint", "-XX:TieredStopAtLevel",
        "-XX:-TieredCompilation", "-XX:+UseJVMCICompiler", "-XX:ActiveProcessorCount"};

    private RankCommand() {
    }

    /** Writes a command as one rank's: with the rank's number and its debugger where the command asks for them. */
    static void forRank(List<String> command, int rank, DebugPorts debug, List<String> its) {
        its.clear();
        its.addAll(command);
        int at = its.indexOf(RANK);
        if (at >= 0) {
            its.set(at, Integer.toString(rank));
        }
        if (debug != null) {
            its.add(1, debug.option(rank));
        }
    }

    /**
     * The commands of all programs of a command line.
     *
     * @throws LaunchException if a jar behind -jar cannot be run, or a file is to be debugged
     */
    static RankProcesses.Program[] programs(LaunchOptions options) {
        RankProcesses.Program[] programs = new RankProcesses.Program[options.programs().size()];
        for (int i = 0; i < programs.length; i++) {
            ProgramOptions program = options.programs().get(i);
            if (options.debug() != null && program.isFile()) {
                throw new LaunchException(
                    "--debug: " + program.program().get(0) + " is a file that is run as it is, and"
                        + " only java has a debugger; name the class, or leave out --debug");
            }
            List<String> command = of(program, options);
            programs[i] =
                new RankProcesses.Program(command, program.directory(), program.variables(), program.ranks());
        }
        return programs;
    }

    /**
     * The command of the first program.
     *
     * @throws LaunchException if the jar behind -jar cannot be run
     */
    public static List<String> of(LaunchOptions options) {
        return of(options.first(), options);
    }

    /**
     * Property {@code brigade.launch.path} names the part of mpjrun's own class path that ranks need, which is without
     * the tools.
     */
    private static List<String> of(ProgramOptions program, LaunchOptions job) {
        if (program.isFile()) {
            List<String> command = new ArrayList<>(program.program());
            command.set(0, new PathOptions(program.directory()).path(command.get(0)));
            return command;
        }
        RankJava java = RankJava.of(program.java(), program.directory());
        List<String> command = new ArrayList<>();
        command.add(java.command());
        int beside = ranksTogether(job);
        addFlags(command, program.javaOptions(), java, 2 * beside > Runtime.getRuntime().availableProcessors());
        if (job.debug() != null) {
            command.add(PATIENT);
        }
        if (job.binding() == Binding.NONE) {
            addCompilers(command, beside, program.javaOptions(), Runtime.getRuntime().availableProcessors());
        }
        String brigade = RankModules.brigadePath();
        if (program.directory() != null) {
            brigade = new PathOptions(null).paths(brigade); // java runs in another directory
        }
        command.add("-cp");
        if (program.jar() == null) {
            command.add(brigade + File.pathSeparator + program.userClassPath());
            command.addAll(RankModules.isOne(program.javaOptions())
                ? RankModules.options(program.javaOptions(), brigade, java.feature()) : program.javaOptions());
        } else {
            // java ignores -cp beside -jar, so this reads from the jar what java would have read.
            command.add(brigade + File.pathSeparator + program.jar());
            command.addAll(program.javaOptions());
            addMainOf(new PathOptions(program.directory()).path(program.jar()), command);
        }
        int arguments = command.size() + (program.jar() == null ? 1 : 0);
        command.addAll(program.program());
        if (program.mpjDevice() != null) {
            // The arguments that MPJ Express passes before the program's own, and that MPI.Init removes: rank,
            // configuration,
            // device.
            command.addAll(arguments, List.of(RANK, MPJ_CONFIGURATION, program.mpjDevice()));
        }
        return command;
    }

    /** How many ranks share a machine. Hosts are taken to be like this one. */
    private static int ranksTogether(LaunchOptions job) {
        int most = job.hosts() == null ? job.ranks() : 1;
        for (int host = 0; job.hosts() != null && host < job.hosts().names().size(); host++) {
            most = Math.max(most, job.hosts().ranks(host));
        }
        return most;
    }

    /**
     * Flags for a fast and silent start, unless the user has chosen others. By property {@code brigade.launch.flags},
     * one flag a line, bin/mpjrun passes on the flags of its class archive.
     *
     * @param crowded whether some JVM's compiler has no processor but the ranks'
     */
    private static void addFlags(List<String> command, List<String> chosen, RankJava java, boolean crowded) {
        boolean collector = false;
        boolean threshold = false;
        boolean nativeAccess = false;
        boolean archive = false;
        for (String variable : JAVA_VARIABLES) {
            String options = System.getenv(variable);
            collector |= options != null && namesCollector(options);
            threshold |= options != null && options.contains(THRESHOLD);
        }
        for (String option : chosen) {
            collector |= namesCollector(option);
            archive |= namesArchive(option);
            threshold |= option.startsWith(THRESHOLD);
            nativeAccess |= option.startsWith("--enable-native-access");
        }
        if (java.feature() >= WARNS_ABOUT_NATIVE_ACCESS && !nativeAccess) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String given = java.isOurs() ? System.getProperty("brigade.launch.flags", "") : ""; // an archive fits one JDK
        if (!archive && !given.isEmpty()) {
            int from = 0;
            for (int end = given.indexOf('\n'); end >= 0; end = given.indexOf('\n', from)) {
                command.add(given.substring(from, end));
                from = end + 1;
            }
            command.add(given.substring(from));
        }
        if (crowded && !threshold && !given.contains(THRESHOLD)) {
            command.add(THRESHOLD + "Scaling=" + LATER);
        }
        if (!collector) {
            // There is one rank a core: a collector with threads of its own would take cores from the other ranks, and
            // starts
            // later.
            command.add("-XX:+UseSerialGC");
        }
        command.add("-XX:-UsePerfData");
    }

    /**
     * A JVM starts as many compiler threads as suit the machine, and so do the JVMs of all ranks. Together they would
     * fill the machine for the job's first second, and take the ranks' processors. Each gets as many as suit its share
     * of the machine. A JVM that is bound sees its own processors only.
     */
    static void addCompilers(List<String> command, int ranks, List<String> javaOptions, int processors) {
        int compilers = compilers(processors / Math.max(1, ranks));
        if (compilers >= compilers(processors)) {
            return;
        }
        StringBuilder chosen = new StringBuilder(System.getProperty("brigade.launch.flags", ""));
        for (String variable : JAVA_VARIABLES) {
            String given = System.getenv(variable);
            chosen.append(' ').append(given == null ? "" : given);
        }
        for (String option : javaOptions) {
            chosen.append(' ').append(option);
        }
        for (String each : OTHER_COMPILERS) {
            if (chosen.indexOf(each) >= 0) {
                return;
            }
        }
        command.add(COMPILERS + "=" + compilers);
    }

    /** How many compiler threads HotSpot may start on so many processors. */
    static int compilers(int processors) {
        int log = log2(processors);
        return Math.max(log * log2(log) * 3 / 2, 2);
    }

    private static int log2(int number) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, number));
    }

    /** Whether options choose a garbage collector, as -XX:+UseG1GC does; a JVM with two does not start. */
    static boolean namesCollector(String options) {
        for (int from = options.indexOf(COLLECTOR); from >= 0; from = options.indexOf(COLLECTOR, from + 1)) {
            int end = from + COLLECTOR.length();
            while (end < options.length() && Character.isLetterOrDigit(options.charAt(end))) {
                end++;
            }
            if (options.startsWith("GC", end - 2)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an option uses or makes a class archive of the program's own: a JVM that is given two does not start. */
    private static boolean namesArchive(String option) {
        return option.startsWith("-Xshare") || option.startsWith("-XX:SharedArchiveFile")
            || option.startsWith("-XX:ArchiveClassesAtExit") || option.startsWith("-XX:AOT");
    }

    private static void addMainOf(String jar, List<String> command) {
        Attributes main;
        try {
            main = JarProgram.manifest(jar);
        } catch (IllegalArgumentException e) {
            throw new LaunchException(e.getMessage());
        }
        addEach("--add-exports", main.getValue("Add-Exports"), command);
        addEach("--add-opens", main.getValue("Add-Opens"), command);
        command.add(main.getValue(Attributes.Name.MAIN_CLASS).trim());
    }

    private static void addEach(String option, String packages, List<String> command) {
        if (packages == null) {
            return;
        }
        int from = 0;
        String list = packages.trim() + " ";
        for (int space = list.indexOf(' '); space >= 0; space = list.indexOf(' ', from)) {
            if (space > from) {
                command.add(option);
                command.add(list.substring(from, space) + "=ALL-UNNAMED");
            }
            from = space + 1;
        }
    }
}
