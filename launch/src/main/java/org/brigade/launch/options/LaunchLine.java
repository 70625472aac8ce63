package org.brigade.launch.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.bootstrap.Job;
import org.brigade.launch.options.LaunchOptions.Request;
import org.brigade.setting.Setting;
import org.brigade.setting.SpellingSuggestion;

/** A command line of mpjrun that is being read. */
final class LaunchLine {
    /** What separates the programs of a job. */
    private static final String NEXT_PROGRAM = ":";
    private static final String TIME_LIMIT = "MPIEXEC_TIMEOUT";
    /** Options with at most so many letters are too short to be called typing errors. */
    private static final int SHORT = 5;
    private static final int MOST_SECONDS = 100_000_000;

    /** Whether a program spawns this: it is one program, and files of arguments are left to java. */
    private final boolean spawned;
    private Request request = Request.RUN;
    private Binding binding = Binding.NONE;
    private boolean reportsBindings;
    private int timeout;
    private boolean expands = true;
    private final OutputOptions.Line output = new OutputOptions.Line();
    private final NodeOptions nodes = new NodeOptions();
    private final HostOptions hosts = new HostOptions();
    private String debug;
    private String grace;
    private final List<ProgramLine> programs = new ArrayList<>();
    private ProgramLine program = new ProgramLine(null);
    private final StringBuilder ignored = new StringBuilder();
    private List<String> words;
    private int at;

    LaunchLine(boolean spawned) {
        this.spawned = spawned;
    }

    LaunchOptions parse(String[] line) {
        words = new ArrayList<>(Arrays.asList(line));
        programs.add(program);
        while (at < words.size() && request == Request.RUN) {
            if (!spawned && words.get(at).equals(NEXT_PROGRAM)) {
                next();
            } else if (program.isNamed()) {
                program.argument(words.get(at++));
            } else {
                take();
            }
        }
        return request == Request.RUN ? options()
            : new LaunchOptions(request, 0, 1, null, null, null, binding, false, OutputOptions.PLAIN, 0, null,
                List.of());
    }

    private void next() {
        at++;
        if (!program.isNamed()) {
            throw new LaunchException("no program before ':'; name one, as in: mpjrun -np 1 A : -np 3 B");
        }
        program = new ProgramLine(program);
        programs.add(program);
    }

    private LaunchOptions options() {
        int usual = hosts.isNamed() || nodes.perNode() > 0 ? hosts.slots(nodes.perNode(), nodes.count())
            : Runtime.getRuntime().availableProcessors();
        if (programs.size() > 1 && !programs.get(0).isCounted()) {
            throw new LaunchException("the program before ':' has no -np; give each of several programs its number of"
                + " ranks, as in: mpjrun -np 1 A : -np 3 B");
        }
        List<ProgramOptions> read = new ArrayList<>();
        long ranks = 0;
        for (ProgramLine each : programs) {
            if (grace != null) {
                each.javaOption(grace);
            }
            read.add(each.read(usual));
            ranks += read.get(read.size() - 1).ranks();
        }
        if (ranks > Job.MOST_RANKS) {
            throw new LaunchException("-np " + ranks + ": this version serves at most " + Job.MOST_RANKS
                + " ranks; start fewer");
        }
        int all = (int) ranks;
        JobHosts where = spawned ? null : hosts.place(all, nodes);
        if (!spawned) {
            requireOneListener(read, all);
            if (where == null && hosts.ignored() != null) {
                ignored.append(ignored.isEmpty() ? "" : ", ").append(hosts.ignored());
            }
            timeout = timeout == 0 && System.getenv(TIME_LIMIT) != null ? seconds(TIME_LIMIT, System.getenv(TIME_LIMIT))
                : timeout;
            if (!ignored.isEmpty()) {
                System.err.println(ForeignOptions.ignored(ignored.toString()));
            }
        }
        return new LaunchOptions(request, all, nodes.count(), where == null ? nodes.of(all) : null, where,
            nodes.fabric(), binding, reportsBindings, output.read(), timeout,
            debug == null ? null : DebugPorts.of(debug, all, where), read);
    }

    /** A debugger's port serves one JVM. */
    private static void requireOneListener(List<ProgramOptions> programs, int ranks) {
        for (ProgramOptions each : programs) {
            for (String option : each.javaOptions()) {
                if (ranks > 1 && JavaOptions.listens(option)) {
                    throw new LaunchException(option + ": only one JVM can listen at this port, and there are " + ranks
                        + " ranks; name the rank instead, as in --debug 0:5005");
                }
            }
        }
    }

    /** Takes a word in front of a program, and its values. */
    private void take() {
        String word = words.get(at);
        int equals = word.indexOf('=');
        String name = equals > 0 ? word.substring(0, equals) : word;
        LaunchOption option = LaunchOption.of(name);
        boolean joined = equals > 0 && option != null && option.value != null;
        if (equals > 0 && !joined) {
            option = LaunchOption.of(word);
        }
        at++;
        if (option != null) {
            follow(option, name, joined ? word.substring(equals + 1) : null);
        } else if (!spawned && expands && ArgumentFile.isOne(word)) {
            expand(word);
        } else if (!word.startsWith("-") && !(spawned && ArgumentFile.isOne(word))) {
            program.word(word);
        } else {
            other(word, name);
        }
    }

