package org.brigade.engine;

import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.node.Awaited;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.pattern.RecursiveExchange;
import org.brigade.transport.Link;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;

/**
 * Barrier, allreduce, reduce-scatter and allgather of small blocks on one node, as straight-line code
 * ({@link org.brigade.algorithm.PullAlgorithm}): a rank publishes its block and reads those of all others
 * ({@link PulledBlocks}). A call that fails waits until all blocks are there, if they come soon. If they do not, later
 * calls fail, too. {@link FusedSingleCopy} exchanges what it needs by the same blocks.
 *
 * <p>
 * Equal to the schedules {@code dissemination}, {@code recursive-doubling} and {@code recursive-halving} (sums in the
 * same order) and {@code bruck}. One object a communicator; under the lock.
 */
public final class FusedPull implements Waiter, Awaited {
    private static final int MOST_LOOKS = 512;
    /** How long a call that has failed waits for the blocks that still have to come. */
    private static final long PATIENCE_NANOS = 100_000_000;
    /** Up to so many bytes are copied as words. */
    private static final int FEW_BYTES = 64;

    private final Progress progress;
    private final Membership party;
    private final FusedFlat messages;
    private final int rank;
    private final int ranks;
    private final PulledBlocks blocks;
    private final RecursiveExchange term;
    private final Region send = new Region();
    private final Region recv = new Region();
    /** All vectors of an allreduce, or blocks on their way to a device; null before the first. */
    private NativeMemory vectors;
    private Region sums;
    /** Of the last exchange. */
    private long tag;
    /** All blocks of the last exchange have been seen. */
    private boolean complete;
    private String broken;
    private long waitsWith;
    private int waitsFor;

    /**
     * @param messages of this communicator
     * @param blocks of all members, from {@link PullSlots} or elsewhere
     */
    public FusedPull(Progress progress, Membership party, FusedFlat messages, PulledBlocks blocks) {
        this.progress = progress;
        this.party = party;
        this.messages = messages;
        this.blocks = blocks;
        rank = party.rank;
        ranks = party.members.length;
        term = new RecursiveExchange(ranks);
    }

    /** Runs a blocking call. @param incomingLast the reduction; null if the collective has none */
    public void run(long key, Call call, Combiner incomingLast) {
        requireWhole(key, call.collective);
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        try {
            switch (call.collective) {
                case BARRIER -> exchange(key, call, 0);
                case ALLREDUCE -> allreduce(key, call, incomingLast);
                case REDUCE_SCATTER -> reduceScatter(key, call, incomingLast);
                case ALLGATHER -> allgather(key, call);
                default -> throw new IllegalStateException("no " + call.collective.key() + " pulls");
            }
        } catch (RuntimeException | Error failed) {
            throw failed(key, call.collective, failed);
        } finally {
            send.clear();
            recv.clear();
        }
    }

