package org.brigade.setting;

import java.util.Map;
import java.util.Properties;

/**
 * A setting: property {@code brigade.mpi.window}, or if that is not set, environment variable
 * {@code BRIGADE_MPI_WINDOW}. All settings are declared here: name, kind, default, who reads it, and whether all ranks
 * must have the same value. docs/settings.md and the comparison in MPI.Init follow from that. Only the settings of each
 * collective ({@code brigade.bcast.algorithm}) come from the catalogue, in {@code org.brigade.select}; all ranks must
 * have the same. MPI.Init checks all settings, so a reader that needs a number earlier ({@link #number}) need not
 * complain.
 */
public final class Setting {
    private static final String PREFIX = "brigade.";
    private static final String VARIABLE_PREFIX = "BRIGADE_";
    private static final long ANY = Long.MAX_VALUE >> 1;
    private static final int DAY_MILLIS = 24 * 3600 * 1000;

    private static final String BYTES = "bytes";
    private static final String SECONDS = "seconds";
    private static final String MILLISECONDS = "milliseconds";

    private static final String JOB = "Every job";
    private static final String CHOICE = "Choice of algorithms";
    private static final String OBJECTS = "Objects in messages";
    private static final String WAIT = "Messages and waiting";
    private static final String HOST_MPI = "Nodes joined by the host's MPI";
    private static final String UCX = "Nodes joined by UCX";
    private static final String SISCI = "Nodes joined by SISCI";
    private static final String NETWORK = "Reduction in the network";
    private static final String DEVICE = "Device memory";
    private static final String BENCH = "Benchmarks";

