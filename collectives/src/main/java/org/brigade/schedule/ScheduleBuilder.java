package org.brigade.schedule;

import java.util.function.Consumer;

/**
 * What authors of algorithms write on: data movement only. Lanes (one that receives and computes, one that sends) and the waits between them
 * are the builder's business: it keeps, for every block, who last wrote it and who has read it since, over all rounds of the loops, and makes a
 * step wait exactly for the steps of the other lane that it depends on.
 */
public interface ScheduleBuilder {
    // ---- operands ----

    /** Cuts the vector into blocks (default 1); to be called first. */
    void split(int blocks);

    Slice send(Index first, int blocks);

    Slice recv(Index first, int blocks);

    /** A stretch of a scratch area; areas are numbered from 0. */
    Slice scratch(int area, Index first, int blocks);

    // ---- steps ----

    void send(int peer, Slice source);

    void send(Index peer, Slice source);

    void receive(int peer, Slice target);

    void receive(Index peer, Slice target);

    /** {@code target = operand op incoming}; {@code incomingFirst}: {@code incoming op operand}. */
    void receiveReduce(Index peer, Slice target, Slice operand, boolean incomingFirst);

    /** {@code target = source}; nothing if the two are the same bytes. */
    void copy(Slice target, Slice source);

    /** {@code target = source op target}, or {@code target op source} unless {@code sourceFirst}. */
    void reduce(Slice target, Slice source, boolean sourceFirst);

    /** An empty message, sent once every {@link #awaitSignal} written before it has been answered. */
    void signal(int peer);

    /** Waits for an empty message. */
    void awaitSignal(int peer);

    // ---- loops ----

    /** Repeats the body for rounds 0 to rounds - 1. */
    void rounds(int rounds, Consumer<Index> body);

    /** Repeats the body for every window of the blocks. */
    void windows(Runnable body);
}
