package org.brigade.aggregation.aggregator;

import java.io.Closeable;
import java.io.IOException;
import org.brigade.aggregation.process.FrameChannel;

/** Accepts an aggregator's connections, and connects to its parent. One thread, except for {@link #wake}. */
interface Acceptor extends Closeable {
    /** Handles the connections. */
    interface Handler {
        /** A new connection; false if there are too many. */
        boolean enter(FrameChannel channel);

        /** A connection has data to read, or room to send again. */
        void serve(FrameChannel channel);

        /** A connection was refused. */
        void refused(String why);
    }

    /** Waits up to so many milliseconds for events, and passes them to the handler. */
    void look(Handler house, long millis) throws IOException;

    /** Name of the parent aggregator; null if there is none. */
    String above();

    /** Begins a connection to the parent. */
    FrameChannel climb() throws IOException;

    /** Whether no connection will come any more. */
    boolean hasEnded();

    /** Ends a wait. Any thread. */
    void wake();

    @Override
    void close();
}
