package org.brigade.setting;

/**
 * Whether Brigade runs in Java alone, without Linux's files and without native code: on every other system, and where
 * setting {@code portable} says so.
 */
public final class Portable {
    /** Of this process, from its first use on. */
    public static final boolean ON = isOn(System.getProperty("os.name"),
        Setting.text("portable", System.getProperties(), System.getenv()));
    /** Why something is absent; behind it comes the cure. */
    public static final String WHY = "this is the portable mode, which is Java alone";

    private Portable() {
    }

    static boolean isOn(String system, String setting) {
        return !"Linux".equals(system) || "on".equals(setting);
    }
}
