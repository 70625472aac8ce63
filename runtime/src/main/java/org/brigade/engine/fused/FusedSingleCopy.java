package org.brigade.engine.fused;

import mpi.ErrorClass;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.FusedPull;
import org.brigade.engine.Scratch;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;

/**
 * Alltoall and allgather that read the blocks in the other ranks' memory
 * ({@link org.brigade.algorithm.SingleCopyAlgorithm}). A call has two exchanges by {@link FusedPull}: of where the
 * blocks lie, and of nothing, once they are read. Only then is a rank's memory the caller's again.
 *
 * <pre>
 * what a rank publishes:  0          address of its operand to send, or of a copy of that
 *                         8          1 if its operands lie outside the heap, else 0
 *                        16 + 16 r   offset of the block for rank r
 *                        24 + 16 r   its length in bytes
 * </pre>
 *
 * <p>
 * A call that fails on a rank goes on to the second exchange, as others still read that rank's memory. One object a
 * communicator; under the lock.
 */
public final class FusedSingleCopy {
    private static final int ADDRESS = 0;
    private static final int LENT = 8;
    private static final int BLOCKS = 16;
    private static final int BLOCK_BYTES = 16;
    /** Bytes read at once before they go on into the heap or to a device: they stay in the cache. */
    private static final int NEAR_BYTES = 128 << 10;

    private final FusedPull calls;
    private final SharedAccess access;
    /** By rank. */
    private final ProcessMemory[] memories;
    private final Region send = new Region();
    private final Region recv = new Region();
    private final Scratch copy = new Scratch();
    /** Null before it is needed. */
    private NativeMemory near;
    /** Whether some member's operands lay in the heap, in the last call. */
    private boolean copied;

    /** @param memories of the members, by rank in the communicator */
    public FusedSingleCopy(FusedPull calls, ProcessMemory[] memories) {
        this.calls = calls;
        access = calls.access();
        this.memories = memories;
    }

    /** Runs a blocking call. */
    public void run(long key, Call call) {
        copied = false;
        calls.requireWhole(key, call.collective);
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        try {
            publish(call);
            calls.exchange(key, key + 1, FusedPull.what(call.collective, 0), call.collective);
            copied = isCopied(call.ranks);
            for (int step = 1; step < call.ranks; step++) {
                int peer = call.rank + step;
                read(key, call, peer < call.ranks ? peer : peer - call.ranks);
            }
            copyOwn(call);
            calls.exchange(key, -key - 1, 0, call.collective);
        } catch (RuntimeException | Error failed) {
            try {
                throw calls.peers().failed(key, call.collective, failed);
            } finally {
                calls.end(-key - 1);
            }
        } finally {
            send.clear();
            recv.clear();
        }
    }

    /** Notes where this rank's blocks lie; copies them first if others cannot read them there, or they are written. */
    private void publish(Call call) {
        NativeMemory board = calls.board();
        int at = calls.data();
        boolean one = isOne(call);
        boolean lent = send.isNative() && (one || !call.inPlace);
        long packed = 0;
        if (!lent) {
            copy.reserve(one ? call.send.blocks.length(0) : call.send.blocks.total());
        }
        for (int peer = 0; peer < call.ranks; peer++) {
            int block = one ? 0 : peer;
            long from = call.send.blocks.offset(block);
            long bytes = call.send.blocks.length(block);
            long to = from;
            if (!lent) {
                to = packed;
                if (one ? peer == 0 : peer != call.rank) {
                    access.copyOwn(copy.region, to, send, from, bytes);
                }
                packed += one ? 0 : bytes;
            }
            access.store(board, at + BLOCKS + peer * BLOCK_BYTES, to);
            access.store(board, at + BLOCKS + peer * BLOCK_BYTES + Long.BYTES, bytes);
        }
        access.store(board, at + ADDRESS, access.address(lent ? send : copy.region));
        access.store(board, at + LENT, lent && recv.isNative() ? 1 : 0);
    }

    /** The same answer on all members, as all see the same. */
    private boolean isCopied(int ranks) {
        for (int member = 0; member < ranks; member++) {
            if (access.load(calls.board(member), calls.data() + LENT) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether some member has copied what it sent or received once more in the last call, as it lay in the heap. */
    public boolean hasCopied() {
        return copied;
    }

    /** Whether a rank sends the same block to all. */
    private static boolean isOne(Call call) {
        return call.collective == Collective.ALLGATHER || call.collective == Collective.ALLGATHERV;
    }

    private void copyOwn(Call call) {
        int block = isOne(call) ? 0 : call.rank;
        if (!call.inPlace) {
            access.copyOwn(recv, call.recv.blocks.offset(call.rank), send, call.send.blocks.offset(block),
                call.send.blocks.length(block));
        }
    }

    private void read(long key, Call call, int peer) {
        calls.requireSame(key, call.collective, peer);
        NativeMemory board = calls.board(peer);
        int at = calls.data();
        int entry = at + BLOCKS + call.rank * BLOCK_BYTES;
        long bytes = access.load(board, entry + Long.BYTES);
        long room = call.recv.blocks.length(peer);
        if (bytes > room) {
            throw calls.peers().truncated(key, call.collective, peer, bytes, room);
        }
        long from = access.load(board, at + ADDRESS) + access.load(board, entry);
        long into = call.recv.blocks.offset(peer);
        if (recv.isNative()) {
            read(call, peer, from, access.address(recv) + into, bytes);
            return;
        }
        if (near == null) {
            near = NativeMemory.allocate(NEAR_BYTES);
        }
        for (long done = 0; done < bytes; done += NEAR_BYTES) {
            int piece = (int) Math.min(NEAR_BYTES, bytes - done);
            read(call, peer, from + done, access.address(near), piece);
            access.copyOut(near, 0, recv, into + done, piece);
        }
    }

    private void read(Call call, int peer, long from, long to, long bytes) {
        int failed = bytes == 0 ? 0 : access.readPeer(memories[peer], from, to, bytes);
        if (failed != 0 && failed != ProcessMemory.NO_PROCESS) { // a dead rank is found by the second exchange
            throw ErrorClass.OTHER.in(call.collective.key(),
                "rank " + call.rank + " cannot read the block of rank " + peer
                    + " of " + calls.peers().communicator() + " in its memory (the system's error " + failed
                    + "): has that rank freed its buffer? brigade.shm.loans=never avoids such reads");
        }
    }
}
