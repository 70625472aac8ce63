package org.brigade.engine.job;

import org.brigade.interrupt.ProcessEnd;
import org.brigade.transport.Endpoint;

/** Ends the job when this rank throws out of main, even if other threads would keep the JVM alive. */
public final class EndOnUncaught implements Thread.UncaughtExceptionHandler {
    private final Endpoint endpoint;

    private EndOnUncaught(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Installs it for the calling thread, unless the program has its own handler. */
    public static void install(Endpoint endpoint) {
        Thread thread = Thread.currentThread();
        if (Thread.getDefaultUncaughtExceptionHandler() == null
            && thread.getUncaughtExceptionHandler() == thread.getThreadGroup()) {
            thread.setUncaughtExceptionHandler(new EndOnUncaught(endpoint));
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        try {
            // As without this handler: the default handler if there is one, else the stack is printed.
            thread.getThreadGroup().uncaughtException(thread, thrown);
        } catch (RuntimeException | Error failed) {
            failed.printStackTrace();
        }
        if (ProcessEnd.hasBegun()) {
            return; // the thread that exits has set the exit code, and the peers are told
        }
        JobEnd.threw(endpoint, "threw " + thrown.getClass().getName() + " out of " + thread.getName());
    }
}
