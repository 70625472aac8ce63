package org.brigade.topology;

/** A topology that cannot be used: the message says which file and line, what is wrong with it, and what to do. */
public final class TopologyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TopologyException(String message) {
        super(message);
    }

    public TopologyException(String message, Throwable cause) {
        super(message, cause);
    }
}
