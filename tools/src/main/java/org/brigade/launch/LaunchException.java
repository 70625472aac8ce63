package org.brigade.launch;

/** A job that cannot be started; the message is one sentence that says why and what to do. */
public final class LaunchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LaunchException(String message) {
        super(message);
    }
}
