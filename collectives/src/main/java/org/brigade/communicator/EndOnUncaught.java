package org.brigade.communicator;

import org.brigade.engine.JobEnd;
import org.brigade.engine.ProcessEnd;
import org.brigade.transport.Endpoint;

/** A rank that throws out of main ends the job, even if other threads would keep its JVM alive. */
final class EndOnUncaught implements Thread.UncaughtExceptionHandler {
    private final Endpoint endpoint;

    private EndOnUncaught(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** For the calling thread, unless the program has a handler of its own. */
    static void install(Endpoint endpoint) {
        Thread thread = Thread.currentThread();
        if (Thread.getDefaultUncaughtExceptionHandler() == null
            && thread.getUncaughtExceptionHandler() == thread.getThreadGroup()) {
            thread.setUncaughtExceptionHandler(new EndOnUncaught(endpoint));
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        thrown.printStackTrace();
        if (ProcessEnd.hasBegun()) {
            return; // whoever exits has said with which code, and the peers hear of it
        }
        JobEnd.abort(endpoint, 1, "threw " + thrown.getClass().getName() + " out of " + thread.getName());
    }
}
