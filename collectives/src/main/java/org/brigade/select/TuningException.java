package org.brigade.select;

/** A tuning table or a setting cannot be followed: the message says which, where, and the cure. */
public final class TuningException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TuningException(String message) {
        super(message);
    }
}
