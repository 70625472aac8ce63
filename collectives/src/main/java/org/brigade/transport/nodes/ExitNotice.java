package org.brigade.transport.nodes;

/** Runs when the JVM ends in any way but by SIGKILL: tells the other nodes. */
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
            // The hook runs, and finds this rank's last word said.
        }
    }
}
