package org.brigade.communicator;

import mpi.spi.Operation;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.failure.AgreementOperation;
import org.brigade.failure.Failures;

/** The calls of one communicator that work when members are lost: ULFM's. */
final class SurvivorCalls {
    private final LinkedJob job;
    private final Progress progress;
    private final Failures failures;
    private final int context;
    private final Membership membership;

    /** @param first the number of the communicator's first call */
    SurvivorCalls(LinkedJob job, int context, long first, Membership membership) {
        this(job, context, first, membership, 0);
    }

    /** @param group between two groups: the context of this rank's own group, which is revoked with it; else 0 */
    SurvivorCalls(LinkedJob job, int context, long first, Membership membership, int group) {
        this.job = job;
        this.progress = job.progress();
        this.failures = job.failures();
        this.context = context;
        this.membership = membership;
        failures.opened(context, first, membership, group);
    }

    void revoke() {
        progress.lock.lock();
        try {
            if (!membership.isRevoked()) {
                failures.revoke(context, membership);
                progress.poll();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    boolean isRevoked() {
        progress.lock.lock();
        try {
            if (!membership.isRevoked()) {
                progress.source().poll();
            }
            return membership.isRevoked();
        } finally {
            progress.lock.unlock();
        }
    }

    /** The processes that are known to be lost. */
    int[] failed() {
        progress.lock.lock();
        try {
            progress.noticeLosses();
            int[] failed = membership.failed(progress.endpoint).clone();
            for (int i = 0; i < failed.length; i++) {
                failed[i] = membership.members[failed[i]];
            }
            return job.numbers(failed);
        } finally {
            progress.lock.unlock();
        }
    }

    int acknowledge(int count) {
        progress.lock.lock();
        try {
            progress.noticeLosses();
            membership.failed(progress.endpoint);
            membership.acknowledge(count);
            return membership.acknowledged();
        } finally {
            progress.lock.unlock();
        }
    }

    Operation agree(String call, int[] flag) {
        return begin(call, flag);
    }

    private AgreementOperation begin(String call, int[] flag, long... offers) {
        progress.lock.lock();
        try {
            return new AgreementOperation(progress, failures, context, membership, call, flag, offers);
        } finally {
            progress.lock.unlock();
        }
    }

    /**
     * Agrees on who is left.
     *
     * @param left receives their ranks
     * @param communicators how many are made of them
     * @return the ids of the new communicators
     */
    long[] shrink(String call, int[][] left, int communicators) {
        long[] offers = new long[communicators];
        for (int i = 0; i < offers.length; i++) {
            offers[i] = job.newContext();
        }
        boolean used = false;
        try {
            AgreementOperation agreement = begin(call, null, offers);
            agreement.await();
            left[0] = agreement.left();
            used = left[0][0] == membership.rank;
            return agreement.offers();
        } finally {
            for (int i = 0; !used && i < offers.length; i++) {
                job.contexts().giveBack(offers[i]);
            }
        }
    }

    /** The communicator is freed. @return the number that its next agreement would have had */
    long free() {
        return failures.closed(context);
    }
}
