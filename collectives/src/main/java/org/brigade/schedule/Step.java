package org.brigade.schedule;

import java.util.List;

/**
 * One data movement of one rank.
 *
 * @param id position in program order over all lanes of the rank, from 0
 * @param peer rank in the communicator; null for local steps
 * @param target what is written; null for SEND
 * @param source what is read; null for RECV. RECV_REDUCE: the local operand
 * @param incomingFirst for reductions: the incoming (REDUCE: the source) values are the left operands
 * @param awaits steps of other lanes that must have run
 */
public record Step(int id, Opcode opcode, Index peer, Slice target, Slice source, boolean incomingFirst,
    List<Await> awaits) implements Node {
    public Step {
        awaits = List.copyOf(awaits);
    }
}
