package org.brigade.engine.fused;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.Scratch;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * Allreduce, reduce and reduce-scatter in a shared buffer ({@link org.brigade.algorithm.MovementAvoidingAlgorithm}).
 * The vector goes through the buffer window by window, each cut into a slice for every rank. In step t of a window rank
 * r adds its part of slice {@code r - t} to the sum that stands there, after rank r - 1, which adds to that slice in
 * the step before. So rank r - 1 adds the last to slice r (a reduce-scatter begins a rank further on, so that rank r
 * adds the last to its own block). Then whoever wants the sums copies them out.
 *
 * <p>
 * A window has n + 1 ticks: n steps, and that this rank needs it no more. The window after the next lies in the same
 * half of the buffer, so it begins when all have left this one.
 */
final class FusedMovementAvoiding {
    /**
     * From this length on, sums are longer than a core's caches: of 16 ranks, 8 MiB took 3.3 ms, past the caches 2.3.
     */
    private static final long PAST_CACHES = 4 << 20;
    private static final int PIECE = 8 << 10;

    private final BufferCalls calls;
    private final int rank;
    private final int ranks;
    private final StoreWays ways;
    private final Region send = new Region();
    private final Region recv = new Region();
    private final Scratch near = new Scratch();
    private final Scratch piece = new Scratch();

    FusedMovementAvoiding(BufferCalls calls) {
        this.calls = calls;
        rank = calls.rank;
        ranks = calls.ranks;
        ways = calls.ways();
    }

    /** Whether slices of items of this length fit into a window. */
    static boolean fits(int itemBytes, int halfBytes, int ranks) {
        return Slices.quantum(itemBytes) <= halfBytes / ranks;
    }

    void run(long key, Call call, Combiner incomingLast) {
        send.wrap(call.send.buffer, call.send.offset);
        recv.wrap(call.recv.buffer, call.recv.offset);
        try {
            calls.begin(key, call, call.bytes(), ways);
            calls.requireBytes(call.bytes());
            Region own = host(call);
            if (call.collective == Collective.REDUCE_SCATTER) {
                reduceScatter(call, own, incomingLast);
            } else {
                reduce(call, own, incomingLast);
            }
            calls.end();
        } catch (RuntimeException | Error failed) {
            throw calls.failed(key, call, failed);
        } finally {
            send.clear();
            recv.clear();
        }
    }

    /** What this rank adds, in memory of the host: each copy from a device takes long, however short. */
    private Region host(Call call) {
        if (!send.isDevice()) {
            return send;
        }
        long bytes = call.send.blocks.span();
        near.reserve(bytes);
        calls.access().copyOwn(near.region, 0, send, 0, bytes);
        return near.region;
    }

    private void reduce(Call call, Region own, Combiner incomingLast) {
        long bytes = call.bytes();
        int quantum = Slices.quantum(incomingLast.itemBytes());
        int most = calls.buffer.half(0).capacity() / quantum * quantum;
        boolean wanted = call.collective == Collective.ALLREDUCE || call.isRoot();
        int number = 0;
        for (long at = 0; at < bytes; at += most, number++) {
            int window = (int) Math.min(most, bytes - at);
            int slice = Slices.length(window, ranks, quantum);
            NativeMemory half = calls.buffer.half(number);
            Region sums = calls.buffer.region(number);
            begin(number);
            long tick = first(number);
            for (int step = 0; step < ranks; step++) {
                int begin = Math.min(before(rank, step) * slice, window);
                int length = Math.min(slice, window - begin);
                add(step, tick, half, sums, begin, length, own, at + begin, sums, begin, incomingLast);
            }
            if (wanted) {
                copyOut(tick, half, at, window, slice, bytes >= PAST_CACHES);
            }
            calls.publish(tick + ranks + 1);
        }
    }

    /** The sums of a window, each when the last rank has added to it; first those that this rank has just written. */
    private void copyOut(long tick, NativeMemory half, long at, int window, int slice, boolean past) {
        if (recv.isDevice()) {
            calls.awaitAll(tick + ranks);
            calls.copyOut(half, 0, recv, at, window);
            return;
        }
        for (int i = 0; i < ranks; i++) {
            int last = before(rank, i);
            int number = last + 1 == ranks ? 0 : last + 1;
            int begin = Math.min(number * slice, window);
            calls.await(last, tick + ranks);
            int length = Math.min(slice, window - begin);
            if (past && length > 0) {
                calls.access().copyOutPast(half, begin, recv, at + begin, length);
            } else {
                calls.copyOut(half, begin, recv, at + begin, length);
            }
        }
    }

    private void reduceScatter(Call call, Region own, Combiner incomingLast) {
        int quantum = Slices.quantum(incomingLast.itemBytes());
        int slice = calls.buffer.half(0).capacity() / ranks / quantum * quantum;
        long longest = call.send.blocks.longest();
        int number = 0;
        for (long at = 0; at < longest; at += slice, number++) {
            NativeMemory half = calls.buffer.half(number);
            Region sums = calls.buffer.region(number);
            begin(number);
            long tick = first(number);
            for (int step = 0; step < ranks; step++) {
                int block = before(rank, step + 1);
                int begin = block * slice;
                int length = (int) Math.max(0, Math.min(slice, call.send.blocks.length(block) - at));
                long from = call.send.blocks.offset(block) + at;
                if (step < ranks - 1) {
                    add(step, tick, half, sums, begin, length, own, from, sums, begin, incomingLast);
                } else if (recv.isDevice()) {
                    add(step, tick, half, sums, begin, length, own, from, sums, begin, incomingLast);
                    calls.copyOut(half, begin, recv, at, length);
                } else {
                    add(step, tick, half, sums, begin, length, own, from, recv, at, incomingLast);
                }
            }
            calls.publish(tick + ranks + 1);
        }
    }

    /** Ticks before those of a window. */
    private long first(long number) {
        return number * (ranks + 1);
    }

    private void begin(int number) {
        if (number >= 2) {
            calls.awaitAll(first(number - 1));
        }
    }

    /** The rank so many ranks before another. */
    private int before(int whose, int distance) {
        int other = whose - distance;
        return other < 0 ? other + ranks : other;
    }

    /** Step 0 begins the sum of a slice, each later one adds to what the rank before has left. */
    private void add(int step, long tick, NativeMemory half, Region sums, int begin, int length, Region own, long from,
        Region target, long targetAt, Combiner incomingLast) {
        if (step == 0) {
            calls.copyIn(own, from, half, begin, length);
        } else {
            calls.await(before(rank, 1), tick + step);
            if (target == sums && calls.goPast()) {
                combinePast(half, begin, length, own, from, incomingLast);
            } else if (length > 0) {
                incomingLast.combine(half, begin, length, own, from, target, targetAt);
            }
        }
        calls.publish(tick + step + 1);
    }

    /** Adds to the sum in the buffer, by pieces that stay in the first cache until they are stored past it. */
    private void combinePast(NativeMemory half, int begin, int length, Region own, long from, Combiner incomingLast) {
        int quantum = Slices.quantum(incomingLast.itemBytes());
        int most = Math.max(PIECE / quantum, 1) * quantum;
        piece.reserve(most);
        for (int at = 0; at < length; at += most) {
            int bytes = Math.min(most, length - at);
            incomingLast.combine(half, begin + at, bytes, own, from + at, piece.region, 0);
            calls.copyIn(piece.region, 0, half, begin + at, bytes);
        }
    }
}
