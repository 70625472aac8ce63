package org.brigade.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import org.brigade.program.JarProgram;

/**
 * The java command of a rank: this JVM's java, Brigade first on the class path, and only flags that this version of
 * java knows.
 */
public final class RankCommand {
    /** The first version that warns about native access without a flag. */
    private static final int WARNS_ABOUT_NATIVE_ACCESS = 24;

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

    /** Writes a command as one rank's: with the rank's number where the command asks for it. */
    static void forRank(List<String> command, int rank, List<String> its) {
        its.clear();
        its.addAll(command);
        int at = its.indexOf(RANK);
        if (at >= 0) {
            its.set(at, Integer.toString(rank));
        }
    }

    /**
     * Property {@code brigade.launch.path} names the part of mpjrun's own class path that ranks need, which is without
     * the tools.
     *
     * @throws LaunchException if the jar behind -jar cannot be run
     */
    public static List<String> of(LaunchOptions options) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        addFlags(command, options.javaOptions(), 2 * options.ranks() > Runtime.getRuntime().availableProcessors());
        if (options.binding() == Binding.NONE) {
            addCompilers(command, options, Runtime.getRuntime().availableProcessors());
        }
        String brigade = System.getProperty("brigade.launch.path", System.getProperty("java.class.path"));
        if (options.directory() != null) {
            brigade = new PathOptions(null).paths(brigade); // java runs in another directory
        }
        command.add("-cp");
        if (options.jar() == null) {
            command.add(brigade + File.pathSeparator + userClassPath(options));
            command.addAll(options.javaOptions());
        } else {
            // java ignores -cp beside -jar, so this reads from the jar what java would have read.
            command.add(brigade + File.pathSeparator + options.jar());
            command.addAll(options.javaOptions());
            addMainOf(new PathOptions(options.directory()).path(options.jar()), command);
        }
        int arguments = command.size() + (options.jar() == null ? 1 : 0);
        command.addAll(options.program());
        if (options.mpjDevice() != null) {
            // The arguments that MPJ Express passes before the program's own, and that MPI.Init removes: rank,
            // configuration,
            // device.
            command.addAll(arguments, List.of(RANK, MPJ_CONFIGURATION, options.mpjDevice()));
        }
        return command;
    }

    /** The class path of the program, which java sees from the ranks' directory. */
    static String userClassPath(LaunchOptions options) {
        if (options.classPath() != null) {
            return options.classPath();
        }
        String inherited = System.getenv("CLASSPATH");
        return inherited == null || inherited.isEmpty() ? "." : inherited;
    }

    /**
     * Flags for a fast and silent start, unless the user has chosen others. By property {@code brigade.launch.flags},
     * one flag a line, bin/mpjrun passes on the flags of its class archive.
     *
     * @param crowded whether some JVM's compiler has no processor but the ranks'
     */
    private static void addFlags(List<String> command, List<String> chosen, boolean crowded) {
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
        if (Runtime.version().feature() >= WARNS_ABOUT_NATIVE_ACCESS && !nativeAccess) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        String given = System.getProperty("brigade.launch.flags", "");
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
    static void addCompilers(List<String> command, LaunchOptions options, int processors) {
        int compilers = compilers(processors / Math.max(1, options.ranks()));
        if (compilers >= compilers(processors)) {
            return;
        }
        StringBuilder chosen = new StringBuilder(System.getProperty("brigade.launch.flags", ""));
        for (String variable : JAVA_VARIABLES) {
            String given = System.getenv(variable);
            chosen.append(' ').append(given == null ? "" : given);
        }
        for (String option : options.javaOptions()) {
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
