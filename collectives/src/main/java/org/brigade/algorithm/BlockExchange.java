package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * A call as kernels see it: an exchange of blocks, with length 0 where nothing is sent (call.cuh explains each word).
 * Both ends of a pair compute the same length. The object is filled in anew for each call.
 */
public class BlockExchange {
    public final int rank;
    public final int ranks;
    public final long[] sendAt;
    public final long[] sendBytes;
    public final long[] recvAt;
    public final long[] recvBytes;
    public Collective collective;
    /** Rank of the root; -1 if there is none. */
    public int root;
    /** Bytes as the tuning table counts them. */
    public long bytes;
    /** Whether this rank's input lies where its output will be. */
    public boolean inPlace;
    /** Whether some rank is in place, as far as the hosts have told each other. */
    public boolean someInPlace;
    /**
     * Whether blocks have different lengths, so that in place one's stretch of the output is another's of the input.
     */
    public boolean unequal;
    /**
     * The blocks one by one, if only the two ends of a pair know them ({@link mpi.spi.Counts#LOCAL}); else of no use.
     */
    public EdgeList out;
    public EdgeList in;
    /** The member behind this rank in the kernel's {@linkplain DeviceKernel#order order}. */
    public int next;

    protected BlockExchange(int ranks, int rank) {
        this.rank = rank;
        this.ranks = ranks;
        sendAt = new long[ranks];
        sendBytes = new long[ranks];
        recvAt = new long[ranks];
        recvBytes = new long[ranks];
    }
}
