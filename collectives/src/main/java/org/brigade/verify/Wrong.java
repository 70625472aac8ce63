package org.brigade.verify;

/** Ends a symbolic run that has found a fault; the message describes it. */
public final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Wrong(String what) {
        super(what, null, false, false);
    }
}
