package org.brigade.engine;

import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.node.Awaited;
import org.brigade.engine.node.CallMembers;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.op.Combiner;
import org.brigade.pattern.RecursiveExchange;

/**
 * Barrier, allreduce, reduce-scatter and allgather of small blocks on one node, as straight-line code
 * ({@link org.brigade.algorithm.PullAlgorithm}): a rank publishes its block and reads those of all others
 * ({@link PulledBlocks}). A call that fails waits until all blocks are there, if they come soon. If they do not, later
 * calls fail, too. {@code FusedSingleCopy} exchanges what it needs by the same blocks.
 *
 * <p>
 * Equal to the schedules {@code dissemination}, {@code recursive-doubling} and {@code recursive-halving} (sums in the
 * same order) and {@code bruck}; in rank order ({@code flat-pull}) to {@code direct-exchange}. One object a
 * communicator; under the lock.
 */
public final class FusedPull implements Awaited {
    /** How long a call that has failed waits for the blocks that still have to come. */
    private static final long PATIENCE_NANOS = 100_000_000;
    /** Room for vectors so long is made at once. */
    private static final int FEW_BYTES = 64;

    private final CallMembers peers;
    private final SharedAccess access;
    private final int rank;
    private final int ranks;
    private final PulledBlocks blocks;
    /** Null: calls run in Java. */
    private final CompiledPull compiled;
    private final RecursiveExchange term;
    /** Of the call that runs. */
    final Region send = new Region();
    final Region recv = new Region();
    /** All vectors of an allreduce, or blocks on their way to a device; null before the first. */
    private NativeMemory vectors;
    private Region sums;
    /** Of the last exchange. */
    private long tag;
    /** All blocks of the last exchange have been seen. */
    private boolean complete;
    private String broken;

    /**
     * @param messages of this communicator
     * @param blocks of all members, from {@link PullSlots} or elsewhere
     */
    public FusedPull(Progress progress, Membership membership, FlatCollectives messages, PulledBlocks blocks) {
        this(new MemberWait(progress, membership, messages.messages()), membership.rank, membership.members.length,
            blocks, progress);
    }

    /** Runs calls in Java. */
    public FusedPull(CallMembers peers, int rank, int ranks, PulledBlocks blocks) {
        this(peers, rank, ranks, blocks, null);
    }

    /** @param progress of compiled calls; null: calls run in Java */
    private FusedPull(CallMembers peers, int rank, int ranks, PulledBlocks blocks, Progress progress) {
        compiled = progress == null ? null : CompiledPull.of(this, blocks, rank, progress);
        this.peers = peers;
        this.blocks = blocks;
        this.rank = rank;
        this.ranks = ranks;
        access = blocks.access();
        term = new RecursiveExchange(ranks);
    }

    /**
     * Runs a blocking call.
     *
     * @param inRankOrder whether an allreduce adds up from rank 0 on, else as recursive doubling does
     * @param incomingLast the reduction; null if the collective has none
     */
    public void run(long key, Call call, boolean inRankOrder, Combiner incomingLast) {
        requireWhole(key, call.collective);
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        try {
            int bytes = bytes(call);
            if (compiled == null || !compiled.run(key, call, bytes, inRankOrder, incomingLast)) {
                if (call.collective != Collective.BARRIER) {
                    access.copyIn(send, sendAt(call), blocks.slot(rank), blocks.data(), bytes);
                }
                exchange(key, call, bytes);
                finish(call, bytes, inRankOrder, incomingLast);
            }
        } catch (RuntimeException | Error failed) {
            throw peers.failed(key, call.collective, failed);
        } finally {
            send.clear();
            recv.clear();
        }
    }

    /** Bytes of this rank's block. */
    private static int bytes(Call call) {
        return (int) switch (call.collective) {
            case BARRIER -> 0;
            case ALLREDUCE -> call.send.blocks.total();
            case REDUCE_SCATTER -> call.bytes();
            case ALLGATHER, ALLGATHERV -> call.send.blocks.length(0);
            default -> throw new IllegalStateException("no " + call.collective.key() + " pulls");
        };
    }

    /** Where the block begins in the buffer to send. */
    static long sendAt(Call call) {
        return call.collective == Collective.ALLREDUCE || call.collective == Collective.BARRIER ? 0
            : call.send.blocks.offset(0);
    }

    /** All blocks are there, and fit. */
    void finish(Call call, int bytes, boolean inRankOrder, Combiner incomingLast) {
        switch (call.collective) {
            case ALLREDUCE -> {
                if (inRankOrder) {
                    reduceInOrder(bytes, incomingLast);
                } else {
                    reduce(0, bytes, false, incomingLast);
                }
            }
            case REDUCE_SCATTER -> reduce(partAt(call), (int) call.send.blocks.length(rank), true, incomingLast);
            case ALLGATHER, ALLGATHERV -> gather(call, bytes);
            default -> {
            }
        }
    }

