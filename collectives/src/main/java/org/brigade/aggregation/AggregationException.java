package org.brigade.aggregation;

/** A network that reduces has refused or failed. Nothing is lost: the ordinary schedules do what it did not. */
public final class AggregationException extends Exception {
    private static final long serialVersionUID = 1;

    private final AggregationStatus status;

    /** @param what was to be done, and where: {@code joining the group at 10.0.0.1:7070} */
    public AggregationException(AggregationStatus status, String what) {
        super(status + ": " + what + ": " + status.words);
        this.status = status;
    }

    public AggregationStatus status() {
        return status;
    }
}
