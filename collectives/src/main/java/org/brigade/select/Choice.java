package org.brigade.select;

import org.brigade.algorithm.Algorithm;

/**
 * What selection decided for calls of one shape.
 *
 * @param algorithm  null if none may run because the user forced one that cannot serve such a call: {@code rule} then is the sentence to throw
 * @param chunkBytes bytes of one window for pipelined algorithms; 0: one window
 * @param radix      branching for algorithms with a tree; 2 for the others
 * @param rule       where the decision comes from, in words: {@code line 17 of shm-default.table: ranks 8.., bytes 256K..4M}
 */
public record Choice(Algorithm algorithm, long chunkBytes, int radix, String rule) {
    /** Whether a call of this shape can run. */
    public boolean served() {
        return algorithm != null;
    }
}
