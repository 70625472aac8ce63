package org.brigade.device;

import mpi.spi.DeviceBuffer;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Placement;
import mpi.spi.Collective;
import org.brigade.select.Choice;

/**
 * One collective call on device memory, as an exchange of blocks: for every peer the bytes that go to it and the bytes that come from it. One object a communicator, filled in anew
 * for each call.
 *
 * <pre>
 *              sendAt[p], sendBytes[p]                      recvAt[p], recvBytes[p]
 * bcast        -                                            -             (bytes: the vector)
 * allreduce, reduce, scan, exscan   0, the vector           0, the vector (reduced)
 * reduce-scatter   block of p                               0, the own block (reduced)
 * allgather(v)     0, the own block                         block of p
 * alltoall(v)      block for p                              block of p
 * gather(v)        0, the own block to the root only        block of p, at the root only
 * scatter(v)       block for p, at the root only            0, the own block from the root only
 * </pre>
 */
public final class DeviceCall {
    public Collective collective;
    /** -1 where there is none. */
    public int root;
    /** As the {@link org.brigade.select.Ladder} measures calls. */
    public long bytes;
    /** Null where this rank has none or it is in place: then {@link #inPlace} tells which. */
    public DeviceBuffer send;
    public long sendOffset;
    public DeviceBuffer recv;
    public long recvOffset;
    /** The input lies where the output will (bcast: always so at the root). */
    public boolean inPlace;
    /** Null for collectives that do not reduce. */
    public TypeLayout type;
    public Reduction op;
    public Choice choice;
    /** The host has seen all members in this very call, so that nobody uses his buffers for an earlier one. What is put into a stream has not; it has no use for choices that need the host. */
    public boolean met;
    /** How all members' buffers lie, where they have met; else null. */
    public Placement placement;

    public final long[] sendAt;
    public final long[] sendBytes;
    public final long[] recvAt;
    public final long[] recvBytes;
    /** What every member has announced: its allocations' {@link Devices#export} and where its buffers begin in them; {@link Devices#UNREACHABLE} where it has none. */
    public final long[] sendExport;
    public final long[] sendBegin;
    public final long[] recvExport;
    public final long[] recvBegin;

    public DeviceCall(int ranks) {
        sendAt = new long[ranks];
        sendBytes = new long[ranks];
        recvAt = new long[ranks];
        recvBytes = new long[ranks];
        sendExport = new long[ranks];
        sendBegin = new long[ranks];
        recvExport = new long[ranks];
        recvBegin = new long[ranks];
    }
}
