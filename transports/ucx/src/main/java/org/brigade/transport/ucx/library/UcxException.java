package org.brigade.transport.ucx.library;

import org.brigade.transport.packet.CarrierException;

/** A failed call into UCX, in its own words. */
public final class UcxException extends CarrierException {
    private static final long serialVersionUID = 1;

    /** A status in UCX's words. */
    public static String text(int status) {
        return Ucp.text(status);
    }

    UcxException(String call, int status) {
        super(call + " failed: " + text(status));
    }
}