    private static final Setting[] ALL = {
        number(JOB, "init.timeout", 1, 86_400, "60", SECONDS, "How long ranks wait for each other in MPI.Init."),
        choice(JOB, "check", "false",
            "Whether every collective call is compared with those of the other ranks first."
                + " Each call then waits for all ranks.",
            "true", "false").shared(),
        text(JOB, "interpose", "none",
            "Classes that see every call of the program, such as com.example.MyTool; several with commas between"
                + " them, the outermost first."),
        choice(JOB, "record", "on if the JVM's flight recorder runs when MPI.Init is called",
            "Whether calls and their stages are events of the flight recorder.", "on", "off"),
        text(JOB, "trace", "none", "A folder in which every rank leaves a recording of its calls for brigade trace."),
        number(JOB, "trace.threshold", 0, 1_000_000_000, "0", "microseconds",
            "A stage of a traced call is kept if it takes so long."),
        choice(JOB, "report", "off",
            "Whether rank 0 says at the end of MPI.Init, and at the first call on GPUs, what was chosen and what costs"
                + " speed. debug: and in Finalize, which algorithms its collectives ran.",
            "off", "info", "debug"),
        choice(JOB, "jmx", "off",
            "Whether each rank has a bean org.brigade:type=Rank,rank=N with its calls and whom it waits for.", "on",
            "off"),
        number(JOB, "stall.report", 0, 86_400, "60", SECONDS,
            "After so long without progress rank 0 says once who waits for whom. 0: never."),
        number(JOB, "grace", 0, 86_400, "10", SECONDS,
            "How long shutdown hooks may take after SIGTERM, Ctrl-C, or another rank's failure (mpjrun --grace)."),
        number(JOB, "host.patience", 1, 86_400, "30", SECONDS,
            "How long a host of mpjrun --hosts may say nothing until it is lost, as when all that runs there is"
                + " stopped. A host that does not even acknowledge (TCP) what mpjrun sends is lost after 3 s."),
        number(JOB, "last.calls", 0, 32, "3", "calls",
            "How many of its last calls are shown of each rank when a rank has died. Calls in a row that are alike"
                + " count as one. 0: none."),
        text(JOB, "fabric", "the first that serves the job",
            "What joins the nodes: sisci, mpi or ucx. MPI.Init compares what the ranks chose."),
        text(JOB, "shm.segment", "40M, or more if the ranks need more",
            "Size of a node's shared segment, such as 32M. The first rank of the node decides."),
        choice(JOB, "portable", "off on Linux, else on",
            "Whether Brigade runs in Java alone, as on macOS and Windows (docs/laptops.md). Other systems than Linux"
                + " ignore off.",
            "on", "off").shared(),
        text(JOB, "ports", "/dev/shm",
            "Where processes of different jobs find each other: the same folder for all these jobs."),
        text(CHOICE, "tuning", "what brigade tune wrote for such jobs, then the table in the jar",
            "A tuning table for host memory. none: the one in the jar alone. MPI.Init compares the ranks' tables."),
        text(CHOICE, "device.tuning", "the table in the jar",
            "A tuning table for device memory. none: the one in the jar. MPI.Init compares the tables that are set."),
        text(CHOICE, "ring.order", "none",
            "The order of rings and chains, such as 0,2,1,3, in communicators of as many ranks.").shared(),
        text(CHOICE, "topology.profile", "the one that brigade profile wrote for this machine",
            "A profile that rings and chains follow. none: no profile. The ranks of a communicator compare theirs."),
        text(CHOICE, "network.profile", "one that brigade profile --nodes wrote for these nodes",
            "A profile of the network: the order of nodes in rings and chains. none: no profile."),
        number(WAIT, "eager", 0, 1 << 30, "32K", BYTES,
            "The longest message that is sent before its receiver has asked for it."),
        number(WAIT, "stash", 0, ANY, "512M", BYTES,
            "How much a rank keeps of messages that belong to later collectives."),
        computed(WAIT, "spins", 0, 1 << 30, "20000", "looks",
            "20000; 0 for a rank that shares its processor with other ranks; 50 at most between nodes",
            "How often a waiting rank looks before it lets others run."),
        choice(WAIT, "waiting.report", "false", "Whether each rank says in MPI.Init how it waits, and why.", "true",
            "false"),
        choice(WAIT, "spare.cores", "enough",
            "Whether compilers, collector and other threads of a rank's JVM leave the ranks' processors: for those that"
                + " no rank has, or, if no rank is bound, for all but one for each rank. enough: if there is one for"
                + " two ranks, and two ranks.",
            "enough", "always", "never"),
        choice(WAIT, "shm.loans", "measured",
            "Whether messages of more than 32K, or of more than brigade.eager if that is larger, are copied once, by"
                + " the kernel, between ranks of a node. measured: where that is faster. never also ends single-copy,"
                + " by which collectives do so.",
            "measured", "always", "never"),
        choice(WAIT, "shm.streams", "measured",
            "Whether messages of 2K and more, and what collectives leave in their shared buffer, are written past the"
                + " writer's caches. measured: where that is faster, as between cores that share no cache.",
            "measured", "always", "never"),
        number(WAIT, "copy.native", 0, 1 << 30, "16K", BYTES, "The shortest copy that libc's memcpy makes."),
        choice(WAIT, "native", "on",
            "Whether copies and reductions use the compiled library that the jar brings. off: JNA and Java instead.",
            "on", "off"),
        text(OBJECTS, "object.also", "none",
            "More classes that a rank accepts in messages of MPI.OBJECT, such as java.net.URL;javax.swing.*; with a !,"
                + " classes that it refuses."),
        text(OBJECTS, "object.classes", "the program's, and the JDK's values, collections and exceptions",
            "The only classes that a rank accepts in messages of MPI.OBJECT, such as com.acme.*;java.base/*. Replaces"
                + " the whole rule; prefer brigade.object.also."),
        number(OBJECTS, "object.depth", 1, Integer.MAX_VALUE, "10000", "objects",
            "The longest chain of objects in a message that is accepted."),
        number(OBJECTS, "object.references", 1, ANY, "1000000000", "objects",
            "The most objects in a message that are accepted."),
        number(OBJECTS, "object.array", 1, Integer.MAX_VALUE, "2147483647", "elements",
            "The longest array in a message that is accepted."),
        number(OBJECTS, "object.nesting", 1, Integer.MAX_VALUE, "20", "collections",
            "The most sets and maps inside each other in a message that are accepted: sets in sets take twice as long"
                + " for each."),
        computed(HOST_MPI, "mpi.window", 64 << 10, 1 << 30, "1M", BYTES, "64M divided by the ranks, from 256K to 4M",
            "How much may be on its way from one rank to another, or wait there to be received.").shared(),
        number(HOST_MPI, "mpi.patience", 0, 86_400, "60", SECONDS,
            "How long a rank of another node may give no sign of life. 0: for ever."),
        choice(HOST_MPI, "mpi.cuda", "as the MPI says of itself",
            "Whether the host's MPI is given device memory. One rank that says off decides for all.", "on", "off"),
        text(HOST_MPI, "mpi.library", "the launcher's", "The file of the host's MPI library."),
        computed(UCX, "ucx.window", 64 << 10, 1 << 30, "1M", BYTES, "64M divided by the ranks, from 256K to 4M",
            "How much may be on its way from one rank to another, or wait there to be received.").shared(),
        number(UCX, "ucx.patience", 0, 86_400, "60", SECONDS,
            "How long a rank of another node may give no sign of life. 0: for ever."),
        number(UCX, "ucx.unreachable", 0, 86_400, "3", SECONDS,
            "How long the host of an awaited rank may acknowledge nothing that is sent to it by TCP until the rank"
                + " counts as lost. Hosts that are busy, and processes that are stopped, acknowledge. 0: for ever."),
        text(UCX, "ucx.library", "libucp.so.0", "The file of UCX's library libucp."),
        text(SISCI, "sisci", "Dolphin's library", "emulated: take the software library instead.").shared(),
        number(SISCI, "sisci.adapter", 0, 63, "0", "", "The adapter that this rank uses."),
        number(SISCI, "sisci.channels", 1, 16, "4", "queues", "DMA queues of a connection."),
        number(SISCI, "sisci.ring", 256 << 10, 16 << 20, "4M", BYTES,
            "Size of each of the two rings of a connection, a power of two."),
        computed(SISCI, "sisci.crossover", 0, ANY, "1M", BYTES, "measured",
            "The shortest message that DMA carries. 0: measured."),
        number(SISCI, "sisci.gpudirect", 0, ANY, "32K", BYTES,
            "The shortest message that DMA reads from GPU memory. 0: never."),
        number(SISCI, "sisci.rendezvous", 0, ANY, "1M", BYTES,
            "The shortest message that DMA writes straight into the receiver's memory. 0: never."),
        choice(SISCI, "sisci.checksum", "off",
            "Whether the receiver compares a checksum of each message that DMA writes into its memory.", "on", "off")
            .shared(),
        number(SISCI, "sisci.patience", 1, DAY_MILLIS, "10000", MILLISECONDS,
            "How long a link may be down before its peer is lost."),
        number(SISCI, "sisci.connect", 1, DAY_MILLIS, "60000", MILLISECONDS, "How long a peer may take to connect."),
        text(SISCI, "sisci.cache", "brigade in XDG_CACHE_HOME or ~/.cache",
            "This user's folder, where the software library is built and kept."),
        text(NETWORK, "aggregation", "none",
            "The network that reduces: tcp:HOST:PORT[,HOST:PORT...], mpi[:N] or sharp[:DEVICE]; several rails with +"
                + " between them.")
            .shared(),
        text(NETWORK, "aggregation.secret", "none", "A file with the secret that the aggregators want."),
        number(NETWORK, "aggregation.timeout", 1, 3600, "10", SECONDS,
            "How long the network may give no sign of life."),
        text(NETWORK, "aggregation.library", "the usual places", "The file of SHARP's library."),
        choice(DEVICE, "device.resident", "off", "Whether a kernel stays on the GPU between small calls.", "on",
            "off").shared(),
        number(DEVICE, "device.resident.idle", 1, 10_000, "200", "microseconds",
            "How long that kernel stays without a call.").shared(),
        number(DEVICE, "device.resident.blocks", 1, 32, "16", "blocks", "Its thread blocks.").shared(),
        // At most half a packet slot, all that packets can carry.
        number(DEVICE, "device.resident.bytes", 0, 256 << 10, "64K", BYTES,
            "The longest block of a call that it serves.").shared(),
        number(DEVICE, "device.resident.single", 0, 256 << 10, "8K", BYTES,
            "The longest block of a call that one of its thread blocks serves alone.").shared(),
        choice(DEVICE, "device.measure", "off",
            "Whether ways to run a collective are tried within the program's calls, and the fastest is kept for these"
                + " GPUs in this user's configuration folder.",
            "on", "off").shared(),
        number(DEVICE, "cuda.direct", 0, ANY, "8K", BYTES,
            "The shortest message that stays in device memory until its receiver takes it."),
        number(DEVICE, "cuda.patience", 0, 1_000_000, "10", "microseconds",
            "How long a shorter one stays there before it goes through host memory; 0: at once."),
        number(DEVICE, "cuda.stay", 0, 1_000_000, "100", "microseconds",
            "How long the kernel that copies short messages stays on the GPU without one; 0: there is none."),
        number(DEVICE, "cuda.hostshare", 0, 50, "0", "percent",
            "How much of a long message between GPUs with NVLink goes through host memory."),
        choice(DEVICE, "cuda.peers", "on",
            "Whether this rank maps the memory of other ranks' GPUs. off: all goes through host memory, as between GPUs"
                + " that cannot reach each other.",
            "on", "off"),
        number(DEVICE, "staging.chunk", 64 << 10, 1 << 30, "1M", BYTES, "Size of a chunk of the staging area."),
        number(DEVICE, "staging.chunks", 2, 1024, "8", "chunks", "Number of its chunks."),
        number(BENCH, "bench.iterations", 1, 1 << 30, "3000", "calls",
            "The most calls that brigade bench measures at one size.").shared()};

