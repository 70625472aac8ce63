package org.brigade.pattern;

/**
 * The best chain from every rank: by a search over the wires, or from a recorded search. Deterministic, and the same on
 * all ranks.
 */
public interface Chains {
    /**
     * A chain over all ranks that begins with {@code root}; null if none is known to be better than the communicator's
     * order.
     */
    Order from(int root);
}
