package org.brigade.select;

import org.brigade.algorithm.Algorithm;

/**
 * The decision for calls of one shape.
 *
 * @param algorithm null if the user forced one that cannot serve such a call: {@code rule} then is the message to throw
 * @param chunkBytes bytes of one window for pipelined algorithms; 0: one window, on device memory the launch's own
 * choice
 * @param radix branching for algorithms with a tree; 2 for the others
 * @param blocks thread blocks of a kernel; 0: the launch's own choice
 * @param sharePercent percentage of the bytes that goes through host memory, 0 to 50
 * @param wired whether knowing more about the wires might change the choice, or the schedule
 * @param rule what made the decision, in words: {@code line 17 of shm-default.table: ranks 8.., bytes 256K..4M}
 */
public record Choice(Algorithm algorithm, long chunkBytes, int radix, int blocks, int sharePercent, boolean wired,
    String rule) {
    /** A choice that does not depend on wires. */
    public Choice(Algorithm algorithm, long chunkBytes, int radix, int blocks, int sharePercent, String rule) {
        this(algorithm, chunkBytes, radix, blocks, sharePercent, false, rule);
    }

    /** Begins the rule of a choice that the user has made. */
    static final String FORCED = "forced by ";

    /** Whether a setting names the algorithm. */
    public boolean isForced() {
        return rule.startsWith(FORCED);
    }

    /** Whether a call of this shape can run. */
    public boolean served() {
        return algorithm != null;
    }

    /** Whether a call on device memory is staged through host memory. */
    public boolean staged() {
        return algorithm.staged();
    }

    /**
     * The algorithm with the parameters that it uses, for people: {@code knomial radix 4},
     * {@code chain, chunk 1 MiB, 10 % through host memory}.
     */
    public String words() {
        return algorithm.name() + (algorithm.radixed() ? " radix " + radix : "")
            + (chunkBytes > 0 ? ", chunk " + ByteSize.words(chunkBytes) : "")
            + (blocks > 0 ? ", " + blocks + (blocks == 1 ? " block" : " blocks") : "")
            + (sharePercent > 0 ? ", " + sharePercent + " % through host memory" : "");
    }

    boolean sameAs(Choice other) {
        return algorithm == other.algorithm && chunkBytes == other.chunkBytes && radix == other.radix
            && blocks == other.blocks
            && sharePercent == other.sharePercent && wired == other.wired && rule.equals(other.rule);
    }
}
