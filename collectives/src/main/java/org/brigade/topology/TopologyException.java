package org.brigade.topology;

/** A topology that cannot be used: the message names the file and line, the fault, and the cure. */
public final class TopologyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TopologyException(String message) {
        super(message);
    }

    public TopologyException(String message, Throwable cause) {
        super(message, cause);
    }
}
