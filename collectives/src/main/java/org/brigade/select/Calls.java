package org.brigade.select;

/**
 * For which calls a rule is: on streams no host has met the others, so kernels do, and another algorithm may be best.
 */
public enum Calls {
    ALL(""), BLOCKING(", blocking"), STREAMS(", streams");

    /** Behind a rule's other conditions. */
    final String words;

    Calls(String words) {
        this.words = words;
    }

    boolean include(Calls made) {
        return this == ALL || this == made;
    }
}
