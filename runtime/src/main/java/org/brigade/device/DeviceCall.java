package org.brigade.device;

import java.lang.reflect.Array;
import java.util.Arrays;
import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Counts;
import mpi.spi.DeviceBuffer;
import mpi.spi.Extent;
import mpi.spi.Neighbourhood;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.EdgeList;
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
 * among neighbours -, all blocks for p                      -, all blocks of p
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
    /** Whether this is the call that the group ran last, with other contents of the same memory. */
    public boolean again;
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
    /**
     * Whether the two ends of each pair mean the same blocks, by what all members have {@linkplain #announced said};
     * false: the members shall find out on the host what is wrong.
     */
    public boolean balanced;
    /** How all members' buffers lie if the members have met; else null. */
    public Placement placement;

    public final long[] sendAt;
    public final long[] sendBytes;
    public final long[] recvAt;
    public final long[] recvBytes;
    /** The blocks one by one, where ranks know their own counts only; else empty. */
    public final EdgeList out = new EdgeList();
    public final EdgeList in = new EdgeList();
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
        again = false;
        if (!takeBuffers(call)) {
            return false;
        }
        sendOffset = call.send.offset;
        recvOffset = call.recv.offset;
        collective = call.collective;
        root = collective.rooted ? call.root : -1;
        inPlace = call.inPlace || collective == Collective.BCAST && call.isRoot();
        bytes = Math.max(0, call.bytes());
        fill(call.send.blocks, collective.send, sendAt, sendBytes);
        fill(call.recv.blocks, collective == Collective.BCAST ? Extent.NONE : collective.recv, recvAt, recvBytes);
        out.clear();
        in.clear();
        if (collective.amongNeighbours()) {
            neighbours(call.neighbours, call.send.blocks, call.recv.blocks);
        } else if (collective.counts == Counts.LOCAL) {
            for (int peer = 0; peer < sendAt.length; peer++) {
                if (peer != call.rank || !inPlace) {
                    out.add(peer, sendAt[peer], sendBytes[peer]);
                    in.add(peer, recvAt[peer], recvBytes[peer]);
                }
            }
        }
        return true;
    }

    /** Takes over a call that is described as the one that was taken last, with the same memory. */
    public void retake(Call call) {
        takeBuffers(call);
    }

    private boolean takeBuffers(Call call) {
        boolean scatters = call.collective.scatters();
        Object input = isEmpty(call.send.buffer) || call.inPlace && !scatters ? null : call.send.buffer;
        Object output = isEmpty(call.recv.buffer) || call.inPlace && scatters ? null : call.recv.buffer;
        if (input != null && !(input instanceof DeviceBuffer) || output != null && !(output instanceof DeviceBuffer)) {
            return false;
        }
        send = (DeviceBuffer) input;
        recv = (DeviceBuffer) output;
        type = call.type;
        op = call.op;
        return true;
    }

    /** Takes over the blocks of a call among neighbours, whose collective is known. */
    public void neighbours(Neighbourhood edges, BlockMap sent, BlockMap received) {
        out.clear();
        in.clear();
        boolean same = collective.send == Extent.OWN;
        int[] destinations = edges.destinations();
        for (int block = 0; block < destinations.length; block++) {
            int from = same ? 0 : block;
            out.add(destinations[block], sent.offset(from), sent.length(from));
        }
        for (int block : edges.arrival()) {
            in.add(edges.sources()[block], received.offset(block), received.length(block));
        }
        count();
    }

    /** The bytes for and from each rank, by edges. */
    public void count() {
        Arrays.fill(sendBytes, 0);
        Arrays.fill(recvBytes, 0);
        for (int edge = 0; edge < out.count(); edge++) {
            sendBytes[out.peer(edge)] += out.bytes(edge);
        }
        for (int edge = 0; edge < in.count(); edge++) {
            recvBytes[in.peer(edge)] += in.bytes(edge);
        }
    }

    /**
     * What this rank announces of the call's bytes. Where ranks know their own counts only: numbers whose sum over all
     * members is 0 if the two ends of each pair mean the same blocks, and hardly ever else.
     */
    public long announced(Call call) {
        return call.collective.counts == Counts.LOCAL
            ? out.fingerprint(call.rank, true) - in.fingerprint(call.rank, false) : call.bytes();
    }

    private static boolean isEmpty(Object buffer) {
        return buffer != null && buffer.getClass().isArray() && Array.getLength(buffer) == 0;
    }

    /** An own block of a rooted collective goes to or comes from the root only. */
    private void fill(BlockMap blocks, Extent extent, long[] at, long[] lengths) {
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = extent == Extent.EACH ? blocks.offset(peer) : 0;
            lengths[peer] = switch (extent) {
                case NONE, EDGES -> 0; // by edges
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
