package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * A call as kernels see it: not a collective but an exchange of blocks, lengths of 0 where nothing goes (call.cuh says
 * what each word is). Both ends of a pair come to the same length. Filled in anew for each call.
 */
public class BlockExchange {
    public final int rank;
    public final int ranks;
    public final long[] sendAt;
    public final long[] sendBytes;
    public final long[] recvAt;
    public final long[] recvBytes;
    public Collective collective;
    /** -1 where there is none. */
    public int root;
    /** As the tuning table counts them. */
    public long bytes;
    /** This rank's input lies where its output will. */
    public boolean inPlace;
    /** So does some rank's, as far as the hosts have told each other. */
    public boolean someInPlace;
    /**
     * Whether blocks have different lengths, so that in place one's stretch of the output is another's of the input.
     */
    public boolean unequal;
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
