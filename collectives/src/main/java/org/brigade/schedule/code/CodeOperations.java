package org.brigade.schedule.code;

import java.util.List;

/**
 * What straight-line code does in one call: the operations of every rank, in its own order. They are to such code what
 * a schedule is to the engine: the simulator times them, and {@link #text} prints them.
 *
 * @param algorithm its collective and name
 * @param root -1 if the collective has none
 * @param bytes the vector, one rank's block, or the whole of allgatherv's result and of reduce-scatter's input
 * @param ranks by rank
 */
public record CodeOperations(String algorithm, int root, long bytes, List<List<MemoryOperation>> ranks) {
    /** One rank's operations, a line for each; what repeats is folded. */
    public List<String> lines(int rank) {
        return new FoldedLines(ranks.get(rank).stream().map(MemoryOperation::toString).toList()).lines();
    }

    /** One rank's operations as text. */
    public String text(int rank) {
        StringBuilder text = new StringBuilder();
        text.append(algorithm).append(", rank ").append(rank).append(" of ").append(ranks.size());
        if (root >= 0) {
            text.append(", root ").append(root);
        }
        text.append(": ").append(ranks.get(rank).size()).append(" operations\n");
        for (String line : lines(rank)) {
            text.append("    ").append(line).append('\n');
        }
        return text.toString();
    }

    /** Number of messages, and of words that are published. */
    public long signals() {
        return ranks.stream().flatMap(List::stream).filter(operation -> operation.kind() == MemoryOperation.Kind.SEND
            || operation.kind() == MemoryOperation.Kind.PUBLISH).count();
    }

    @Override
    public String toString() {
        return algorithm + " of " + bytes + " bytes on " + ranks.size() + " ranks";
    }
}
