package org.brigade.communicator.route;

import mpi.spi.Call;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.execution.Repeat;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;
import org.brigade.waiting.FlightRecorder;

/**
 * A blocking call whose route is known, as calls described alike have run before ({@link Call#memo}). What follows from
 * the description alone is computed once: a JVM that still interprets its calls needs a fifth of the time for them.
 */
final class RepeatedCall {
    private final Routes routes;
    private final Progress progress;
    private final CallSequence sequence;
    private final Membership membership;
    private final int learned;
    private final Repeat repeat;
    private final Choice choice;
    private final long word;
    private final long bytes;

    RepeatedCall(Routes routes, Call call, CallRoute route, Repeat repeat) {
        this.routes = routes;
        this.repeat = repeat;
        progress = routes.progress;
        sequence = routes.sequence;
        membership = routes.membership;
        learned = routes.learned;
        choice = route.choice();
        bytes = Math.max(0, call.bytes());
        word = FlightRecorder.word(call.collective, call.root, call.bytes(), route.recorded);
    }

    /** @return false if the call needs a route of its own; nothing has been done then */
    boolean run(Routes by, Call call) {
        Progress engine = progress;
        engine.lock.lock();
        int noted = FlightRecorder.NONE;
        try {
            if (by != routes || learned != by.learned || membership.isRevoked()) {
                return false;
            }
            long key = sequence.begin(call);
            noted = engine.recorder.enters(word, key, bytes);
            Diagnostics.ran(choice);
            repeat.run(call, key);
            return true;
        } finally {
            if (noted != FlightRecorder.NONE) {
                engine.recorder.ended(noted);
            }
            engine.lock.unlock();
        }
    }
}
