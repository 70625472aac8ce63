package org.brigade.communicator;

import mpi.spi.Operation;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.failure.AgreementOperation;
import org.brigade.failure.Failures;

/** The calls of one communicator that work when members are lost: ULFM's. */
final class SurvivorCalls {
    private final BrigadeProvider provider;
    private final Progress progress;
    private final Failures failures;
    private final int context;
    private final Membership party;

    /** @param first the number of the communicator's first call */
    SurvivorCalls(BrigadeProvider provider, int context, long first, Membership party) {
        this.provider = provider;
        this.progress = provider.progress();
        this.failures = provider.failures();
        this.context = context;
        this.party = party;
        failures.opened(context, first, party);
    }

    void revoke() {
        progress.lock.lock();
        try {
            if (!party.isRevoked()) {
                failures.revoke(context, party);
                progress.poll();
            }
        } finally {
            progress.lock.unlock();
        }
    }

    boolean isRevoked() {
        progress.lock.lock();
        try {
            if (!party.isRevoked()) {
                progress.source().poll();
            }
            return party.isRevoked();
        } finally {
            progress.lock.unlock();
        }
    }

    int[] failed() {
        progress.lock.lock();
        try {
            progress.noticeLosses();
            return party.failed(progress.endpoint).clone();
        } finally {
            progress.lock.unlock();
        }
    }

    int acknowledge(int count) {
        progress.lock.lock();
        try {
            progress.noticeLosses();
            party.failed(progress.endpoint);
            party.acknowledge(count);
            return party.acknowledged();
        } finally {
            progress.lock.unlock();
        }
    }

    Operation agree(String call, int[] flag) {
        return begin(call, flag, 0);
    }

    private AgreementOperation begin(String call, int[] flag, long offer) {
        progress.lock.lock();
        try {
            return new AgreementOperation(progress, failures, context, party, call, flag, offer);
        } finally {
            progress.lock.unlock();
        }
    }

    /**
     * Agrees on who is left.
     *
     * @param left receives their ranks
     * @return the id of their new communicator
     */
    long shrink(String call, int[][] left) {
        long offer = provider.newContext();
        boolean used = false;
        try {
            AgreementOperation agreement = begin(call, null, offer);
            agreement.await();
            left[0] = agreement.left();
            used = left[0][0] == party.rank;
            return agreement.offer();
        } finally {
            if (!used) {
                provider.contexts.giveBack(offer);
            }
        }
    }

    /** The communicator is freed. @return the number that its next agreement would have had */
    long free() {
        return failures.closed(context);
    }
}
