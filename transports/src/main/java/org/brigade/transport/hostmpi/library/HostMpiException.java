package org.brigade.transport.hostmpi.library;

/** A call into the host's MPI that failed, in that MPI's own words. */
public final class HostMpiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;

    HostMpiException(String call, int code, String text) {
        super(call + " failed with code " + code + (text == null ? "" : ": " + text));
        this.code = code;
    }

    /** As the library returned it. */
    public int code() {
        return code;
    }
}
