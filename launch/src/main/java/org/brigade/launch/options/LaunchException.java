package org.brigade.launch.options;

/** A job that cannot be started; the message is one sentence with the reason and the cure. */
public final class LaunchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LaunchException(String message) {
        super(message);
    }
}
