package org.brigade.simulate;

import mpi.spi.Collective;
import mpi.spi.Counts;
import mpi.spi.Extent;
import org.brigade.schedule.Role;
import org.brigade.schedule.Slice;

/**
 * The sizes of a schedule's slices in one call. Bytes are counted as in selection: the vector of bcast, reduce,
 * allreduce and the scans; one rank's block of gather, scatter, allgather and alltoall; the whole of allgatherv's
 * result and reduce-scatter's input; one message of alltoallv, gatherv and scatterv.
 */
final class CallSizes {
    private final Collective collective;
    private final int blocks;
    private final int ranks;
    private final long bytes;
    private final boolean whole;
    private final long window;
    private final int windows;

    /**
     * @param blocks into which a schedule cuts its vector
     * @param chunk bytes of a window; 0: one window
     */
    CallSizes(Collective collective, int blocks, int ranks, long bytes, long chunk) {
        this.collective = collective;
        this.blocks = blocks;
        this.ranks = ranks;
        this.bytes = collective == Collective.BARRIER ? 0 : bytes;
        whole = collective.counts == Counts.SHARED;
        long longest = 0;
        for (Role role : Role.values()) {
            Extent extent = role.extent(collective);
            if (extent != Extent.NONE) {
                longest = Math.max(longest, length(extent, 0, 1));
            }
        }
        window = chunk <= 0 ? Math.max(longest, 1) : chunk;
        long count = Math.max(1, (longest + window - 1) / window);
        if (count > 1 << 26) {
            throw new IllegalArgumentException("blocks of " + longest + " bytes in chunks of " + chunk + " make "
                + count + " windows; take a longer chunk");
        }
        windows = (int) count;
    }

    boolean serves(int otherBlocks) {
        return blocks == otherBlocks;
    }

    int windows() {
        return windows;
    }

    /** Bytes of a slice in a round; of one window of it, unless {@code inWindow} is -1. */
    long of(Slice slice, int rank, int round, int inWindow) {
        Extent extent = slice.role().extent(collective);
        int first = extent == Extent.OWN ? rank : slice.first().at(round);
        long length = length(extent, first, slice.blocks());
        return inWindow < 0 ? length : Math.min(length - Math.min(length, inWindow * window), window);
    }

    /** Bytes of consecutive blocks; the first blocks are a byte longer if they do not divide evenly. */
    private long length(Extent extent, int first, int count) {
        if (extent != Extent.VECTOR && !whole) {
            return count * bytes;
        }
        int parts = extent == Extent.VECTOR ? blocks : ranks;
        return bytes / parts * count + Math.min(first + count, bytes % parts) - Math.min(first, bytes % parts);
    }
}
