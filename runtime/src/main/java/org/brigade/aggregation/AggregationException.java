package org.brigade.aggregation;

/** A reducing network has refused or failed. No data is lost: the ordinary schedules do the call instead. */
public final class AggregationException extends Exception {
    private static final long serialVersionUID = 1;

    private final AggregationStatus status;

    /** @param what the action and its place: {@code joining the group at 10.0.0.1:7070} */
    public AggregationException(AggregationStatus status, String what) {
        super(status + ": " + what + ": " + status.words);
        this.status = status;
    }

    public AggregationStatus status() {
        return status;
    }
}