    /** Compares and ends a call in the caller's buffers, whose blocks are all there. */
    void finishAgain(long key, Call call, int bytes, boolean inRankOrder, Combiner incomingLast) {
        compare(key, call, bytes);
        recv.wrap(call.recv.buffer, call.recv.offset);
        try {
            finish(call, bytes, inRankOrder, incomingLast);
        } finally {
            recv.clear();
        }
    }

    /** Where this rank's part of the blocks of a reduce-scatter begins. */
    int partAt(Call call) {
        BlockMap map = call.send.blocks;
        return (int) (map.offset(rank) - map.offset(0));
    }

    private void gather(Call call, int bytes) {
        if (recv.isDevice() && isDense(call, bytes)) {
            reserve(ranks * bytes);
            for (int peer = 0; peer < ranks; peer++) {
                access.copy(blocks.slot(peer), blocks.data(), vectors, peer * bytes, bytes);
            }
            access.copyOut(vectors, 0, recv, 0, ranks * bytes); // each copy to a device takes long
            return;
        }
        for (int peer = 0; peer < ranks; peer++) {
            if (bytesOf(peer) == 0 || call.inPlace && peer == rank) {
                continue; // nothing may be where the buffer ends before the block begins
            }
            access.copyOut(blocks.slot(peer), blocks.data(), recv, call.recv.blocks.offset(peer), bytesOf(peer));
        }
    }

