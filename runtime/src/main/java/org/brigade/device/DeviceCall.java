package org.brigade.device;

import java.lang.reflect.Array;
import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.DeviceBuffer;
import mpi.spi.Extent;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Placement;
import org.brigade.select.Choice;

/**
 * One collective call on device memory, as an exchange of blocks: for every peer the bytes that go to it and the bytes
 * that come from it. One object a communicator, filled in anew for each call.
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
    /** Rank of the root; -1 if there is none. */
    public int root;
    /** Bytes as {@link org.brigade.select.SizeThresholds} counts them. */
    public long bytes;
    /** Null if this rank has no send buffer, or is in place ({@link #inPlace}). */
    public DeviceBuffer send;
    public long sendOffset;
    public DeviceBuffer recv;
    public long recvOffset;
    /** Whether the input lies where the output will (bcast: always so at the root). */
    public boolean inPlace;
    /** Null for collectives that do not reduce. */
    public TypeLayout type;
    public Reduction op;
    public Choice choice;
    /**
     * Whether the host has seen all members in this very call, so that no member still uses its buffers for an earlier
     * call. False for calls on streams, which cannot use algorithms that need the host.
     */
    public boolean met;
    /**
     * Whether other calls may be under way on some member's device, so that this one must leave room for them. The same
     * on all members.
     */
    public boolean shares;
    /** The largest grid of a call that has not {@link #met}; 0: what the device allows. The same on all members. */
    public int mostBlocks;
    /** How all members' buffers lie if the members have met; else null. */
    public Placement placement;

    public final long[] sendAt;
    public final long[] sendBytes;
    public final long[] recvAt;
    public final long[] recvBytes;
    /**
     * What every member has announced: its allocations' {@link Devices#export} and where its buffers begin in them;
     * {@link Devices#UNREACHABLE} for a missing buffer.
     */
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

    /**
     * Takes over a call if all its buffers are on devices. An array without elements counts as a buffer of 0 items on
     * any device.
     */
    public boolean take(Call call) {
        boolean scatters = call.collective.scatters();
        Object out = isEmpty(call.send.buffer) || call.inPlace && !scatters ? null : call.send.buffer;
        Object in = isEmpty(call.recv.buffer) || call.inPlace && scatters ? null : call.recv.buffer;
        if (out != null && !(out instanceof DeviceBuffer) || in != null && !(in instanceof DeviceBuffer)) {
            return false;
        }
        send = (DeviceBuffer) out;
        sendOffset = call.send.offset;
        recv = (DeviceBuffer) in;
        recvOffset = call.recv.offset;
        collective = call.collective;
        root = collective.rooted ? call.root : -1;
        inPlace = call.inPlace || collective == Collective.BCAST && call.isRoot();
        bytes = Math.max(0, call.bytes());
        type = call.type;
        op = call.op;
        fill(call.send.blocks, collective.send, sendAt, sendBytes);
        fill(call.recv.blocks, collective == Collective.BCAST ? Extent.NONE : collective.recv, recvAt, recvBytes);
        return true;
    }

    private static boolean isEmpty(Object buffer) {
        return buffer != null && buffer.getClass().isArray() && Array.getLength(buffer) == 0;
    }

    /** An own block of a rooted collective goes to or comes from the root only. */
    private void fill(BlockMap blocks, Extent extent, long[] at, long[] lengths) {
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = extent == Extent.EACH ? blocks.offset(peer) : 0;
            lengths[peer] = switch (extent) {
                case NONE, EDGES -> 0; // without kernels
                case EACH -> blocks.length(peer);
                case VECTOR -> blocks.total();
                case OWN -> root >= 0 && peer != root ? 0 : blocks.total();
            };
        }
    }

    /** Forgets the caller's buffers. */
    public void release() {
        send = null;
        recv = null;
        type = null;
        op = null;
    }
}