    private void allgather(long key, Call call) {
        int bytes = (int) call.send.blocks.length(0);
        send.read(call.send.blocks.offset(0), blocks.slot(rank), blocks.data(), bytes);
        exchange(key, call, bytes);
        if (recv.isDevice() && isDense(call, bytes)) {
            reserve(ranks * bytes);
            for (int peer = 0; peer < ranks; peer++) {
                vectors.bytes.put(peer * bytes, blocks.slot(peer).bytes, blocks.data(), bytes);
            }
            recv.write(0, vectors, 0, ranks * bytes); // each copy to a device takes long
            return;
        }
        for (int peer = 0; peer < ranks; peer++) {
            recv.write(call.recv.blocks.offset(peer), blocks.slot(peer), blocks.data(), bytesOf(peer));
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

    private void allreduce(long key, Call call, Combiner incomingLast) {
        int bytes = (int) call.send.blocks.total();
        send.read(0, blocks.slot(rank), blocks.data(), bytes);
        exchange(key, call, bytes);
        reduce(0, bytes, false, incomingLast);
    }

    private void reduceScatter(long key, Call call, Combiner incomingLast) {
        BlockMap map = call.send.blocks;
        int bytes = (int) call.bytes();
        send.read(map.offset(0), blocks.slot(rank), blocks.data(), bytes);
        exchange(key, call, bytes);
        reduce((int) (map.offset(rank) - map.offset(0)), (int) map.length(rank), true, incomingLast);
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
        if (recv.isDevice()) {
            add(bytes, 0, stride, incomingLast);
            recv.write(0, vectors, 0, bytes);
        } else {
            incomingLast.combine(vectors, stride, bytes, sums, 0, recv, 0);
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
        NativeMemory theirs = blocks.slot(peer);
        int at = blocks.data() + from;
        if (bytes <= FEW_BYTES) {
            for (int word = 0; word < bytes; word += Long.BYTES) {
                vectors.putLong(to + word, theirs.getLong(at + word));
            }
        } else {
            vectors.bytes.put(to, theirs.bytes, at, bytes);
        }
    }

    // ---- blocks ----

    /** Begins a call: fails if an earlier one has left the members' blocks at odds. */
    public void requireWhole(long key, Collective collective) {
        if (broken != null) {
            throw progress.failed(collective.key(), party, key, party.broken(collective.key(), broken));
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

    public int data() {
        return blocks.data();
    }

    private void exchange(long key, Call call, int bytes) {
        exchange(key, key + 1, what(call.collective, bytes), call.collective);
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
        try {
            for (int peer = 0; peer < ranks; peer++) {
                if (!isThere(peer)) {
                    await(this, peer, key, collective);
                }
            }
        } catch (RuntimeException | Error failed) {
            progress.poison(key);
            settle();
            throw failed;
        }
        complete = true;
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

    private static int expected(Call call, int peer, int bytes) {
        return call.collective == Collective.ALLGATHER ? (int) call.recv.blocks.length(peer) : bytes;
    }

    /** Fails if a member has published a block of another collective. */
    public void requireSame(long key, Collective collective, int peer) {
        int theirs = (int) (blocks.what(peer) >>> Integer.SIZE);
        if (theirs != collective.ordinal()) {
            String name = collective.key();
            throw progress.failed(name, party, key, party.truncated(name, "rank " + peer + " called "
                + Collective.values()[theirs].key() + " at the same time; all ranks must make matching calls"));
        }
    }

    /** The blocks of an allgather may be shorter than there is room for. */
    private void requireFits(long key, Call call, int peer, int bytes) {
        int came = bytesOf(peer);
        int most = expected(call, peer, bytes);
        if (came > most || call.collective != Collective.ALLGATHER) {
            throw truncated(key, call.collective, peer, came, most);
        }
    }

    public RuntimeException truncated(long key, Collective collective, int peer, long came, long room) {
        return progress.failed(collective.key(), party, key,
            party.truncated(collective.key(), peer, came, false, room));
    }

    /**
     * Waits for what a member makes visible in a call that all have begun.
     *
     * @throws mpi.MPIException if the member is lost, or the call has failed on a member
     */
    public void await(Awaited awaited, int peer, long key, Collective collective) {
        int looks = progress.looks(MOST_LOOKS);
        Idle idle = null;
        while (true) {
            if (isThere(awaited, peer, looks)) {
                progress.release(idle);
                return;
            }
            if (!progress.poll()) {
                idle = turn(idle, awaited, peer, key, collective.key());
                looks = 1; // the wait is a long one
            }
        }
    }

    /**
     * Looks so many times. Apart, as a JVM compiles what loops first: this is little code, and the whole wait is much.
     */
    private static boolean isThere(Awaited awaited, int peer, int looks) {
        for (int look = 0; look < looks; look++) {
            if (awaited.isThere(peer)) {
                return true;
            }
        }
        return false;
    }

    private Idle turn(Idle idle, Awaited awaited, int peer, long key, String call) {
        waitsWith = key;
        waitsFor = party.members[peer];
        Idle turn = progress.relax(idle, call, party, this);
        progress.requireWell(key, party);
        if (turn.isLong()) {
            progress.clearNotBegun(key);
            Link link = progress.link(waitsFor);
            // Who is in Finalize comes to its barrier, sooner or later.
            boolean starved = key >>> 32 != Progress.FINALIZE_CONTEXT && progress.isStarvedBy(waitsFor, link);
            boolean sent = link.poll() && link.key() == key
                || progress.stash().find(waitsFor, Progress.COLLECTIVE, key) != null;
            // Asked last: what a rank publishes comes before its Finalize, and before it confirms a user's operation.
            if ((starved || sent) && !awaited.isThere(peer)) {
                throw starved ? progress.neverComes(call, party, waitsFor)
                    : progress.failed(call, party, key, party.truncated(call, "rank " + peer
                        + " sent a message of another collective; all ranks must make matching calls"));
            }
        }
        return turn;
    }

    @Override
    public boolean isThere(int member) {
        return blocks.isThere(member, tag);
    }

    /** What a call that has failed within an exchange, or after it, must throw. The other members hear of it. */
    public RuntimeException failed(long key, Collective collective, Throwable cause) {
        return messages.failedIn(collective.key(), key, cause);
    }

    /** The error of a call whose arguments do not fit those of another member; the others hear of it. */
    public RuntimeException mismatch(long key, Collective collective, String why) {
        return progress.failed(collective.key(), party, key, party.truncated(collective.key(), why));
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
                progress.poll();
            }
        }
        complete = true;
    }

    @Override
    public void describe(Wait wait) {
        wait.collective(waitsWith);
        wait.peer(waitsFor);
    }
}
