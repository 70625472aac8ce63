package org.brigade.communicator.execution;

import mpi.spi.Call;
import org.brigade.communicator.call.CallSequence;
import org.brigade.waiting.FlightRecorder;

/** How a runner runs blocking calls that are described alike; see {@link Call#memo}. Under the progress lock. */
public interface Repeat {
    /**
     * Runs one, and notes it in the flight recorder.
     *
     * @param calls gives the key of its messages
     * @param word of {@link FlightRecorder#word}
     * @param bytes of {@link Call#bytes}, 0 or more
     */
    void run(Call call, CallSequence calls, long word, long bytes);
}
