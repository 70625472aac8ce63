package org.brigade.failure;

import java.util.BitSet;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.brigade.engine.Backoff;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * This rank's part of an agreement: on flags (agree), or on who is left and the context of a new communicator (shrink).
 */
public final class AgreementOperation implements Operation {
    private final Progress progress;
    private final Failures failures;
    private final Membership membership;
    private final String call;
    private final long key;
    private final int[] flag;
    private Ballot result;
    private MPIException failure;

    /**
     * Begins one. Under the progress lock.
     *
     * @param flag combined by AND: the result replaces it. Null: the members that are left are wanted
     * @param offers ids of new communicators; see {@link #offers()}
     */
    public AgreementOperation(Progress progress, Failures failures, int context, Membership membership, String call,
        int[] flag, long... offers) {
        this.progress = progress;
        this.failures = failures;
        this.membership = membership;
        this.call = call;
        this.flag = flag;
        BitSet failed = new BitSet();
        BitSet acknowledged = new BitSet();
        int[] known = membership.failed(progress.endpoint);
        for (int i = 0; i < known.length; i++) {
            failed.set(known[i]);
            acknowledged.set(known[i], i < membership.acknowledged());
        }
        key = failures.begin(context, new Ballot(Ballot.OWN, flag == null ? Ballot.SHRINK : Ballot.AGREE,
            flag == null ? -1 : flag[0], offers, failed, acknowledged));
    }

    @Override
    public boolean test() {
        progress.lock.lock();
        try {
            if (!isDone()) {
                progress.poll();
            }
            boolean done = isDone();
            if (done) {
                raise();
            } else {
                progress.testedInVain();
            }
            return done;
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public void await() {
        progress.lock.lock();
        try {
            finish();
        } finally {
            progress.lock.unlock();
        }
    }

    /** Waits for the end and throws what went wrong. Under the lock, which is released between looks. */
    public void finish() {
        Backoff idle = null;
        while (!isDone()) {
            int missing = idle == null ? -1 : failures.missing(key);
            if (missing >= 0 && !progress.poll()) {
                throw progress.losses.neverComes(call, membership, missing);
            }
            idle = progress.turn(idle, call, Progress.NOBODYS_KEY, null);
        }
        progress.release(idle);
        raise();
    }

    private boolean isDone() {
        if (result == null) {
            result = failures.result(key);
            if (result != null) {
                take();
            }
        }
        return result != null;
    }

    private void take() {
        if (flag != null) {
            flag[0] = result.flags;
        }
        BitSet unknown = (BitSet) result.failed.clone();
        unknown.andNot(result.acknowledged);
        if (result.call == Ballot.DIFFERENT) {
            failure = membership.error(ErrorClass.OTHER, call,
                "some ranks have called agree, and others shrink; all must make the same calls in the same order");
        } else if (flag != null && !unknown.isEmpty()) {
            failure = membership.error(ErrorClass.PROC_FAILED, call,
                membership.called(unknown.nextSetBit(0))
                    + " has died, and not all ranks have acknowledged that; the flag is"
                    + " agreed on all the same: call ackFailed to agree without this error, or shrink");
        }
    }

    private void raise() {
        if (failure != null) {
            MPIException once = failure;
            failure = null;
            throw once;
        }
    }

    /** After the end: the members that are left, as ranks in the communicator, ascending. */
    public int[] left() {
        BitSet left = new BitSet();
        left.set(0, membership.members.length);
        left.andNot(result.failed);
        return left.stream().toArray();
    }

    /** After the end: the offers of the first member that is left. */
    public long[] offers() {
        return result.offers;
    }

    /** Agreements cannot be cancelled. */
    @Override
    public void cancel() {
    }

    @Override
    public void describe(Envelope envelope) {
        envelope.fill(-1, -1, 0, false);
    }
}
