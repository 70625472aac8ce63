package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.fused.FusedSingleCopy;
import org.brigade.nativ.ProcessMemory;

/**
 * Runs calls on one node by {@link FusedSingleCopy}. The first blocking call that would do so asks whether all members
 * can read each other's memory. If not, another algorithm runs, in this call and later ones.
 */
public final class SingleCopyRunner extends AgreedRunner {
    private final Progress progress;
    private final Membership membership;
    private final PullRunner pull;
    private final Agreement agreement;
    private final CallSequence sequence;
    /** Whether some member cannot read another one's memory. */
    private boolean hopeless;
    /** Null as long as it is not opened. */
    private FusedSingleCopy calls;

    /** @param pull has the slot by which the members tell each other where their blocks lie */
    public SingleCopyRunner(Progress progress, Membership membership, PullRunner pull, Agreement agreement,
        CallSequence sequence) {
        this.progress = progress;
        this.membership = membership;
        this.pull = pull;
        this.agreement = agreement;
        this.sequence = sequence;
    }

    @Override
    boolean isOpen() {
        return calls != null;
    }

    @Override
    boolean mayOpen() {
        return !hopeless;
    }

    @Override
    boolean open() {
        if (!pull.open()) {
            return false;
        }
        hopeless = true;
        // Whoever has answered has offered its memory, so all can be looked for after this.
        if (!all(progress.endpoint.offersMemory())) {
            return false;
        }
        ProcessMemory[] memories = new ProcessMemory[membership.members.length];
        boolean found = true;
        for (int member = 0; member < memories.length; member++) {
            memories[member] = progress.endpoint.memoryOf(membership.members[member]);
            found &= memories[member] != null;
        }
        if (all(found)) {
            calls = new FusedSingleCopy(pull.calls(), memories);
        }
        return calls != null;
    }

    private boolean all(boolean own) {
        long[] yes = {own ? 1 : 0};
        agreement.common(sequence.aside(), yes);
        return yes[0] != 0;
    }

    @Override
    public Operation start(Call call, long key) {
        calls.run(key, call);
        return null;
    }

    /** Whether the last call had to copy more than once, on some member. */
    boolean hasCopied() {
        return calls.hasCopied();
    }
}
