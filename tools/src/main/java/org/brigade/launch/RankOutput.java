package org.brigade.launch;

/** Takes what the ranks write, a line at a time, where a program reads it. */
public interface RankOutput {
    /** Called by one thread a stream. {@code error} tells standard error from standard output. */
    void line(int rank, boolean error, String line);
}
