package org.brigade.aggregation.aggregator;

import java.io.Closeable;
import java.io.IOException;
import org.brigade.aggregation.process.FrameChannel;

/**
 * Where an aggregator's connections come from, and where the one above it is found. One thread, but for {@link #wake}.
 */
interface Acceptor extends Closeable {
    /** Whose door it is. */
    interface Handler {
        /** A connection has come; false if there are too many. */
        boolean enter(FrameChannel channel);

        /** On one there is something to read, or room again to send. */
        void serve(FrameChannel channel);

        /** Something could not be taken that came. */
        void refused(String why);
    }

    /** Waits up to so many milliseconds until there is something to do, and has it done. */
    void look(Handler house, long millis) throws IOException;

    /** Name of the aggregator above; null if there is none. */
    String above();

    /** Begins a connection to it. */
    FrameChannel climb() throws IOException;

    /** Whether nobody will come any more. */
    boolean hasEnded();

    /** Ends a wait. Any thread. */
    void wake();

    @Override
    void close();
}