    /**
     * Variables that are read from the environment only: by the software libsisci, which is C, or to learn the rank
     * from a launcher. Name, and purpose.
     */
    private static final String[][] VARIABLES = {
        {"SISCI_MODE", "Emulated SISCI: how it behaves, a list of weak[=SEED], timed, shifted, aligned=BYTES."},
        {"SISCI_FAULT", "Emulated SISCI: a list of faults."},
        {"SISCI_TIMING", "Emulated SISCI: other figures for timed, NAME=VALUE,..."},
        {"SISCI_NODE", "Emulated SISCI: the node of this process, 4, 8, 12 ... 248."},
        {"SISCI_FABRIC", "Emulated SISCI: processes with the same value are joined."},
        {"EMULATED_NODES", "The node of each rank, such as 0,1,1:"
            + " ranks that mpirun starts on one machine act as if on several nodes. All ranks must have the same."},
        {"RENDEZVOUS", "Where ranks that no launcher has started meet: HOST:PORT of rank 0, or a folder that all hosts"
            + " see. Each rank needs BRIGADE_RANK, BRIGADE_SIZE and BRIGADE_SECRET_FILE, too."},
        {"SECRET_FILE", "With BRIGADE_RENDEZVOUS: the file with the job's secret, 16 bytes or more, the same on all"
            + " hosts, which only its owner may read."},
        {"RANK", "Set by the launcher."}, {"SIZE", "Set by the launcher."}, {"LOCAL_RANK", "Set by the launcher."},
        {"LOCAL_SIZE", "Set by the launcher."}, {"JOB", "Set by the launcher."}, {"NODE", "Set by the launcher."},
        {"NODES", "Set by the launcher."}, {"EXCHANGE", "Set by the launcher."}, {"LAUNCHER_PID", "Set by mpjrun."},
        {"LAUNCHER_START", "Set by mpjrun."}, {"DOOR", "Set by mpjrun."}, {"PARENT", "Set by mpjrun."},
        {"APPLICATION", "Set by mpjrun."}, {"PROCESSORS", "Set by mpjrun."}};

