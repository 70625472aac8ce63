package org.brigade.cli.shared;

/** A benchmark that cannot go on; the message says why, and the cure. */
public final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BenchException(String message) {
        super(message);
    }
}
