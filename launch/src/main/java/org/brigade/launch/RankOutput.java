package org.brigade.launch;

/** Receives the ranks' output, a line at a time, for a program that reads it. */
public interface RankOutput {
    /** Called by one thread a stream. {@code error} tells standard error from standard output. */
    void line(int rank, boolean error, String line);
}
