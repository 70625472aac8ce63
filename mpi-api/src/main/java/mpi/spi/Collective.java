package mpi.spi;

import java.util.Locale;

/**
 * The collectives, and how each one's buffers are divided. A v-form shares the schedules of its plain form if every
 * rank knows all counts (allgatherv, reduce-scatter); v-forms with local counts are collectives of their own.
 */
public enum Collective {
    BARRIER(Extent.NONE, Extent.NONE, Extent.NONE, false, false),
    /** Only RECV: at first the root's data, then everyone's. */
    BCAST(Extent.NONE, Extent.VECTOR, Extent.VECTOR, true, false),
    /** RECV at the root only; other ranks may reduce in SCRATCH. */
    REDUCE(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, true, true),
    ALLREDUCE(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, false, true),
    SCAN(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, false, true),
    /** RECV of rank 0 is not changed. */
    EXSCAN(Extent.VECTOR, Extent.VECTOR, Extent.VECTOR, false, true),
    /** RECV at the root only. All blocks are of one size. */
    GATHER(Extent.OWN, Extent.EACH, Extent.EACH, true, false),
    /** SEND at the root only. All blocks are of one size. */
    SCATTER(Extent.EACH, Extent.OWN, Extent.EACH, true, false),
    /** All blocks are of one size. */
    ALLGATHER(Extent.OWN, Extent.EACH, Extent.EACH, false, false),
    /** Blocks of any sizes, at any places in RECV, known to all ranks: one block at a time. SCRATCH has no holes. */
    ALLGATHERV(Extent.OWN, Extent.EACH, Extent.EACH, false, false),
    /** Blocks of any sizes, known to all ranks, consecutive in SEND. */
    REDUCE_SCATTER(Extent.EACH, Extent.OWN, Extent.EACH, false, true),
    /** All blocks are of one size. */
    ALLTOALL(Extent.EACH, Extent.EACH, Extent.EACH, false, false),
    /**
     * Block sizes known to sender and receiver only, SEND and RECV blocks anywhere: one block at a time. SCRATCH only
     * for the copy of RECV in place.
     */
    ALLTOALLV(Extent.EACH, Extent.EACH, Extent.EACH, false, false),
    /** Block sizes known to the root and the sender only: directly to the root, one block at a time. */
    GATHERV(Extent.OWN, Extent.EACH, Extent.NONE, true, false),
    /** Block sizes known to the root and the receiver only. */
    SCATTERV(Extent.EACH, Extent.OWN, Extent.NONE, true, false);

    /** How the operands are divided. */
    public final Extent send;
    public final Extent recv;
    /** How algorithms divide their own memory. */
    public final Extent scratch;
    /** Whether one rank is the root. */
    public final boolean rooted;
    /** Whether values are combined. */
    public final boolean reduces;
    /** Whether schedules write output while they still read input; in place they then read a copy. */
    public final boolean overwrites;
    // Made once: every call passes it on for messages, and must not allocate.
    private final String key = name().toLowerCase(Locale.ROOT).replace('_', '-');

    Collective(Extent send, Extent recv, Extent scratch, boolean rooted, boolean reduces) {
        this.send = send;
        this.recv = recv;
        this.scratch = scratch;
        this.rooted = rooted;
        this.reduces = reduces;
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

    /** Whether one slice may span several blocks, as they lie side by side on every rank. */
    public boolean contiguous() {
        return this != ALLGATHERV && this != ALLTOALLV && this != GATHERV && this != SCATTERV;
    }
}
