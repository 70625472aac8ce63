package org.brigade.select;

/**
 * Which calls a rule applies to. On streams the hosts have not met, so the kernels meet instead, and another algorithm
 * may be best. So it may while the ranks' JVMs have compiled nothing yet.
 */
public enum CallMode {
    ALL(""), BLOCKING(", blocking"), STREAMS(", streams"),
    /** The first {@link #FIRST_CALLS} of all ranks of a job together, the blocking ones among them. */
    FIRST(", first");

    /** After so many calls a JVM has compiled what they need. */
    public static final int FIRST_CALLS = 8192;

    /** Words after a rule's other conditions. */
    final String words;

    CallMode(String words) {
        this.words = words;
    }

    boolean include(CallMode made) {
        return this == ALL || this == made;
    }
}
