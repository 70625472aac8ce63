package org.brigade.engine;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.node.CompiledBlocks;
import org.brigade.engine.node.CompiledCall;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.nativ.CompiledExchange;
import org.brigade.op.Combiner;
import org.brigade.waiting.FlightRecorder;

/**
 * Calls of a {@link FusedPull} as compiled code: one native call makes all of a call whose members are there soon. For
 * others Java waits. Under the lock.
 */
public final class CompiledPull {
    private final FusedPull calls;
    private final Progress progress;
    private final FlightRecorder recorder;
    private final CompiledBlocks compiled;
    /** Whether compiled code has served the last call. */
    private boolean served;

    private CompiledPull(FusedPull calls, Progress progress, CompiledBlocks compiled) {
        this.calls = calls;
        this.progress = progress;
        this.compiled = compiled;
        recorder = progress.recorder;
    }

    /** Null without the library. Loads it. */
    static CompiledPull of(FusedPull calls, PulledBlocks blocks, int rank, Progress progress) {
        CompiledBlocks compiled = blocks.compiled(rank, progress.recorder);
        return compiled == null ? null : new CompiledPull(calls, progress, compiled);
    }

    /**
     * Runs a call that has been begun.
     *
     * @param bytes of this rank's block
     * @return false if compiled code cannot serve it, and nothing has been done
     */
    boolean run(long key, Call call, int bytes, boolean inRankOrder, Combiner incomingLast) {
        int part = call.collective == Collective.REDUCE_SCATTER ? calls.partAt(call) : 0;
        served = compiled.takes(call, bytes, calls.send, FusedPull.sendAt(call), calls.recv, part, inRankOrder,
            incomingLast);
        if (!served) {
            return false;
        }
        calls.published(key + 1, false);
        int state = compiled.run(key + 1, FusedPull.what(call.collective, bytes), quickLooks());
        if (state == CompiledExchange.NO_ARRAY) {
            served = false;
            return false;
        }
        if (state >= CompiledExchange.LATE) {
            state = awaitAll(key, call.collective);
        }
        calls.published(key + 1, true);
        if (state == CompiledExchange.UNFINISHED) {
            calls.compare(key, call, bytes);
            calls.finish(call, bytes, inRankOrder, incomingLast);
        }
        compiled.clear();
        return true;
    }

    /** Goes on with a call for which some member's block was not there. */
    private int awaitAll(long key, Collective collective) {
        int looks = quickLooks();
        boolean yields = looks < CompiledExchange.QUICK_LOOKS;
        int state = compiled.end(key + 1, looks, progress.patience(), yields);
        while (state >= CompiledExchange.LATE) {
            int late = state - CompiledExchange.LATE;
            calls.await(late, late + 1, key, collective);
            state = compiled.end(key + 1, looks, progress.patience(), yields);
        }
        return state;
    }

    /** How often compiled code looks for the members of one call at once. */
    private int quickLooks() {
        return progress.looks(CompiledExchange.QUICK_LOOKS);
    }

    // ---- calls that are made again ----

    /** Calls that are made again are counted at this address; 0: nowhere. */
    public void countsAt(long address) {
        compiled.countsAt(address);
    }

    /** How the call that has just returned runs, for {@link #again}; null if compiled code has not served it. */
    public CompiledCall remember(Call call) {
        CompiledCall how = served ? compiled.remember(call) : null;
        if (how != null) {
            int quick = quickLooks();
            how.looks = quick == CompiledExchange.QUICK_LOOKS ? CompiledExchange.SOME_LOOKS : quick;
        }
        return how;
    }

    /**
     * Runs a call that is described as one before (see {@link Call#memo}), and notes it.
     *
     * @param word the first of its entry in the flight recorder
     * @param bytes that the recorder counts
     * @param begun how many calls this rank has begun
     */
    public void again(long key, Call call, CompiledCall how, long word, long bytes, long begun) {
        calls.requireWhole(key, call.collective);
        int entry = recorder.next(bytes);
        int state = compiled.again(how, call, key + 1, how.looks, word, entry, begun);
        if (state == CompiledExchange.DONE) {
            calls.published(key + 1, true);
        } else {
            goOn(state, key, call, how, word, entry);
        }
    }

    /** What remains of such a call that compiled code could not end at once. */
    private void goOn(int begun, long key, Call call, CompiledCall how, long word, int entry) {
        recorder.enter(entry, word, key);
        try {
            if (begun == CompiledExchange.NO_ARRAY) {
                calls.run(key, call, how.inRankOrder, how.incomingLast);
            } else {
                awaitAndFinish(begun, key, call, how);
            }
        } finally {
            compiled.clear();
            recorder.ended(entry);
        }
    }

    private void awaitAndFinish(int begun, long key, Call call, CompiledCall how) {
        try {
            calls.published(key + 1, false);
            int state = begun >= CompiledExchange.LATE ? awaitAll(key, call.collective) : begun;
            calls.published(key + 1, true);
            if (state == CompiledExchange.UNFINISHED) {
                calls.finishAgain(key, call, how.bytes, how.inRankOrder, how.incomingLast);
            }
        } catch (RuntimeException | Error failed) {
            throw calls.peers().failed(key, call.collective, failed);
        }
    }
}
