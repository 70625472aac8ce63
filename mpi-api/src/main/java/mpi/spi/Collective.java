package mpi.spi;

import java.util.Locale;

/**
 * The collectives, and how each one's buffers are divided. A v-form shares the schedules of its plain form if every
 * rank knows all counts (allgatherv, reduce-scatter); v-forms with local counts are collectives of their own.
 *
 * <pre>
 *                                    send                              recv
 * bcast                              -                                 the vector
 * reduce                             the vector                        the vector, at the root
 * allreduce, scan, exscan            the vector                        the vector
 * gather, gatherv                    the own block                     every rank's block, at the root
 * scatter, scatterv                  every rank's block, at the root   the own block
 * allgather, allgatherv              the own block                     every rank's block
 * alltoall, alltoallv (and w)        every rank's block                every rank's block
 * reduce-scatter                     every rank's block                the own block
 * neighbor-allgather (and v)         the own block                     each source's block
 * neighbor-alltoall (and v)          each destination's block          each source's block
 * </pre>
 */
public enum Collective {
    BARRIER(Extent.NONE, Extent.NONE, Extent.NONE, Counts.VECTOR, false, false),
    /** Only RECV: at first the root's data, then everyone's. */
    BCAST(Extent.NONE, Extent.VECTOR, Extent.VECTOR, Counts.VECTOR, true, false),
    /** RECV at the root only; other ranks may reduce in SCRATCH. */
    REDUCE(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, Counts.VECTOR, true, true),
    ALLREDUCE(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, Counts.VECTOR, false, true),
    SCAN(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, Counts.VECTOR, false, true),
    /** RECV of rank 0 is not changed. */
    EXSCAN(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, Counts.VECTOR, false, true),
    /** RECV at the root only. */
    GATHER(Extent.OWN, Extent.EACH, Extent.EACH, Counts.EQUAL, true, false),
    /** SEND at the root only. */
    SCATTER(Extent.EACH, Extent.OWN, Extent.EACH, Counts.EQUAL, true, false),
    ALLGATHER(Extent.OWN, Extent.EACH, Extent.EACH, Counts.EQUAL, false, false),
    /** Blocks at any places in RECV: one block at a time. SCRATCH has no holes. */
    ALLGATHERV(Extent.OWN, Extent.EACH, Extent.EACH, Counts.SHARED, false, false),
    /** Blocks are consecutive in SEND. */
    REDUCE_SCATTER(Extent.EACH, Extent.OWN, Extent.EACH, Counts.SHARED, false, true),
    ALLTOALL(Extent.EACH, Extent.EACH, Extent.EACH, Counts.EQUAL, false, false),
    /** SEND and RECV blocks anywhere: one block at a time. */
    ALLTOALLV(Extent.EACH, Extent.EACH, Extent.NONE, Counts.LOCAL, false, false),
    /** RECV at the root only: directly to the root, one block at a time. */
    GATHERV(Extent.OWN, Extent.EACH, Extent.NONE, Counts.LOCAL, true, false),
    /** SEND at the root only. */
    SCATTERV(Extent.EACH, Extent.OWN, Extent.NONE, Counts.LOCAL, true, false),
    /** With a {@link Neighbourhood}; never in place. Serves the v-form too. */
    NEIGHBOR_ALLGATHER(Extent.OWN, Extent.EDGES, Extent.NONE, Counts.LOCAL, false, false),
    /** With a {@link Neighbourhood}; never in place. Serves the v-form too. */
    NEIGHBOR_ALLTOALL(Extent.EDGES, Extent.EDGES, Extent.NONE, Counts.LOCAL, false, false);

    /** How the operands are divided. */
    public final Extent send;
    public final Extent recv;
    /** How algorithms divide their own memory. */
    public final Extent scratch;
    /** Which ranks know how long blocks are. */
    public final Counts counts;
    /** Whether one rank is the root. */
    public final boolean rooted;
    /** Whether values are combined. */
    public final boolean reduces;
    /** Whether schedules write output while they still read input; in place they then read a copy. */
    public final boolean overwrites;
    /** Whether a rank sends a block to itself, unless it is in place. */
    public final boolean copiesOwn;
    // Made once: every call passes it on for messages, and must not allocate.
    private final String key = name().toLowerCase(Locale.ROOT).replace('_', '-');

    Collective(Extent send, Extent recv, Extent scratch, Counts counts, boolean rooted, boolean reduces) {
        this.send = send;
        this.recv = recv;
        this.scratch = scratch;
        this.counts = counts;
        this.rooted = rooted;
        this.reduces = reduces;
        copiesOwn = !reduces && send != Extent.NONE && recv != Extent.EDGES;
        overwrites = switch (name()) {
            case "SCAN", "EXSCAN", "REDUCE_SCATTER", "ALLTOALL", "ALLTOALLV" -> true;
            default -> false;
        };
    }

    /** The name that properties, the tuning table and the command line use: {@code bcast}, {@code reduce-scatter}. */
    public String key() {
        return key;
    }

    /** Whether the root sends a block to every rank. */
    public boolean scatters() {
        return rooted && send == Extent.EACH;
    }

    /** Whether ranks exchange with their neighbours in a topology only. */
    public boolean amongNeighbours() {
        return recv == Extent.EDGES;
    }

    /** Whether one slice may span several blocks, as they lie side by side on every rank. */
    public boolean contiguous() {
        return this != ALLGATHERV && counts != Counts.LOCAL;
    }
}
