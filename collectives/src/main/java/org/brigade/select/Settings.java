package org.brigade.select;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import mpi.spi.Collective;
import org.brigade.setting.Quantity;
import org.brigade.setting.Setting;

/**
 * What the user sets from outside: property {@code brigade.bcast.algorithm}, else environment variable
 * {@code BRIGADE_BCAST_ALGORITHM}. {@link Setting} lists all settings except those of each collective. All ranks of a
 * job must be given the same.
 */
public final class Settings {
    private static final String PREFIX = "brigade.";
    private static final MemorySpace[] SPACES = MemorySpace.values();

    private final Properties properties;
    private final Map<String, String> environment;

    public Settings(Properties properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** The settings of this process. */
    public static Settings ofThisProcess() {
        return new Settings(System.getProperties(), System.getenv());
    }

    /** The value of a key such as {@code bcast.algorithm}, trimmed; null if neither is set or it is empty. */
    public String get(String key) {
        return Setting.text(key, properties, environment);
    }

    /** The property or variable that gave the value, for messages: {@code -Dbrigade.bcast.algorithm=chain}. */
    public String origin(String key) {
        return properties.getProperty(property(key)) != null ? "-D" + property(key) + "=" + get(key)
            : variable(key) + "=" + get(key);
    }

    /** {@code brigade.bcast.algorithm}. */
    public static String property(String key) {
        return Setting.property(key);
    }

    /** {@code BRIGADE_BCAST_ALGORITHM}. */
    public static String variable(String key) {
        return Setting.variable(key);
    }

    /**
     * A listed number; its default if it is not set.
     *
     * @throws TuningException if it is no number or out of bounds; names the setting and its possible values
     */
    public long number(String key) {
        return number(key, Quantity.parse(Setting.of(key).standard));
    }

    /**
     * The same for a number whose default its reader computes.
     *
     * @param none the result if it is not set
     * @throws TuningException if it is no number or out of bounds; names the setting and its possible values
     */
    public long number(String key, long none) {
        String text = get(key);
        if (text == null) {
            return none;
        }
        require(Setting.of(key), text);
        return Quantity.parse(text);
    }

    private void require(Setting setting, String text) {
        if (text != null && !setting.accepts(text)) {
            throw new TuningException(origin(setting.key) + " " + setting.must());
        }
    }

    /**
     * A number that is not listed, as it belongs to a collective; it may be written as {@code 64K}.
     *
     * @param none the result if it is not set
     * @throws TuningException if it is no number or out of bounds; names the setting and its possible values
     */
    public long number(String key, long least, long most, String example, long none) {
        String text = get(key);
        if (text == null) {
            return none;
        }
        long value = Quantity.parse(text);
        if (value < least || value > most) {
            throw new TuningException(origin(key) + " " + Setting.must(least, most, example));
        }
        return value;
    }

    /** Whether a switch is on; only after {@link #validate}. */
    public boolean isOn(String key) {
        return "true".equals(get(key));
    }

    /**
     * Checks all that is set, so that a typing error shows at once and not when a call first needs the setting.
     *
     * @throws TuningException naming the setting and its possible values
     */
    public void validate() {
        for (Object name : properties.keySet()) {
            if (name instanceof String property && property.startsWith(PREFIX)) {
                Setting listed = SettingNames.ofProperty(property);
                if (listed != null) {
                    require(listed, get(listed.key));
                } else if (!SettingNames.isProperty(property)) {
                    throw new TuningException(SettingNames.complaintOfProperty(property));
                }
            }
        }
        for (String name : environment.keySet()) {
            Setting listed = name.startsWith(SettingNames.VARIABLE_PREFIX) ? SettingNames.ofVariable(name) : null;
            if (listed != null) {
                require(listed, get(listed.key));
            }
        }
        RingOrder.of(this);
        String aggregation = get("aggregation");
        String[] rails = aggregation == null ? new String[0] : aggregation.split("\\+", -1);
        for (String rail : rails) {
            if (!rail.startsWith("tcp:") && !(isKind(rail, "mpi") && rails.length == 1) && !isKind(rail, "sharp")) {
                throw new TuningException(origin("aggregation")
                    + " must be tcp:HOST:PORT[,HOST:PORT...], as brigade aggregator prints it, mpi[:N] or"
                    + " sharp[:DEVICE]; or several of tcp and sharp with + between them, one for each rail");
            }
        }
        requireFile("topology.profile", "brigade profile");
        requireFile("network.profile", "brigade profile --nodes");
        for (Collective collective : Collective.values()) {
            for (MemorySpace space : SPACES) {
                if (isForced(space, collective)) {
                    Forced.of(space, collective, this, space.of(collective));
                }
            }
        }
    }

    private void requireFile(String key, String writer) {
        String file = get(key);
        if (file != null && !file.equals("none") && !new File(file).canRead()) {
            throw new TuningException(origin(key) + ": there is no such file, or it cannot be read; write one with "
                + writer + ", or set none");
        }
    }

    private static boolean isKind(String aggregation, String kind) {
        return aggregation.startsWith(kind)
            && (aggregation.length() == kind.length() || aggregation.charAt(kind.length()) == ':');
    }

    private boolean isForced(MemorySpace space, Collective collective) {
        for (String what : space.forced) {
            if (get(collective.key() + what) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * All that begins like a setting, known or not, as {@code -Dbrigade.check=true} and
     * {@code BRIGADE_TUNING=my.table}; without what launchers set for themselves.
     */
    public List<String> given() {
        List<String> given = new ArrayList<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !name.startsWith(SettingNames.LAUNCHERS)) {
                given.add("-D" + name + "=" + properties.getProperty(name));
            }
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (variable.getKey().startsWith(SettingNames.VARIABLE_PREFIX)) {
                given.add(variable.getKey() + "=" + variable.getValue());
            }
        }
        Collections.sort(given);
        return given;
    }

    /**
     * The environment variables that begin like Brigade's but are unknown. They do nothing. This is no error, as ranks
     * share environments with other programs; one rank prints a warning.
     *
     * @return a sentence for each, with the most similar name; null if all are known
     */
    public String unknownVariables() {
        StringBuilder text = null;
        for (String name : environment.keySet()) {
            if (name.startsWith(SettingNames.VARIABLE_PREFIX) && !SettingNames.isVariable(name)) {
                text = (text == null ? new StringBuilder() : text.append("; "))
                    .append(SettingNames.complaintOfVariable(name));
            }
        }
        return text == null ? null : text.toString();
    }

    /**
     * The message if two ranks were given different settings or tables, with the cure.
     *
     * @param other the other rank
     * @param settings whether the settings differ; else the tuning tables do
     */
    public String disagreement(int other, boolean settings) {
        return "rank " + other + " was given " + (settings ? "other settings than this rank (which has "
            + sharedGiven() + ")" : "another tuning table than this rank")
            + ", so the two would not understand each other; give all ranks the same -Dbrigade.* and BRIGADE_*"
            + (settings ? "" : " and XDG_CONFIG_HOME (where tables of brigade tune are; brigade.tuning=none leaves them"
                + " out)");
    }

    /**
     * The settings that must be the same on all ranks, as this rank was given them: {@code -Dbrigade.check=true,
     * BRIGADE_MPI_WINDOW=64K}.
     */
    private String sharedGiven() {
        StringBuilder text = new StringBuilder();
        for (Setting each : Setting.all()) {
            if (each.shared) {
                append(text, each.key);
            }
        }
        for (Collective collective : Collective.values()) {
            for (MemorySpace space : SPACES) {
                for (String what : space.forced) {
                    append(text, collective.key() + what);
                }
            }
        }
        append(text, MemorySpace.DEVICE.tuning);
        return text.isEmpty() ? "none" : text.toString();
    }

    private void append(StringBuilder text, String key) {
        if (get(key) != null) {
            text.append(text.isEmpty() ? "" : ", ").append(origin(key));
        }
    }

    /**
     * A hash of the settings that must be the same on all ranks, and of the tables of device memory that they name.
     *
     * @throws TuningException if such a table cannot be read
     */
    public long fingerprint() {
        long print = 0;
        for (Setting each : Setting.all()) {
            if (each.shared) {
                print = print * 31 + each.print(get(each.key));
            }
        }
        for (Collective collective : Collective.values()) {
            for (MemorySpace space : SPACES) {
                for (String what : space.forced) {
                    String value = get(collective.key() + what);
                    print = print * 31 + (value == null ? 0 : value.hashCode());
                }
            }
        }
        // The table in the jar is left out: reading it would cost every job's start, and ranks with different jars
        // differ in host memory's table, too.
        return print * 31
            + (get(MemorySpace.DEVICE.tuning) == null ? 0 : TuningSource.load(MemorySpace.DEVICE, this).fingerprint());
    }
}
