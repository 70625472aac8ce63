package mpi.front.files;

import mpi.front.job.Hints;

/** The hints of a file that are followed: those that MPI's standard reserves for collective buffering. */
public final class FileHints {
    static final int AUTO = 0, ALWAYS = 1, NEVER = 2;
    private static final int DEFAULT_WINDOW = 4 << 20;
    private static final int LEAST_WINDOW = 1 << 12, MOST_WINDOW = 1 << 26;
    private static final int AGGREGATORS_OF_A_NODE = 4;

    private final Hints given;
    final int buffering;
    final int aggregators;
    /** Bytes that an aggregator collects at a time. */
    final int window;

    /**
     * @param given null or {@code MPI.INFO_NULL}: no hints. Values that make no sense are ignored, as hints may be
     * @param ranks of the file
     * @param nodes on which they are
     */
    FileHints(Hints given, int ranks, int nodes) {
        this.given = given == null || given.isNull() ? new Hints() : given.dup();
        String wish = this.given.get("collective_buffering");
        buffering = wish == null ? AUTO : wish.equals("true") ? ALWAYS : wish.equals("false") ? NEVER : AUTO;
        long usual = Math.min(ranks, (long) nodes * AGGREGATORS_OF_A_NODE);
        aggregators = (int) number("cb_nodes", 1, ranks, usual);
        window = (int) number("cb_buffer_size", LEAST_WINDOW, MOST_WINDOW, DEFAULT_WINDOW);
    }

    private long number(String key, long least, long most, long otherwise) {
        try {
            String value = given.get(key);
            return value == null ? otherwise : Math.max(least, Math.min(most, Long.parseLong(value.trim())));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** The hints as given, with the values in use. */
    public Hints inUse() {
        Hints all = given.dup();
        all.set("collective_buffering", buffering == ALWAYS ? "true" : buffering == NEVER ? "false" : "automatic");
        all.set("cb_nodes", Integer.toString(aggregators));
        all.set("cb_buffer_size", Integer.toString(window));
        return all;
    }
}
