package org.brigade.launch;

import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Job;
import org.brigade.setting.Setting;
import org.brigade.setting.SpellingSuggestion;

/**
 * The command line of mpjrun: {@code [-np|-n N] [--nodes N] [java options] (App | -jar X) args}. Options that are not
 * mpjrun's go to java unchanged. Options of MPJ Express for things that Brigade finds out by itself ({@code -dport})
 * are accepted and ignored. With {@code -dev} the ranks get the arguments that MPJ Express's mpjrun gives.
 */
public record LaunchOptions(Request request, int ranks, int nodes, int[] nodeOf, String fabric, Binding binding,
    boolean reportsBindings, boolean tagged, String directory, String classPath, String jar, String mpjDevice,
    List<String> javaOptions,
    List<String> program) {
    /** What the command line asks for. */
    enum Request { RUN, HELP }

    /** Mpjrun's own options; they may be followed by = and a value, and a typing error of one is an error. */
    private static final List<String> OWN = List.of("-np", "-n", "--nodes", "--map", "--fabric", "--bind-to",
        "--report-bindings", "--grace", "--tag", "-wdir", "-cp", "-classpath", "--class-path", "--help");
    private static final List<String> LONG = List.of("--nodes", "--map", "--fabric", "--bind-to",
        "--report-bindings", "--grace", "--tag", "-wdir");
    /** What separates the commands of several programs that run together. */
    private static final String NEXT_PROGRAM = ":";
    /** As mpirun wants it in front of java's options; here it may stand there. */
    private static final String JAVA = "java";
    /** Options with at most so many letters are too short to be called typing errors. */
    private static final int SHORT = 5;

    /** @throws LaunchException if the line cannot be followed: one sentence with the cure */
    public static LaunchOptions parse(String[] line) {
        LaunchOptions options = new Line().parse(line);
        if (options.program.contains(NEXT_PROGRAM)) {
            throw new LaunchException("a ':' would begin another program, and mpjrun runs one program in all ranks;"
                + " start several with mpirun: mpirun -np 1 mpjava A : -np 3 mpjava B. If ':' is an argument of the"
                + " program, make it part of a longer word, as in sep=:");
        }
        return options;
    }

    /** The line of a java command that a program spawns: there ':' is an argument like any other. */
    static LaunchOptions parseSpawned(String[] line) {
        return new Line().parse(line);
    }

    /** A command line that is being read. */
    private static final class Line {
        private Request request = Request.RUN;
        private int ranks;
        private Binding binding = Binding.NONE;
        private boolean reportsBindings;
        private boolean tagged;
        private String directory;
        private String classPath;
        private String jar;
        private String mpjDevice;
        private final NodeOptions nodes = new NodeOptions();
        private final List<String> javaOptions = new ArrayList<>();
        private final List<String> program = new ArrayList<>();

        LaunchOptions parse(String[] line) {
            int at = 0;
            while (at < line.length && program.isEmpty() && jar == null && request == Request.RUN) {
                at = take(line, at);
            }
            program.addAll(List.of(line).subList(at, line.length));
            if (request == Request.RUN && jar == null && program.isEmpty()) {
                throw new LaunchException(
                    "no program: name a class, or a jar behind -jar, as in: mpjrun -np 4 -cp app.jar App");
            }
            if (ranks == 0) {
                ranks = Runtime.getRuntime().availableProcessors();
            }
            if (ranks > Job.MOST_RANKS) {
                throw new LaunchException("-np " + ranks + ": this version serves at most "
                    + Job.MOST_RANKS + " ranks; start fewer");
            }
            return new LaunchOptions(request, ranks, nodes.count(), nodes.of(ranks), nodes.fabric(), binding,
                reportsBindings, tagged, directory, classPath, jar, mpjDevice, javaOptions, program);
        }

        private int take(String[] line, int at) {
            String word = line[at];
            int equals = word.indexOf('=');
            boolean joined = equals > 0 && OWN.contains(word.substring(0, equals));
            String option = joined ? word.substring(0, equals) : word;
            String inline = joined ? word.substring(equals + 1) : null;
            switch (option) {
                case "-np", "-n" ->
                    ranks =
                        number(option, value(line, at, inline), "the number of ranks must be 1 or more, as in -np 4");
                case "--nodes" -> nodes.nodes(value(line, at, inline));
                case "--map" -> nodes.map(value(line, at, inline));
                case "--fabric" -> nodes.fabric(value(line, at, inline));
                case "--bind-to", "-bind-to" -> binding = Binding.of(value(line, at, inline));
                case "--grace" -> javaOptions.add(grace(value(line, at, inline)));
                case "-wdir" -> directory = value(line, at, inline);
                case "-cp", "-classpath", "--class-path" -> classPath = value(line, at, inline);
                case "-jar" -> jar = value(line, at, null);
                case "-dev" -> mpjDevice = value(line, at, null);
                case "-dport", "-mpjport", "-headnodeip", "-mxboardnum", "-psl" -> value(line, at, null);
                case "-machinesfile", "-hostfile", "--hostfile", "-host", "--host" -> throw new LaunchException(word
                    + ": mpjrun starts ranks on this machine only; for several, start them with mpirun or srun:"
                    + " mpirun -np 4 mpjava App");
                case "--map-by", "-map-by", "--rank-by", "-rank-by" -> throw new LaunchException(word
                    + ": mpjrun always gives neighbouring ranks neighbouring cores; choose what ranks are bound to, as"
                    + " in --bind-to core");
                case "-m", "--module" -> {
                    javaOptions.add(word);
                    program.add(value(line, at, null));
                }
                case "-p", "--module-path", "--upgrade-module-path", "--add-modules", "--limit-modules", "--add-opens",
                    "--add-exports", "--add-reads",
                    "--patch-module", "--enable-native-access", "--source", "--finalization",
                    "--illegal-native-access" -> {
                    javaOptions.add(word);
                    javaOptions.add(value(line, at, null));
                }
                case "--report-bindings", "-report-bindings" -> {
                    reportsBindings = true;
                    return at + 1;
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
                    if (word.startsWith("-") || word.startsWith("@")) {
                        requireNoSlip(equals > 0 ? word.substring(0, equals) : word);
                        javaOptions.add(word);
                    } else if (!word.equals(JAVA)) {
                        program.add(word);
                    }
                    return at + 1;
                }
            }
            return joined ? at + 1 : at + 2;
        }
    }

    /** The ranks are told, too: they wait for each other's hooks. */
    private static String grace(String seconds) {
        Setting grace = Setting.of("grace");
        if (!grace.accepts(seconds)) {
            throw new LaunchException("--grace " + seconds + ": the number of seconds " + grace.must());
        }
        return "-D" + Setting.property("grace") + "=" + seconds;
    }

    /**
     * Refuses an option that is a typing error of one of ours: java's complaint about it would mislead. Java's own
     * options with two dashes are long and like none of these.
     */
    private static void requireNoSlip(String option) {
        boolean dashes = option.startsWith("--");
        if (!dashes && (option.startsWith("-D") || option.startsWith("-X") || option.indexOf(':') > 0)) {
            return;
        }
        String meant = SpellingSuggestion.of(option, dashes ? OWN : LONG, option.length() > SHORT ? 2 : 1);
        if (meant != null) {
            throw new LaunchException(option + " is an option of neither mpjrun nor java; did you mean " + meant
                + "? mpjrun --help lists mpjrun's");
        }
    }

    /** @param inline the value after = in the option's own word; null if there is none */
    private static String value(String[] line, int at, String inline) {
        if (inline == null && at + 1 == line.length || inline != null && inline.isEmpty()) {
            throw new LaunchException(line[at] + " needs a value after it");
        }
        return inline != null ? inline : line[at + 1];
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
