package org.brigade.select;

import java.io.File;
import java.util.Map;
import java.util.Properties;
import org.brigade.schedule.Collective;

/**
 * What the user sets from outside: property {@code brigade.bcast.algorithm}, or else environment variable
 * {@code BRIGADE_BCAST_ALGORITHM}. All ranks of a job must be given the same.
 */
public final class Settings {
    private static final String PREFIX = "brigade.";
    private static final String[] KNOWN = {"check", "tuning", "device.tuning", "shm.segment", "init.timeout", "stash", "eager", "spins", "copy.native",
        "cuda.direct", "cuda.hostshare", "staging.chunk", "staging.chunks", "device.resident", "device.resident.idle", "device.resident.blocks",
        "device.resident.bytes", "device.resident.single", "ring.order", "topology.profile", "fabric", "sisci.adapter", "sisci.cache", "sisci.ring", "sisci.channels",
        "sisci.crossover", "sisci.patience", "sisci.connect", "sisci.gpudirect", "mpi.library", "mpi.window", "mpi.patience", "aggregation", "aggregation.secret", "aggregation.timeout",
        "aggregation.library"};
    private static final Space[] SPACES = Space.values();

    private final Properties properties;
    private final Map<String, String> environment;

    public Settings(Properties properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** Those of this process. */
    public static Settings ofThisProcess() {
        return new Settings(System.getProperties(), System.getenv());
    }

    /** The value of a key such as {@code bcast.algorithm}, trimmed; null if neither is set or it is empty. */
    public String get(String key) {
        String value = properties.getProperty(property(key));
        if (value == null) {
            value = environment.get(variable(key));
        }
        value = value == null ? "" : value.trim();
        return value.isEmpty() ? null : value;
    }

    /** Which of the two gave the value, for messages: {@code -Dbrigade.bcast.algorithm=chain}. */
    public String origin(String key) {
        return properties.getProperty(property(key)) != null ? "-D" + property(key) + "=" + get(key) : variable(key) + "=" + get(key);
    }

    /** {@code brigade.bcast.algorithm}. */
    public static String property(String key) {
        return "brigade." + key;
    }

    /** {@code BRIGADE_BCAST_ALGORITHM}. */
    public static String variable(String key) {
        char[] name = ("BRIGADE_" + key).toCharArray();
        for (int i = 0; i < name.length; i++) {
            char c = name[i];
            name[i] = c == '.' || c == '-' ? '_' : c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
        }
        return new String(name);
    }

    /**
     * A number, which may be written as {@code 64K}.
     *
     * @param none what to answer where it is not set
     * @throws TuningException if it is no number or out of bounds, naming the setting and what it may be
     */
    public long number(String key, long least, long most, String example, long none) {
        String text = get(key);
        if (text == null) {
            return none;
        }
        long value = -1;
        try {
            value = ByteSize.parse(text);
        } catch (NumberFormatException e) {
            // said below, like a number out of bounds
        }
        if (value < least || value > most) {
            throw new TuningException(origin(key) + " must be a number from " + least + " to " + ByteSize.compact(most) + ", such as " + example);
        }
        return value;
    }

    /** Whether a switch is on; only after {@link #validate}. */
    public boolean isOn(String key) {
        return "true".equals(get(key));
    }

    /**
     * Looks at every property that begins with {@code brigade.} and at every setting of a collective, so that a slip shows at once and not when a call first needs it.
     *
     * @throws TuningException naming the setting and what it may be
     */
    public void validate() {
        String check = get("check");
        if (check != null && !check.equals("true") && !check.equals("false")) {
            throw new TuningException(origin("check") + " must be true or false");
        }
        ResidentMode.of(this);
        RingOrder.of(this);
        String aggregation = get("aggregation");
        if (aggregation != null && !aggregation.startsWith("tcp:") && !isKind(aggregation, "mpi") && !isKind(aggregation, "sharp")) {
            throw new TuningException(origin("aggregation") + " must be tcp:HOST:PORT[,HOST:PORT...], as brigade aggregator prints it, mpi[:N] or sharp[:DEVICE]");
        }
        String profile = get("topology.profile");
        if (profile != null && !profile.equals("none") && !new File(profile).canRead()) {
            throw new TuningException(origin("topology.profile") + ": there is no such file, or it may not be read; write one with brigade profile, or say none");
        }
        for (Object name : properties.keySet()) {
            if (name instanceof String property && property.startsWith(PREFIX) && !isKnown(property.substring(PREFIX.length()))) {
                throw new TuningException("-D" + property + " is no setting of Brigade; there are: " + String.join(", ", KNOWN)
                    + ", and of each collective algorithm, chunk and radix (brigade.bcast.algorithm), on device memory algorithm, chunk, blocks and share"
                    + " (brigade.bcast.device.algorithm)");
            }
        }
        for (Collective collective : Collective.values()) {
            for (Space space : SPACES) {
                if (isForced(space, collective)) {
                    Forced.of(space, collective, this, space.of(collective));
                }
            }
        }
    }

    private static boolean isKind(String aggregation, String kind) {
        return aggregation.startsWith(kind) && (aggregation.length() == kind.length() || aggregation.charAt(kind.length()) == ':');
    }

    private boolean isForced(Space space, Collective collective) {
        for (String what : space.forced) {
            if (get(collective.key() + what) != null) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKnown(String key) {
        for (String known : KNOWN) {
            if (known.equals(key)) {
                return true;
            }
        }
        for (Collective collective : Collective.values()) {
            for (Space space : SPACES) {
                for (String what : space.forced) {
                    if (key.length() == collective.key().length() + what.length() && key.startsWith(collective.key()) && key.endsWith(what)) {
                        return true;
                    }
                }
            }
        }
        return key.startsWith("launch.");
    }

    /**
     * A number that differs, but for accident, where settings differ that all ranks must share, or the tables of device memory that they name.
     *
     * @throws TuningException if such a table cannot be read
     */
    public long fingerprint() {
        long print = isOn("check") ? 1 : 0;
        for (Collective collective : Collective.values()) {
            for (Space space : SPACES) {
                for (String what : space.forced) {
                    String value = get(collective.key() + what);
                    print = print * 31 + (value == null ? 0 : value.hashCode());
                }
            }
        }
        print = print * 31 + ResidentMode.of(this).fingerprint();
        String order = get("ring.order");
        print = print * 31 + (order == null ? 0 : order.hashCode());
        String aggregation = get("aggregation");
        print = print * 31 + (aggregation == null ? 0 : aggregation.hashCode());
        // The table in the jar is left out: reading it would cost every job's start, and ranks with different jars differ in host memory's, too.
        return print * 31 + (get(Space.DEVICE.tuning) == null ? 0 : TuningSource.load(Space.DEVICE, this).fingerprint());
    }
}