    /** Whether all ranks' blocks have this length and lie side by side. */
    private boolean isDense(Call call, int bytes) {
        for (int peer = 0; peer < ranks; peer++) {
            if (bytesOf(peer) != bytes || call.recv.blocks.offset(peer) != (long) peer * bytes) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds up a stretch of all ranks' vectors: first the pairs of neighbours that have one core number, then in each
     * step the upper half of what is left to the lower half, in one call.
     *
     * @param farFirst the order of recursive halving: core number c lies at place c, so core numbers that differ in the
     * highest bit are added first. Else that of recursive doubling: c lies where the bits of c in reverse say, so
     * neighbours are
     */
    private void reduce(int from, int bytes, boolean farFirst, Combiner incomingLast) {
        int stride = bytes + Long.BYTES - 1 & -Long.BYTES;
        reserve((ranks + 1) * stride);
        int core = term.core();
        for (int number = 0; number < core; number++) {
            int at = farFirst ? number : Integer.reverse(number) >>> Integer.SIZE - term.rounds();
            int first = term.first(number);
            copy(first, from, at * stride, bytes);
            if (term.first(number + 1) - first == 2) {
                copy(first + 1, from, core * stride, bytes);
                add(bytes, at * stride, core * stride, incomingLast);
            }
        }
        for (int half = core / 2; half > 1; half /= 2) {
            if (stride == bytes) {
                add(half * stride, 0, half * stride, incomingLast);
            } else {
                for (int number = 0; number < half; number++) {
                    add(bytes, number * stride, (half + number) * stride, incomingLast);
                }
            }
        }
        addLast(bytes, stride, incomingLast);
    }

    /** Adds up all ranks' vectors, one after another. */
    private void reduceInOrder(int bytes, Combiner incomingLast) {
        int stride = bytes + Long.BYTES - 1 & -Long.BYTES;
        reserve((ranks + 1) * stride);
        copy(0, 0, 0, bytes);
        for (int peer = 1; peer < ranks; peer++) {
            copy(peer, 0, stride, bytes);
            if (peer < ranks - 1) {
                add(bytes, 0, stride, incomingLast);
            }
        }
        addLast(bytes, stride, incomingLast);
    }

    /** Ends a sum: adds a vector to the first one, into the buffer to receive. */
    private void addLast(int bytes, int what, Combiner incomingLast) {
        if (recv.isDevice()) {
            add(bytes, 0, what, incomingLast);
            access.copyOut(vectors, 0, recv, 0, bytes);
        } else {
            incomingLast.combine(vectors, what, bytes, sums, 0, recv, 0);
        }
    }

    private void reserve(int bytes) {
        if (vectors == null || vectors.capacity() < bytes) {
            vectors = NativeMemory.allocate(Math.max((ranks + 1) * FEW_BYTES, bytes));
            sums = Region.of(vectors);
        }
    }

    private void add(int bytes, int to, int what, Combiner incomingLast) {
        incomingLast.combine(vectors, what, bytes, sums, to, sums, to);
    }

    private void copy(int peer, int from, int to, int bytes) {
        access.copy(blocks.slot(peer), blocks.data() + from, vectors, to, bytes);
    }

    // ---- blocks ----

    /** The same calls as compiled code; null if all run in Java. */
    public CompiledPull compiled() {
        return compiled;
    }

    /** Compiled code publishes this rank's block, or has done so. @param seen whether all blocks have been seen */
    void published(long ofThis, boolean seen) {
        tag = ofThis;
        complete = seen;
    }

    /** Begins a call: fails if an earlier one has left the members' blocks at odds. */
    public void requireWhole(long key, Collective collective) {
        if (broken != null) {
            throw peers.broken(key, collective, broken);
        }
        next();
    }

    /** Who has seen all blocks of an exchange may publish those of the next. */
    private void next() {
        if (complete) {
            blocks.advance();
            complete = false;
        }
    }

    /** Where this rank's bytes of the next exchange go, from {@link #data} on. */
    public NativeMemory board() {
        return blocks.slot(rank);
    }

    /** What a member has published, from {@link #data} on. */
    public NativeMemory board(int member) {
        return blocks.slot(member);
    }

    /** The other members of the calls. */
    public CallMembers peers() {
        return peers;
    }

    /** How members read and write what they publish. */
    public SharedAccess access() {
        return access;
    }

    public int data() {
        return blocks.data();
    }

    private void exchange(long key, Call call, int bytes) {
        exchange(key, key + 1, what(call.collective, bytes), call.collective);
        compare(key, call, bytes);
    }

    void compare(long key, Call call, int bytes) {
        for (int peer = 0; peer < ranks; peer++) {
            if (blocks.what(peer) != what(call.collective, expected(call, peer, bytes))) {
                requireSame(key, call.collective, peer);
                requireFits(key, call, peer, bytes);
            }
        }
    }

    /**
     * Publishes this rank's block, and returns when those of all ranks can be read.
     *
     * @param ofThis tag of this exchange alone, not 0
     * @param what a word about the block
     */
    public void exchange(long key, long ofThis, long what, Collective collective) {
        next();
        tag = ofThis;
        blocks.publish(tag, what);
        await(0, ranks, key, collective);
        complete = true;
    }

    void await(int first, int end, long key, Collective collective) {
        try {
            for (int peer = first; peer < end; peer++) {
                if (!isThere(peer)) {
                    peers.await(this, peer, key, collective);
                }
            }
        } catch (RuntimeException | Error failed) {
            peers.poison(key);
            settle();
            throw failed;
        }
    }

    /** After a failure: makes the exchange that ends a call, if the one before it is complete. */
    public void end(long ofThis) {
        if (complete && tag != ofThis) {
            next();
            tag = ofThis;
            blocks.publish(tag, 0);
            settle();
        }
    }

    public static long what(Collective collective, int bytes) {
        return (long) collective.ordinal() << Integer.SIZE | bytes;
    }

    private int bytesOf(int peer) {
        return (int) blocks.what(peer);
    }

    private static boolean isGather(Call call) {
        return call.collective == Collective.ALLGATHER || call.collective == Collective.ALLGATHERV;
    }

    private static int expected(Call call, int peer, int bytes) {
        return isGather(call) ? (int) call.recv.blocks.length(peer) : bytes;
    }

    /** Fails if a member has published a block of another collective. */
    public void requireSame(long key, Collective collective, int peer) {
        int theirs = (int) (blocks.what(peer) >>> Integer.SIZE);
        if (theirs != collective.ordinal()) {
            throw peers.mismatch(key, collective, "rank " + peer + " called " + Collective.values()[theirs].key()
                + " at the same time; all ranks must make matching calls");
        }
    }

    /** The blocks of an allgather may be shorter than there is room for. */
    private void requireFits(long key, Call call, int peer, int bytes) {
        int came = bytesOf(peer);
        int most = expected(call, peer, bytes);
        if (came > most || !isGather(call)) {
            throw peers.truncated(key, call.collective, peer, came, most);
        }
    }

    @Override
    public boolean isThere(int member) {
        return blocks.isThere(member, tag);
    }

    @Override
    public void show(int member, AwaitedWord word) {
        blocks.show(member, tag, word);
    }

    /** After a failure. */
    private void settle() {
        long since = System.nanoTime();
        for (int peer = 0; peer < ranks; peer++) {
            while (!blocks.isThere(peer, tag)) {
                if (System.nanoTime() - since > PATIENCE_NANOS) {
                    broken = "an earlier collective failed on this communicator before all ranks had begun it; make a"
                        + " new communicator of the remaining ranks";
                    return;
                }
                peers.turn();
            }
        }
        complete = true;
    }
}
