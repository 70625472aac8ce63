package org.brigade.engine.fused;

import mpi.spi.Call;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.pattern.RecursiveExchange;

/**
 * Allreduce in a shared buffer in which every rank reduces one slice
 * ({@link org.brigade.algorithm.PartitionedAlgorithm}). All vectors lie in half 0, and the sums in half 1. A call has
 * two ticks: that this rank's vector is in, and that its slice of the sums is there.
 *
 * <p>
 * Sums are added up as recursive doubling adds them: first the pairs of neighbours that have one core number, then
 * neighbours in the core, then pairs of those.
 */
final class FusedPartitioned {
    private static final int LINE = 64;
    /** A piece of a slice and its partial sums stay in a first-level cache. */
    private static final int PIECE = 2 << 10;

    private final BufferCalls calls;
    private final int rank;
    private final int ranks;
    private final RecursiveExchange term;
    private final StoreWays ways;
    private final Region send = new Region();
    private final Region recv = new Region();
    /** Partial sums, one for each level of the tree; made for the longest quantum so far. */
    private NativeMemory partial;
    private Region partials;
    private int most;
    // Of the call under way.
    private Combiner incomingLast;
    private int stride;
    private int at;
    private int length;

    FusedPartitioned(BufferCalls calls) {
        this.calls = calls;
        rank = calls.rank;
        ranks = calls.ranks;
        ways = calls.ways();
        term = new RecursiveExchange(ranks);
    }

    void run(long key, Call call, Combiner combiner) {
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        incomingLast = combiner;
        try {
            allreduce(key, call);
            calls.end();
        } catch (RuntimeException | Error failed) {
            throw calls.failed(key, call, failed);
        } finally {
            send.clear();
            recv.clear();
            incomingLast = null;
        }
    }

    private void allreduce(long key, Call call) {
        int bytes = (int) call.bytes();
        calls.begin(key, call, bytes, ways);
        calls.requireBytes(bytes);
        stride = bytes + LINE - 1 & -LINE;
        calls.copyIn(send, 0, calls.buffer.half(0), rank * stride, bytes);
        calls.publish(1);
        int quantum = Slices.quantum(incomingLast.itemBytes());
        int slice = Slices.length(bytes, ranks, quantum);
        int begin = Math.min(rank * slice, bytes);
        int end = Math.min(begin + slice, bytes);
        reserve(quantum);
        calls.awaitAll(1);
        for (at = begin; at < end; at += most) {
            length = Math.min(most, end - at);
            sum(0, term.core(), 0);
            calls.copyIn(partials, 0, calls.buffer.half(1), at, length);
        }
        calls.publish(2);
        copyOut(bytes, slice);
    }

    private void reserve(int quantum) {
        most = Math.max(quantum, PIECE / quantum * quantum);
        int bytes = (term.rounds() + 2) * most;
        if (partial == null || partial.capacity() < bytes) {
            partial = NativeMemory.allocate(bytes);
            partials = Region.of(partial);
        }
    }

    /** Adds up the vectors of so many core numbers from one on, into the partial sum of a level. */
    private void sum(int core, int cores, int level) {
        int into = level * most;
        NativeMemory vectors = calls.buffer.half(0);
        if (cores == 1) {
            int first = term.first(core);
            if (isPair(core)) {
                incomingLast.combine(vectors, (first + 1) * stride + at, length, calls.buffer.region(0),
                    first * stride + at, partials, into);
            } else {
                calls.access().copy(vectors, first * stride + at, partial, into, length);
            }
            return;
        }
        // A vector that is added as it is need not be copied first.
        int half = cores / 2;
        boolean leftAsIs = half == 1 && !isPair(core);
        boolean rightAsIs = half == 1 && !isPair(core + 1);
        if (!leftAsIs) {
            sum(core, half, level);
        }
        if (!rightAsIs) {
            sum(core + half, half, level + 1);
        }
        incomingLast.combine(rightAsIs ? vectors : partial,
            rightAsIs ? term.first(core + 1) * stride + at : into + most, length,
            leftAsIs ? calls.buffer.region(0) : partials, leftAsIs ? term.first(core) * stride + at : into, partials,
            into);
    }

    /** Whether two ranks have this core number. */
    private boolean isPair(int core) {
        return term.first(core + 1) - term.first(core) == 2;
    }

    private void copyOut(int bytes, int slice) {
        NativeMemory sums = calls.buffer.half(1);
        if (recv.isDevice()) {
            calls.awaitAll(2);
            calls.copyOut(sums, 0, recv, 0, bytes);
            return;
        }
        for (int i = 0; i < ranks; i++) {
            int owner = rank + i < ranks ? rank + i : rank + i - ranks;
            int begin = Math.min(owner * slice, bytes);
            calls.await(owner, 2);
            calls.copyOut(sums, begin, recv, begin, Math.min(slice, bytes - begin));
        }
    }
}
