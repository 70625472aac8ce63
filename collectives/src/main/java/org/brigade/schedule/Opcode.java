package org.brigade.schedule;

/** What a step does. Waits between lanes are not steps: {@link Await}s belong to the step that needs them. */
public enum Opcode {
    /**
     * Sends {@code source} to {@code peer}; null: an empty message, a signal. (Slices without bytes are not sent at
     * all.)
     */
    SEND,
    /** Receives {@code target} from {@code peer}; null: a signal. */
    RECV,
    /** {@code target = source op incoming}, the operands in the order that {@link Step#incomingFirst} says. */
    RECV_REDUCE,
    /** {@code target = source}. */
    COPY,
    /**
     * {@code target = source op target}, or {@code target op source} if {@link Step#incomingFirst} is false; source is
     * the "incoming" side.
     */
    REDUCE
}
