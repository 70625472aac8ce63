package org.brigade.communicator.straightline;

import mpi.spi.Call;
import org.brigade.communicator.execution.Runner;

/**
 * A runner of blocking calls that needs something which all members must have: a slot, memory, a multicast. They ask
 * each other in the first call that would use it. If one has none, they ask again, ever more seldom ({@link Attempts}),
 * unless that is hopeless.
 */
abstract class AgreedRunner implements Runner {
    private final Attempts attempts;

    AgreedRunner() {
        this(new Attempts());
    }

    /** @param other needs the same thing: they ask together */
    AgreedRunner(AgreedRunner other) {
        this(other.attempts);
    }

    /** @param attempts those of all runners that need the same thing */
    AgreedRunner(Attempts attempts) {
        this.attempts = attempts;
    }

    /** Whether all members have it. */
    abstract boolean isOpen();

    /** Gets it, together with all members. @return whether all have it; the same answer on all members */
    abstract boolean open();

    /** Whether asking could help; the same answer on all members. */
    boolean mayOpen() {
        return true;
    }

    /** Whether it will do for a call; the same answer on all members. */
    boolean fits(Call call) {
        return true;
    }

    @Override
    public final Offer offer(Call call) {
        if (!call.blocking || call.ranks == 1) {
            return Offer.NO;
        }
        if (isOpen()) {
            return fits(call) ? Offer.YES : Offer.NO;
        }
        return mayOpen() && attempts.isDue() ? Offer.ASK : Offer.NO;
    }

    @Override
    public final boolean agree(Call call) {
        return open() && fits(call);
    }
}
