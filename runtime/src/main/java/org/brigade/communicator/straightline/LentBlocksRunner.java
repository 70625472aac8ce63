package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.execution.Runner;

/**
 * Runs calls by a {@link SingleCopyRunner} as long as all members' blocks lie outside the heap. Blocks of arrays are
 * copied at both ends, which takes longer than to send them: 16 ranks on an H200's host exchanged blocks of 12 KiB in
 * 121 us, and in 57 by {@code pairwise} (direct buffers 42 and 61). After such a call the next ones go by another
 * algorithm; then one tries again.
 */
public final class LentBlocksRunner implements Runner {
    private static final int PAUSE = 1024;

    private final SingleCopyRunner calls;
    /** How many calls are left to another algorithm. All members count alike, as all see whether somebody copies. */
    private int left;

    public LentBlocksRunner(SingleCopyRunner calls) {
        this.calls = calls;
    }

    @Override
    public Offer offer(Call call) {
        Offer offer = calls.offer(call);
        if (offer == Offer.YES && left > 0) {
            left--;
            return Offer.NO;
        }
        return offer;
    }

    @Override
    public boolean agree(Call call) {
        return calls.agree(call);
    }

    @Override
    public Operation start(Call call, long key) {
        try {
            return calls.start(call, key);
        } finally { // a call may fail on some members only
            left = calls.hasCopied() ? PAUSE : 0;
        }
    }
}
