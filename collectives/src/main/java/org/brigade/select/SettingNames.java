package org.brigade.select;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import org.brigade.setting.Setting;
import org.brigade.setting.SpellingSuggestion;

/**
 * The names of all settings, those of each collective included: whether a name is a setting, and if not, which one was
 * probably meant.
 */
final class SettingNames {
    static final String VARIABLE_PREFIX = "BRIGADE_";

    private static final String PREFIX = "brigade.";
    /** Prefix of the properties by which mpjrun passes what it needs of {@code bin} on to itself. */
    static final String LAUNCHERS = PREFIX + "launch.";
    private static final MemorySpace[] SPACES = MemorySpace.values();
    /** Most changed letters at which a name counts as a typing error: a third of its length, but at least this many. */
    private static final int FEW = 2;
    private static final String LIST = "brigade info --settings lists what there is";

    private SettingNames() {
    }

    /** The listed setting of a property {@code brigade.*}; null if there is none. */
    static Setting ofProperty(String name) {
        for (Setting each : Setting.all()) {
            if (name.length() == PREFIX.length() + each.key.length() && name.endsWith(each.key)) {
                return each;
            }
        }
        return null;
    }

    /** The listed setting of a variable {@code BRIGADE_*}; null if there is none. */
    static Setting ofVariable(String name) {
        int from = VARIABLE_PREFIX.length();
        for (Setting each : Setting.all()) {
            if (name.length() == from + each.key.length() && Setting.isIn(name, from, each.key)) {
                return each;
            }
        }
        return null;
    }

    /** Whether a property {@code brigade.*} is a setting. */
    static boolean isProperty(String name) {
        if (ofProperty(name) != null) {
            return true;
        }
        for (Collective collective : Collective.values()) {
            String key = collective.key();
            for (MemorySpace space : SPACES) {
                for (String what : space.forced) {
                    if (name.length() == PREFIX.length() + key.length() + what.length()
                        && name.startsWith(key, PREFIX.length()) && name.endsWith(what)) {
                        return true;
                    }
                }
            }
        }
        return name.startsWith(LAUNCHERS);
    }

    /** Whether a variable {@code BRIGADE_*} is a setting, or one that is read from the environment only. */
    static boolean isVariable(String name) {
        int from = VARIABLE_PREFIX.length();
        for (String[] each : Setting.variables()) {
            if (name.length() == from + each[0].length() && name.endsWith(each[0])) {
                return true;
            }
        }
        if (ofVariable(name) != null) {
            return true;
        }
        for (Collective collective : Collective.values()) {
            int end = from + collective.key().length();
            for (MemorySpace space : SPACES) {
                for (String what : space.forced) {
                    if (name.length() == end + what.length() && Setting.isIn(name, from, collective.key())
                        && Setting.isIn(name, end, what)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** {@code -Dbrigade.bcst.algorithm is no setting of Brigade; did you mean brigade.bcast.algorithm? ...}. */
    static String complaintOfProperty(String name) {
        String variable = Setting.variable(name.substring(PREFIX.length()));
        if (isVariable(variable)) {
            return "-D" + name + " is read from the environment only: set " + variable;
        }
        List<String> names = keys();
        for (int i = 0; i < names.size(); i++) {
            names.set(i, Setting.property(names.get(i)));
        }
        return "-D" + name + " is no setting of Brigade; " + meant(name, PREFIX.length(), names);
    }

    /** {@code BRIGADE_TUNNING is no variable of Brigade and does nothing; did you mean BRIGADE_TUNING? ...}. */
    static String complaintOfVariable(String name) {
        List<String> names = keys();
        for (int i = 0; i < names.size(); i++) {
            names.set(i, Setting.variable(names.get(i)));
        }
        for (String[] each : Setting.variables()) {
            names.add(VARIABLE_PREFIX + each[0]);
        }
        return name + " is no variable of Brigade and does nothing; " + meant(name, VARIABLE_PREFIX.length(), names);
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (Setting each : Setting.all()) {
            keys.add(each.key);
        }
        for (Collective collective : Collective.values()) {
            for (MemorySpace space : SPACES) {
                for (String what : space.forced) {
                    keys.add(collective.key() + what);
                }
            }
        }
        return keys;
    }

    private static String meant(String name, int prefix, List<String> names) {
        String nearest = SpellingSuggestion.of(name, names, Math.max(FEW, (name.length() - prefix) / 3));
        return nearest == null ? LIST : "did you mean " + nearest + "? " + LIST;
    }
}
