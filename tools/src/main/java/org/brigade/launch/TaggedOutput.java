package org.brigade.launch;

/** Passes every line on with its rank in front: {@code [2] line}. */
final class TaggedOutput implements RankOutput {
    @Override
    public void line(int rank, boolean error, String line) {
        (error ? System.err : System.out).println("[" + rank + "] " + line);
    }
}
