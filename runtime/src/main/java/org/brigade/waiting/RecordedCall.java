package org.brigade.waiting;

/**
 * A call that a {@link FlightRecorder} has kept.
 *
 * @param name of the communicator; empty if it is no longer known
 * @param algorithm that ran it; empty if that is not known
 * @param number of the collective on its communicator, from 0 on; else the tag
 * @param peer or root; -1 if there is none or any
 * @param bytes -1 if the rank alone does not know
 * @param nanos of System.nanoTime, coarsely: when the call began or, if it has, when it returned
 */
public record RecordedCall(String call, int context, String name, String algorithm, int number, boolean collective,
    int peer,
    long bytes, long nanos, boolean returned) {

    static final String REFUSED = "refused";

    /** As in {@code allreduce number 18 of grid, 1024 bytes}; the first call is number 1. */
    public String words() {
        if (context == 0) {
            return call;
        }
        StringBuilder text = new StringBuilder(call);
        if (collective) {
            text.append(" number ").append(CallKey.number(number) + 1);
        }
        String where = name.isEmpty() ? "communicator " + context : name;
        if (call.equals(REFUSED)) {
            return "a call on " + where + " that threw, as its arguments were wrong";
        }
        text.append(" of ").append(where);
        if (peer >= 0) {
            text.append(collective ? ", root " : call.endsWith("send") ? ", to rank " : ", from rank ").append(peer);
        }
        if (!collective) {
            text.append(number < 0 ? ", any tag" : ", tag " + number);
        }
        return bytes < 0 || call.endsWith("barrier") ? text.toString()
            : text.append(", ").append(bytes).append(" bytes").toString();
    }

    /** Whether another call differs by its number and its time alone. */
    boolean repeats(RecordedCall before) {
        return collective && before.collective && call.equals(before.call) && context == before.context
            && peer == before.peer && bytes == before.bytes;
    }
}
