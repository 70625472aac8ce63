package org.brigade.engine.fused;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.FusedPull;
import org.brigade.engine.node.Awaited;
import org.brigade.engine.node.SharedAccess;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;

/**
 * How the calls of a communicator go through its {@link SharedBuffer}: they begin with an exchange by
 * {@link FusedPull}, and then the members wait for each other's ticks.
 *
 * <pre>
 * what a rank publishes:  0  its ticks
 *                         8  bytes of its vector, or of its block
 *                        16  root
 *                        24  its vote on how to store ({@link StoreWays})
 * </pre>
 *
 * After the exchange all members are in the call, and nobody uses the buffer for an earlier one. One object a
 * communicator; under the lock.
 */
final class BufferCalls implements Awaited {
    private static final int TICKS = 0;
    private static final int BYTES = 8;
    private static final int ROOT = 16;
    private static final int VOTE = 24;
    /** Shorter stretches are not worth a native call. */
    private static final int SHORTEST_STREAM = 256;

    final SharedBuffer buffer;
    final int rank;
    final int ranks;
    private final FusedPull blocks;
    private final SharedAccess access;
    private Call call;
    private long key;
    private long first;
    private long awaited;
    private StoreWays ways;
    private long size;
    private long began;
    private boolean past;

    BufferCalls(FusedPull blocks, SharedBuffer buffer, int rank, int ranks) {
        this.blocks = blocks;
        access = blocks.access();
        this.buffer = buffer;
        this.rank = rank;
        this.ranks = ranks;
    }

    /** How to store into the buffer, for a kind of calls. */
    StoreWays ways() {
        return new StoreWays(access.storesPast(), access);
    }

    /** How this rank reads and writes the buffer. */
    SharedAccess access() {
        return access;
    }

    /** Begins a call with all members; ticks count from here. @param stores how to store into the buffer */
    void begin(long callKey, Call thisCall, long bytes, StoreWays stores) {
        call = thisCall;
        key = callKey;
        ways = stores;
        size = bytes;
        Collective collective = call.collective;
        blocks.requireWhole(key, collective);
        NativeMemory own = blocks.board();
        int at = blocks.data();
        access.store(own, at + TICKS, buffer.ticks());
        access.store(own, at + BYTES, bytes);
        access.store(own, at + ROOT, call.root);
        boolean timed = ways.concerns(bytes);
        access.store(own, at + VOTE, timed ? ways.vote(bytes) : 0);
        blocks.exchange(key, key + 1, FusedPull.what(collective, 0), collective);
        first = 0;
        long votes = 0;
        for (int peer = 0; peer < ranks; peer++) {
            blocks.requireSame(key, collective, peer);
            NativeMemory theirs = blocks.board(peer);
            first = Math.max(first, access.load(theirs, at + TICKS));
            votes += access.load(theirs, at + VOTE);
            if (access.load(theirs, at + ROOT) != call.root) {
                throw blocks.peers().mismatch(key, collective, "rank " + peer + " called with root "
                    + access.load(theirs, at + ROOT) + ", this rank with root " + call.root
                    + "; all must name one root");
            }
        }
        buffer.publish(first);
        past = timed && ways.next(bytes, 2 * votes >= ranks);
        began = timed ? System.nanoTime() : 0;
    }

    /** The call has ended well. */
    void end() {
        if (began != 0) {
            ways.took(size, past, System.nanoTime() - began);
        }
    }

    /** Whether stores into the buffer go past the caches. */
    boolean goPast() {
        return past;
    }

    /** Requires that all members have vectors of this length. */
    void requireBytes(long bytes) {
        for (int peer = 0; peer < ranks; peer++) {
            if (bytes(peer) != bytes) {
                throw blocks.peers().truncated(key, call.collective, peer, bytes(peer), bytes);
            }
        }
    }

    /** Requires that a member's block fits; it may be shorter. */
    void requireRoom(int peer, long room) {
        if (bytes(peer) > room) {
            throw blocks.peers().truncated(key, call.collective, peer, bytes(peer), room);
        }
    }

    /** What a member said at the begin. */
    long bytes(int peer) {
        return access.load(blocks.board(peer), blocks.data() + BYTES);
    }

    /** What to throw for an exception within a call. */
    RuntimeException failed(long callKey, Call thisCall, Throwable thrown) {
        return blocks.peers().failed(callKey, thisCall.collective, thrown);
    }

    /** Copies into the buffer. An empty stretch may lie anywhere, even outside the operand. */
    void copyIn(Region from, long at, NativeMemory half, int place, int length) {
        if (past && length >= SHORTEST_STREAM) {
            access.copyInPast(from, at, half, place, length);
        } else if (length > 0) {
            access.copyIn(from, at, half, place, length);
        }
    }

    void copyOut(NativeMemory half, int place, Region to, long at, int length) {
        if (length > 0) {
            access.copyOut(half, place, to, at, length);
        }
    }

    /** Tells the others that this rank has come so far in this call. */
    void publish(long tick) {
        buffer.publish(first + tick);
    }

    /** Waits until a member has come so far. */
    void await(int member, long tick) {
        long wanted = first + tick;
        if (!buffer.hasReached(member, wanted)) {
            awaited = wanted;
            blocks.peers().await(this, member, key, call.collective);
        }
    }

    void awaitAll(long tick) {
        for (int member = 0; member < ranks; member++) {
            await(member, tick);
        }
    }

    @Override
    public boolean isThere(int member) {
        return buffer.hasReached(member, awaited);
    }

    @Override
    public void show(int member, AwaitedWord word) {
        buffer.show(member, awaited, word);
    }
}