    /** {@code mpi.window}. */
    public final String key;
    /** The part of Brigade that reads it: a heading of the list for people. */
    public final String reader;
    /** What it does, for people; a sentence. */
    public final String words;
    /** The default, for people. */
    public final String standard;
    /** The unit of its number, empty if it has none; null if it is no number. */
    public final String unit;
    /** Whether all ranks of a job must have the same value; MPI.Init compares ({@code Settings.fingerprint}). */
    public final boolean shared;
    /** The possible values; null if they are not listed. */
    private final String[] choices;
    private final long least;
    private final long most;
    private final String example;

    private Setting(String reader, String key, String[] choices, long least, long most, String example, String unit,
        String standard, boolean shared, String words) {
        this.reader = reader;
        this.key = key;
        this.choices = choices;
        this.least = least;
        this.most = most;
        this.example = example;
        this.unit = unit;
        this.standard = standard;
        this.shared = shared;
        this.words = words;
    }

    private static Setting text(String reader, String key, String standard, String words) {
        return new Setting(reader, key, null, 0, 0, null, null, standard, false, words);
    }

    private static Setting choice(String reader, String key, String standard, String words, String... choices) {
        return new Setting(reader, key, choices, 0, 0, null, null, standard, false, words);
    }

    private static Setting number(String reader, String key, long least, long most, String standard, String unit,
        String words) {
        return computed(reader, key, least, most, standard, unit, standard, words);
    }

    /** A number whose default its reader computes. */
    private static Setting computed(String reader, String key, long least, long most, String example, String unit,
        String standard, String words) {
        return new Setting(reader, key, null, least, most, example, unit, standard, false, words);
    }

