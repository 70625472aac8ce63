package org.brigade.transport.nodes;

/**
 * Tells the other nodes when the JVM ends. It does not run after SIGKILL. The program's own hooks run at the same time,
 * and may still communicate. So a daemon thread says again and again that this process is ending: such threads run
 * until it is gone, and the others take its silence for that.
 */
final class ExitNotice extends Thread {
    private static final long INTERVAL_MILLIS = 100;

    private final NodesEndpoint endpoint;

    ExitNotice(NodesEndpoint endpoint) {
        super("brigade-exit-notice");
        this.endpoint = endpoint;
    }

    @Override
    public void run() {
        if (endpoint.pulse()) {
            Thread pulse = new Thread("brigade-exit-pulse") {
                @Override
                public void run() {
                    while (endpoint.pulse()) {
                        pause();
                    }
                }
            };
            pulse.setDaemon(true);
            pulse.start();
        }
    }

    private static void pause() {
        try {
            sleep(INTERVAL_MILLIS);
        } catch (InterruptedException e) {
            // Only the process's end ends it.
        }
    }

    void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(this);
        } catch (IllegalStateException alreadyEnding) {
            // The hook runs already and finds that there is nothing left to tell.
        }
    }
}
