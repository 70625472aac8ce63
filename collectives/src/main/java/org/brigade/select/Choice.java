package org.brigade.select;

import org.brigade.algorithm.Algorithm;

/**
 * What selection decided for calls of one shape.
 *
 * @param chunkBytes bytes of one window for pipelined algorithms; 0: one window
 * @param radix      branching for algorithms with a tree; 2 for the others
 * @param rule       where the decision comes from, in words: {@code rule 7 of tuning/shm-default.table}
 */
public record Choice(Algorithm algorithm, long chunkBytes, int radix, String rule) {
}
