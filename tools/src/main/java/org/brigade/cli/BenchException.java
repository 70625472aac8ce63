package org.brigade.cli;

/** A benchmark that cannot go on; the message says why and what to do. */
final class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BenchException(String message) {
        super(message);
    }
}
