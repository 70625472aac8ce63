package org.brigade.engine.node;

/** How the members of a communicator, all of one node, tell each other numbers; all call it alike. */
public interface Members {
    /**
     * Replaces each word with the greatest of all members' values. Other threads of this process run meanwhile and may
     * open what other communicators need, so whatever a word offers must have been taken before.
     */
    void greatest(long[] words);
}
