package org.brigade.setting;

import java.util.Map;
import java.util.Properties;

/**
 * Something that a user may set from outside: by property {@code brigade.mpi.window} or, where that is not set, by environment variable {@code BRIGADE_MPI_WINDOW}, always either. All there are stand
 * here, with what they may be; only those of each collective ({@code brigade.bcast.algorithm}) are made of the catalogue, in {@code org.brigade.select}. MPI.Init looks whether all that is set
 * can be followed, so whoever reads a number early, by {@link #number}, need not complain.
 */
public final class Setting {
    private static final String PREFIX = "brigade.";
    private static final String VARIABLE_PREFIX = "BRIGADE_";
    private static final long ANY = Long.MAX_VALUE >> 1;
    private static final int DAY_MILLIS = 24 * 3600 * 1000;

    private static final Setting[] ALL = {
        choice("check", "whether calls that do not match are found; every collective then waits for all ranks", "true", "false"),
        text("tuning", "a tuning table in place of the one in the jar"),
        text("device.tuning", "the same for device memory"),
        text("ring.order", "the order of rings and chains, as 0,2,1,3, in communicators of as many ranks"),
        text("topology.profile", "a profile for rings and chains to follow; none: not even the one that brigade profile has left"),
        text("fabric", "what joins the nodes: sisci or mpi; else the first that serves the job"),
        number("init.timeout", 1, 86_400, "60 (seconds)", "how long ranks wait for each other in MPI.Init"),
        text("shm.segment", "size of a node's shared segment, as 32M"),
        number("eager", 0, 1 << 30, "32K", "bytes up to which messages are sent before the receiver has asked for them"),
        number("stash", 0, ANY, "512M", "bytes of messages of later collectives that a rank keeps"),
        number("spins", 0, 1 << 30, "20000", "looks before a rank that waits lets others run"),
        number("copy.native", 0, 1 << 30, "16K", "bytes from which copies go by libc's memcpy"),
        number("mpi.window", 64 << 10, 1 << 30, "1M", "bytes that may be on their way by the host's MPI, or not be taken yet, from one rank to another"),
        number("mpi.patience", 0, 86_400, "60 (seconds)", "how long a rank of another node may give no sign of life; 0: for ever"),
        choice("mpi.cuda", "whether the host's MPI is given device memory; else it is asked whether it can take it", "on", "off"),
        text("mpi.library", "the file of the host's MPI library, where none or another is found"),
        text("sisci", "emulated: the software library in place of Dolphin's"),
        number("sisci.adapter", 0, 63, "0", "which adapter"),
        number("sisci.channels", 1, 16, "4", "DMA queues a connection"),
        number("sisci.ring", 256 << 10, 16 << 20, "4M", "bytes of each of the two rings of a connection, a power of two"),
        number("sisci.crossover", 0, ANY, "1M", "bytes from which on DMA carries messages; 0: measured"),
        number("sisci.gpudirect", 0, ANY, "32K", "bytes from which DMA reads a message from GPU memory; 0: never"),
        number("sisci.patience", 1, DAY_MILLIS, "10000 (milliseconds)", "how long a link may be down"),
        number("sisci.connect", 1, DAY_MILLIS, "60000 (milliseconds)", "how long a peer may take to answer"),
        text("sisci.cache", "folder where the software libsisci is built and kept, of this user's; else brigade in XDG_CACHE_HOME or ~/.cache"),
        text("aggregation", "reduction in the network: tcp:HOST:PORT[,HOST:PORT...], mpi[:N] or sharp[:DEVICE]"),
        text("aggregation.secret", "file with the secret that aggregators want"),
        number("aggregation.timeout", 1, 3600, "10 (seconds)", "how long a network that reduces may give no sign of life"),
        text("aggregation.library", "the file of SHARP's library"),
        choice("device.resident", "whether a kernel stays on the GPU between small calls", "on", "off"),
        number("device.resident.idle", 1, 10_000, "200 (microseconds)", "how long it stays without a call"),
        number("device.resident.blocks", 1, 32, "16", "its thread blocks"),
        // At most half a packet slot, all that packets can carry.
        number("device.resident.bytes", 0, 256 << 10, "64K", "bytes of a block up to which calls are its"),
        number("device.resident.single", 0, 256 << 10, "8K", "bytes up to which one thread block does a call alone"),
        number("cuda.direct", 0, ANY, "8K", "bytes from which a message stays in device memory until it is taken"),
        number("cuda.hostshare", 0, 50, "10 (percent)", "how much of a long message between GPUs goes by way of the host"),
        number("staging.chunk", 64 << 10, 1 << 30, "1M", "bytes of a chunk of staging"),
        number("staging.chunks", 2, 1024, "8", "number of its chunks"),
        number("bench.iterations", 1, 1 << 30, "3000", "calls that brigade bench measures at most")};

