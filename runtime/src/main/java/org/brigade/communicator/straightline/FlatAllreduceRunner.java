package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.CombinerCache;

/** Runs small allreduces: every rank sends its vector to every other, and folds what comes in rank order. */
final class FlatAllreduceRunner extends FlatRunner {
    FlatAllreduceRunner(Shared shared) {
        super(shared);
    }

    @Override
    public Operation start(Call call, long key) {
        flat.allreducePost(key, call);
        CombinerCache.Pair pair = combiners(call);
        flat.allreduceFold(key, call, pair.incomingLast(), pair.incomingFirst());
        confirm(pair, call, key);
        return null;
    }
}
