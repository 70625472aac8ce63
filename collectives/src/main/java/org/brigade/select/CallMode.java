package org.brigade.select;

/**
 * Which calls a rule applies to. On streams the hosts have not met, so the kernels meet instead, and another algorithm
 * may be best.
 */
public enum CallMode {
    ALL(""), BLOCKING(", blocking"), STREAMS(", streams");

    /** Words after a rule's other conditions. */
    final String words;

    CallMode(String words) {
        this.words = words;
    }

    boolean include(CallMode made) {
        return this == ALL || this == made;
    }
}