    /** What is read from the environment only: by the software libsisci, which is C, or to learn from a launcher which rank this is. Name, and what it is for. */
    private static final String[][] VARIABLES = {
        {"SISCI_MODE", "emulated SISCI: a list of weak[=SEED], timed, shifted, aligned=BYTES"},
        {"SISCI_FAULT", "emulated SISCI: a list of faults"},
        {"SISCI_TIMING", "emulated SISCI: other figures for timed, NAME=VALUE,..."},
        {"SISCI_NODE", "emulated SISCI: the node of this process, 4, 8, 12 ... 248"},
        {"SISCI_FABRIC", "emulated SISCI: which processes are joined"},
        {"EMULATED_NODES", "the node of each rank, as 0,1,1, where mpirun's ranks are to think themselves on several"},
        {"RANK", "by the launcher"}, {"SIZE", "by the launcher"}, {"LOCAL_RANK", "by the launcher"}, {"LOCAL_SIZE", "by the launcher"}, {"JOB", "by the launcher"}, {"NODE", "by the launcher"},
        {"NODES", "by the launcher"}, {"EXCHANGE", "by the launcher"}, {"LAUNCHER_PID", "by mpjrun"}, {"LAUNCHER_START", "by mpjrun"}};

    /** {@code mpi.window}. */
    public final String key;
    /** What it may be; null if no such list says. */
    private final String[] choices;
    private final long least;
    /** Below {@link #least}: it is no number. */
    private final long most;
    private final String example;
    /** What it is, for a list of all. */
    public final String words;

    private Setting(String key, String[] choices, long least, long most, String example, String words) {
        this.key = key;
        this.choices = choices;
        this.least = least;
        this.most = most;
        this.example = example;
        this.words = words;
    }

    private static Setting text(String key, String words) {
        return new Setting(key, null, 0, -1, null, words);
    }

    private static Setting choice(String key, String words, String... choices) {
        return new Setting(key, choices, 0, -1, null, words);
    }

    private static Setting number(String key, long least, long most, String example, String words) {
        return new Setting(key, null, least, most, example, words);
    }

    /** All, in the order of a list for people. */
    public static Setting[] all() {
        return ALL.clone();
    }

    /** {@code {"SISCI_MODE", "emulated SISCI: ..."}}, all that are read from the environment only; without BRIGADE_. */
    public static String[][] variables() {
        return VARIABLES.clone();
    }

    /** @throws IllegalArgumentException if there is none of this key: it belongs into the list */
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

    /** Whether part of a variable's name is what becomes of part of a key there; makes nothing, as it is asked on the way of MPI.Init. */
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

    /** The value of a key, trimmed; null if neither property nor variable is set, or what counts is empty. */
    public static String text(String key, Properties properties, Map<String, String> environment) {
        String value = properties.getProperty(property(key));
        if (value == null) {
            value = environment.get(variable(key));
        }
        value = value == null ? "" : value.trim();
        return value.isEmpty() ? null : value;
    }

    /** A number as this process was given it; {@code none} if it was not, or something that {@link #accepts} would not, of which MPI.Init complains. */
    public static long number(String key, long none) {
        String text = text(key, System.getProperties(), System.getenv());
        return text != null && of(key).accepts(text) ? Quantity.parse(text) : none;
    }

    /** Whether it may be this. */
    public boolean accepts(String value) {
        if (choices != null) {
            for (String choice : choices) {
                if (choice.equals(value)) {
                    return true;
                }
            }
            return false;
        }
        long number = most < least ? least : Quantity.parse(value);
        return most < least || number >= least && number <= most;
    }

    /** {@code must be a number from 1 to 86400, such as 60 (seconds)}; null if anything may be tried. */
    public String must() {
        if (choices != null) {
            return "must be " + String.join(" or ", choices);
        }
        return most < least ? null : must(least, most, example);
    }

    /** The same of any number. */
    public static String must(long least, long most, String example) {
        return "must be a number " + (most >= ANY ? "of at least " + least : "from " + compact(least) + " to " + compact(most)) + ", such as " + example;
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