    /** Puts the words of a file of arguments in place of its name. Those names in it are no files. */
    private void expand(String word) {
        List<String> its = ArgumentFile.words(word);
        words.remove(at - 1);
        words.addAll(at - 1, its);
        int end = at - 1 + its.size();
        expands = false;
        at--;
        while (at < end && at < words.size() && !program.isNamed() && request == Request.RUN
            && !words.get(at).equals(NEXT_PROGRAM)) {
            take();
        }
        expands = true;
    }

    /** An option that is not mpjrun's own. */
    private void other(String word, String name) {
        if (word.equals(ArgumentFile.DISABLE)) {
            expands = false;
        }
        int values = program.isBehindJava() ? -1 : ForeignOptions.values(word);
        if (values >= 0) {
            readOver(word, values);
        } else {
            if (!program.isBehindJava() && !spawned) {
                requireJavas(word, name);
            }
            program.javaOption(word);
            if (JavaOptions.isValued(word)) {
                program.javaOption(value(word, null));
            }
        }
    }

    private void readOver(String option, int values) {
        StringBuilder text = new StringBuilder(option);
        for (int i = 0; i < values; i++) {
            text.append(' ').append(value(option, null));
        }
        if (!ForeignOptions.isDone(option)) {
            ignored.append(ignored.isEmpty() ? "" : ", ").append(text);
        }
    }

    /** @param inline the value behind = in the option's own word; null if there is none */
    private void follow(LaunchOption option, String name, String inline) {
        String value = option.value == null ? null : value(name, inline);
        switch (option) {
            case RANKS -> program
                .ranks(LaunchOptions.number(name, value, "the number of ranks must be 1 or more, as in -np 4"));
            case PER_NODE -> nodes.perNode(name, value);
            case WORKING_DIRECTORY -> program.directory(value);
            case VARIABLE -> program.variable(value);
            case VARIABLE_AND_VALUE -> program.variable(value + "=" + value(name, null));
            case CLASS_PATH -> program.classPath(value);
            case JAR -> program.jar(value);
            case MODULE -> program.module(name, value);
            case MPJ_DEVICE -> program.mpjDevice(value);
            case TAG -> output.tag();
            case OUTPUT -> output.folder(value);
            case TIMEOUT -> timeout = seconds(name, value);
            case GRACE -> grace = grace(value);
            case DEBUG -> debug = value;
            case BIND_TO -> binding = Binding.of(value);
            case REPORT_BINDINGS -> reportsBindings = true;
            case NODES -> nodes.nodes(value);
            case MAP -> nodes.map(value);
            case FABRIC -> nodes.fabric(value);
            case HOSTS -> hosts.names(name, value);
            case HOST_FILE -> hosts.file(name, value);
            case MAP_BY -> hosts.mapBy(value);
            case BY_NODE -> hosts.mapBy("node");
            case OVERSUBSCRIBE -> hosts.oversubscribe();
            case LAUNCH_AGENT -> hosts.agent(name, value);
            case COMPLETION -> request = Request.COMPLETION;
            case VERSION -> request = Request.VERSION;
            case HELP -> request = Request.HELP;
        }
    }

    private String value(String option, String inline) {
        if (inline == null && at == words.size() || inline != null && inline.isEmpty()) {
            throw new LaunchException(option + (inline == null ? "" : "=") + " needs a value after it");
        }
        return inline != null ? inline : words.get(at++);
    }

    private static int seconds(String option, String text) {
        int seconds = LaunchOptions.number(option, text, "the number of seconds must be 1 or more, as in --timeout 60");
        return Math.min(seconds, MOST_SECONDS);
    }

    /** The ranks are told, too: they wait for each other's hooks. */
    private static String grace(String seconds) {
        Setting grace = Setting.of("grace");
        if (!grace.accepts(seconds)) {
            throw new LaunchException("--grace " + seconds + ": the number of seconds " + grace.must());
        }
        return "-D" + Setting.property("grace") + "=" + seconds;
    }

    /** Refuses what java would not understand: every rank's JVM would complain, and not name mpjrun's options. */
    private static void requireJavas(String word, String name) {
        if (JavaOptions.isOne(word) || JavaOptions.isValued(word)) {
            return;
        }
        String meant = SpellingSuggestion.of(name, LaunchOption.shown(), name.length() > SHORT ? 2 : 1);
        throw new LaunchException(name + " is an option of neither mpjrun nor java"
            + (meant == null ? "" : "; did you mean " + meant + "?") + (meant == null ? "; " : " ")
            + "mpjrun --help lists mpjrun's, java --help java's. An option that only a newer java knows may follow the"
            + " word java");
    }
}
