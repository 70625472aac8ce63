package org.brigade.communicator.route;

import mpi.spi.Call;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.execution.Repeat;
import org.brigade.engine.Membership;
import org.brigade.engine.ProgressLock;
import org.brigade.select.Choice;
import org.brigade.waiting.FlightRecorder;

/**
 * A blocking call whose route is known, as calls described alike have run before ({@link Call#memo}). What follows from
 * the description alone is computed once: a JVM that still interprets its calls needs a tenth of the time for them.
 */
final class RepeatedCall implements Call.Remembered {
    private final Routes routes;
    private final ProgressLock lock;
    private final CallSequence sequence;
    private final Membership membership;
    private final int learned;
    /** The number of the first call that may take another route. */
    private final long end;
    private final Repeat repeat;
    private final Choice choice;
    private final long word;
    private final long bytes;

    RepeatedCall(Routes routes, Call call, CallRoute route, Repeat repeat) {
        this.routes = routes;
        this.repeat = repeat;
        lock = routes.progress.lock;
        sequence = routes.sequence;
        membership = routes.membership;
        learned = routes.learned;
        end = routes.remembersUntil();
        choice = route.choice();
        bytes = Math.max(0, call.bytes());
        word = FlightRecorder.word(call.collective, call.root, call.bytes(), route.recorded);
    }

    /** Whether these routes remember it. */
    boolean isOf(Routes those) {
        return routes == those;
    }

    @Override
    public boolean again(Call call) {
        lock.lock();
        try {
            if (learned != routes.learned || sequence.number() >= end || membership.isRevoked()) {
                return false;
            }
            Diagnostics.ran(choice);
            repeat.run(call, sequence, word, bytes);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
