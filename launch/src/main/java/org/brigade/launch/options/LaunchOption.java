package org.brigade.launch.options;

import java.util.ArrayList;
import java.util.List;

/** Mpjrun's own options: the table from which it reads its command line, and from which help and completion come. */
enum LaunchOption {
    RANKS("-np -n --np --n -c", "N", "number of ranks; as many as processors if left out"),
    PER_NODE("-N -npernode --npernode -ppn -perhost", "N", "ranks on each host or emulated node, in place of -np"),
    WORKING_DIRECTORY("-wdir --wdir -wd --wd -gwdir", "DIR", "where the ranks run"),
    VARIABLE("-x", "NAME[=VALUE]", "gives the ranks a variable; without a value that of mpjrun's own environment"),
    VARIABLE_AND_VALUE("-env -genv", "NAME VALUE", null),
    CLASS_PATH("-cp -classpath --class-path", "PATH",
        "the program's class path; CLASSPATH or the working directory if left out"),
    JAR("-jar", "FILE", null),
    MODULE("-m --module", "MODULE[/CLASS]", null),
    MPJ_DEVICE("-dev", "DEVICE", null),

    TAG("--tag --tag-output -tag-output -prepend-rank -l", null, "begins every line of output with its rank: [2] ..."),
    OUTPUT("--output-filename -output-filename", "DIR",
        "writes each rank's output into a file, too: DIR/rank.2; DIR:nocopy: into the file only"),
    TIMEOUT("--timeout -timeout", "S", "ends the job after S seconds, says who waits for whom, and exits with 110"),
    GRACE("--grace", "S", "how many seconds shutdown hooks may take after SIGTERM, Ctrl-C or another rank's failure,"
        + " before SIGKILL. Default: 10. A second Ctrl-C kills at once"),
    DEBUG("--debug", "RANK[:PORT]",
        "this rank waits for a debugger at PORT (5005) of this machine; the others listen at"
            + " ports of their own and do not wait"),

    BIND_TO("--bind-to -bind-to", "B", "binds each rank to a core, to the cores of its last level of cache (cache,"
        + " l3cache) or to its NUMA node (numa); neighbouring ranks get neighbouring cores. Default: none"),
    REPORT_BINDINGS("--report-bindings -report-bindings", null,
        "says on standard error which processors each rank may use"),
    NODES("--nodes", "N", "starts the ranks as N nodes that this machine emulates: ranks of different nodes share no"
        + " memory"),
    MAP("--map", "HOW", "block: ranks fill one node or host after another (default); node: each next rank on the next"
        + " one; or the node of each rank: 0,1,1,0"),
    MAP_BY("--map-by -map-by", "HOW", null),
    BY_NODE("--bynode -bynode", null, null),
    FABRIC("--fabric", "F", "what joins the nodes: sisci, with emulated adapters; ucx"),
    HOSTS("-H -host --host -hosts --hosts", "NAME[:N],...", "hosts of the ranks; N ranks each. Others than this machine"
        + " are reached by ssh"),
    HOST_FILE("--hostfile -hostfile --machinefile -machinefile -machinesfile --default-hostfile -f", "FILE",
        "the same from a file, a host a line: NAME [slots=N]"),
    OVERSUBSCRIBE("--oversubscribe -oversubscribe", null, "more ranks than the hosts have slots"),
    LAUNCH_AGENT("--launch-agent -launch-agent", "CMD", "what runs a command on a host, in place of ssh: the host's"
        + " name and the command's words are appended, or the name replaces {host}"),

    COMPLETION("--completion", null, "prints what completes mpjrun's options in bash and zsh: source <(mpjrun"
        + " --completion)"),
    VERSION("--version -version -V", null, "prints Brigade's version"),
    HELP("--help -help -h -?", null, "prints this");

    /** Names of each option, the usual one first. */
    final String[] names;
    /** What follows it; null: nothing. */
    final String value;
    /** Null: it is no option of mpjrun's own, and help is silent. */
    final String text;

    LaunchOption(String names, String value, String text) {
        List<String> each = new ArrayList<>();
        int from = 0;
        for (int space = names.indexOf(' '); space >= 0; space = names.indexOf(' ', from)) {
            each.add(names.substring(from, space));
            from = space + 1;
        }
        each.add(names.substring(from));
        this.names = each.toArray(new String[0]);
        this.value = value;
        this.text = text;
    }

    /** The option of this name; null if there is none. */
    static LaunchOption of(String name) {
        for (LaunchOption option : values()) {
            for (String each : option.names) {
                if (each.equals(name)) {
                    return option;
                }
            }
        }
        return null;
    }

    /** The names that a mistyped option may mean. */
    static List<String> shown() {
        List<String> all = new ArrayList<>();
        for (LaunchOption option : values()) {
            if (option.text != null) {
                for (String name : option.names) {
                    all.add(name);
                }
            }
        }
        return all;
    }
}
