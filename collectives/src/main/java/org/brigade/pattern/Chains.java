package org.brigade.pattern;

/**
 * Knows the best chain from every rank: by a search over what the wires carry, or from a record of one. Deterministic,
 * and the same on all ranks.
 */
public interface Chains {
    /**
     * A chain over all ranks that begins with {@code root}; null if there is nothing better to say than the
     * communicator's order.
     */
    Order from(int root);
}
