package org.brigade.verify.straight;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/** Adds terms. */
final class SymbolicCombiner implements Combiner {
    private final SymbolicMemory memory;
    private final int rank;
    private final int itemBytes;
    private final boolean incomingFirst;
    private final Operations operations;

    SymbolicCombiner(SymbolicMemory memory, int rank, int itemBytes, boolean incomingFirst, Operations operations) {
        this.memory = memory;
        this.rank = rank;
        this.itemBytes = itemBytes;
        this.incomingFirst = incomingFirst;
        this.operations = operations;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt,
        Region target, long targetAt) {
        if (bytes > 0) {
            SymbolicMemory.Place from = memory.place(incoming, incomingAt, rank);
            combine(memory.read(rank, from, bytes), operand, operandAt, target, targetAt);
            operations.combined(from, memory.place(operand, operandAt, rank), memory.place(target, targetAt, rank),
                bytes);
        }
    }

    /** The same with terms that have come in a message. */
    void combine(int[] incoming, Region operand, long operandAt, Region target, long targetAt) {
        if (incoming.length == 0) {
            return;
        }
        int bytes = incoming.length * memory.granule;
        int[] terms = memory.read(rank, memory.place(operand, operandAt, rank), bytes);
        for (int i = 0; i < terms.length; i++) {
            terms[i] = incomingFirst ? memory.terms.sum(incoming[i], terms[i])
                : memory.terms.sum(terms[i], incoming[i]);
        }
        memory.write(rank, memory.place(target, targetAt, rank), terms);
    }

    @Override
    public int itemBytes() {
        return itemBytes;
    }
}
