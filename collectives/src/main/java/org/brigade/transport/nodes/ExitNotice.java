package org.brigade.transport.nodes;

/** Tells the other nodes when the JVM ends. It does not run after SIGKILL. */
final class ExitNotice extends Thread {
    private final NodesEndpoint endpoint;

    ExitNotice(NodesEndpoint endpoint) {
        super("brigade-exit-notice");
        this.endpoint = endpoint;
    }

    @Override
    public void run() {
        endpoint.exiting();
    }

    void cancel() {
        try {
            Runtime.getRuntime().removeShutdownHook(this);
        } catch (IllegalStateException alreadyEnding) {
            // The hook runs already and finds that there is nothing left to tell.
        }
    }
}
