package org.brigade.select;

import java.util.Map;
import java.util.Properties;

/**
 * What the user sets from outside: property {@code brigade.bcast.algorithm}, or else environment variable
 * {@code BRIGADE_BCAST_ALGORITHM}. All ranks of a job must be given the same.
 */
public final class Settings {
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
}