    /** The same, and all ranks must have the same value. */
    private Setting shared() {
        return new Setting(reader, key, choices, least, most, example, unit, standard, true, words);
    }

    /** All settings, in the order of a list for people. */
    public static Setting[] all() {
        return ALL.clone();
    }

    /** {@code {"SISCI_MODE", "emulated SISCI: ..."}}: all that are read from the environment only; without BRIGADE_. */
    public static String[][] variables() {
        return VARIABLES.clone();
    }

    /** @throws IllegalArgumentException if there is no such setting: add it to the list */
    public static Setting of(String key) {
        for (Setting each : ALL) {
            if (each.key.equals(key)) {
                return each;
            }
        }
        throw new IllegalArgumentException("brigade." + key + " is not in the list of settings");
    }

    /** {@code brigade.bcast.algorithm}. */
    public static String property(String key) {
        return PREFIX + key;
    }

    /** {@code BRIGADE_BCAST_ALGORITHM}. */
    public static String variable(String key) {
        char[] name = (VARIABLE_PREFIX + key).toCharArray();
        for (int i = 0; i < name.length; i++) {
            name[i] = inVariable(name[i]);
        }
        return new String(name);
    }

    /** Whether part of a variable's name stands for part of a key. Allocates nothing, as MPI.Init asks it often. */
    public static boolean isIn(String variable, int from, String part) {
        boolean same = from + part.length() <= variable.length();
        for (int i = 0; i < part.length() && same; i++) {
            same = variable.charAt(from + i) == inVariable(part.charAt(i));
        }
        return same;
    }

    private static char inVariable(char c) {
        return c == '.' || c == '-' ? '_' : c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }

    /** The value of a key, trimmed; null if neither property nor variable is set, or the one that applies is empty. */
    public static String text(String key, Properties properties, Map<String, String> environment) {
        String value = properties.getProperty(property(key));
        if (value == null) {
            value = environment.get(variable(key));
        }
        value = value == null ? "" : value.trim();
        return value.isEmpty() ? null : value;
    }

    /**
     * A number as this process was given it; its default if it was not, or if {@link #accepts} refuses the value, of
     * which MPI.Init complains.
     */
    public static long number(String key) {
        Setting setting = of(key);
        return number(setting, Quantity.parse(setting.standard));
    }

    /** The same for a number whose default its reader computes. */
    public static long number(String key, long none) {
        return number(of(key), none);
    }

    private static long number(Setting setting, long none) {
        String text = text(setting.key, System.getProperties(), System.getenv());
        return text != null && setting.accepts(text) ? Quantity.parse(text) : none;
    }

    /**
     * A hash of the value's meaning: {@code 64K} and {@code 65536} have the same, and so have the default and an unset
     * value.
     */
    public long print(String value) {
        String text = value == null ? standard : value;
        long number = unit == null ? -1 : Quantity.parse(text);
        return number >= 0 ? number : text.hashCode();
    }

    /** Whether this value is allowed. */
    public boolean accepts(String value) {
        if (choices != null) {
            for (String choice : choices) {
                if (choice.equals(value)) {
                    return true;
                }
            }
            return false;
        }
        long number = unit == null ? least : Quantity.parse(value);
        return number >= least && number <= most;
    }

    /** {@code  Values: on, off.}, if the values are listed; else empty. For people, after {@link #words}. */
    public String values() {
        return choices == null ? "" : " Values: " + String.join(", ", choices) + ".";
    }

    /** {@code must be a number from 1 to 86400, such as 60 (seconds)}; null if every value is allowed. */
    public String must() {
        if (choices != null) {
            return "must be " + String.join(" or ", choices);
        }
        return unit == null ? null : must(least, most, unit.isEmpty() || unit.equals(BYTES) ? example : example + " ("
            + unit + ")");
    }

    /** The same for any number. */
    public static String must(long least, long most, String example) {
        return "must be a number "
            + (most >= ANY ? "of at least " + least : "from " + compact(least) + " to " + compact(most)) + ", such as "
            + example;
    }

    private static String compact(long number) {
        String[] units = {"G", "M", "K"};
        for (int i = 0; i < units.length; i++) {
            int shift = 30 - 10 * i;
            if (number > 0 && (number & (1L << shift) - 1) == 0 && number >> shift <= 1024) {
                return (number >> shift) + units[i];
            }
        }
        return Long.toString(number);
    }
}
