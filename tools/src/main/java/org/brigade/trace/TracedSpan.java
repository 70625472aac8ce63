package org.brigade.trace;

/**
 * Something that took time on one rank.
 *
 * @param name of the call or the stage: {@code allreduce}, {@code wait for irecv}, {@code RECV}
 * @param mode of a collective: {@code blocking}, {@code start}, {@code wait}, {@code prepare}; else empty
 * @param start nanoseconds by rank 0's clock since the trace began
 * @param end likewise
 * @param communicator its name; empty if there is none
 * @param context of its messages, the same on all its ranks
 * @param number of the collective call in its communicator; -1 if it has none
 * @param peer rank of the job; -1 if there is none, or any
 * @param tag of a message
 * @param bytes of the call or the message
 * @param waited nanoseconds of a stage until its first byte moved
 * @param ranks of a collective's communicator
 * @param root of a collective; -1 if it has none
 * @param algorithm of a collective or a stage; empty if it is not known
 * @param detail the algorithm's parameters and the rule that chose it, the members of a communicator, or nothing
 */
record TracedSpan(Kind kind, String name, String mode, long start, long end, String communicator, int context,
    long number, int peer, int tag, long bytes, long waited, int lane, int ranks, int root, String algorithm,
    String detail) {
    /** What was recorded. */
    enum Kind { COLLECTIVE, MESSAGE, STAGE, COMMUNICATOR, WINDOW, PAUSE }

    long nanos() {
        return end - start;
    }

    /** Whether it is a call of the program. */
    boolean isCall() {
        return kind != Kind.STAGE && kind != Kind.PAUSE;
    }

    /** Whether a message of this call goes out. */
    boolean sends() {
        return kind == Kind.MESSAGE && (name.equals("send") || name.equals("isend"));
    }

    /** Whether a message has come in when this call ends. */
    boolean receives() {
        return kind == Kind.MESSAGE && (name.equals("recv") || name.equals("wait for irecv"));
    }

    /** For people: {@code allreduce}, {@code allreduce (wait)}. */
    String words() {
        return mode.isEmpty() || mode.equals("blocking") ? name : name + " (" + mode + ")";
    }
}
