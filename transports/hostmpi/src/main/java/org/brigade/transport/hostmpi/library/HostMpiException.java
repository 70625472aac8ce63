package org.brigade.transport.hostmpi.library;

import org.brigade.transport.packet.CarrierException;

/** A failed call into the host's MPI, in that MPI's own words. */
public final class HostMpiException extends CarrierException {
    private static final long serialVersionUID = 1;

    private final int code;

    HostMpiException(String call, int code, String text) {
        super(call + " failed with code " + code + (text == null ? "" : ": " + text));
        this.code = code;
    }

    /** The code that the library returned. */
    public int code() {
        return code;
    }
}
