package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Counts;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.algorithm.FusedAlgorithm;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.fused.FusedBlocks;
import org.brigade.select.Choice;

/**
 * Runs small calls of the collectives that move blocks, and reduces: each block goes straight to the rank that needs
 * it. Data in device memory are copied by the schedule.
 */
final class FlatBlocksRunner extends FlatRunner {
    private final FusedBlocks blocks;

    FlatBlocksRunner(Shared shared) {
        super(shared);
        blocks = new FusedBlocks(flat, shared.membership());
    }

    @Override
    public boolean takesBlocking() {
        return false;
    }

    @Override
    public Offer offer(Call call) {
        return call.blocking && !call.isOnDevice() && isShort(call) ? Offer.YES : Offer.NO;
    }

    /**
     * Whether this rank's messages are short. Where ranks know only their own counts the table has not asked; others
     * may run the schedule meanwhile, as that sends the same messages.
     */
    private static boolean isShort(Call call) {
        return call.collective.counts != Counts.LOCAL
            || Math.max(call.send.blocks.longest(), call.recv.blocks.longest()) <= FusedAlgorithm.MOST_BYTES_OF_OWN;
    }

    @Override
    public Operation start(Call call, long key) {
        if (call.op == null) {
            blocks.run(key, call, null, null);
            return null;
        }
        CombinerCache.Pair pair = combiners(call);
        blocks.run(key, call, pair.incomingLast(), pair.incomingFirst());
        confirm(pair, call, key);
        return null;
    }

    /** Its starts run by the schedule. */
    @Override
    public PersistentOperation prepare(Call call, Choice choice, CallSequence starts, Runnable atEnd) {
        return null;
    }
}
