package org.brigade.transport.packet;

/** A failed call into a carrier's library, in that library's own words. */
public class CarrierException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CarrierException(String message) {
        super(message);
    }
}
