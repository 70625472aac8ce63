package org.brigade.verify.straight;

/** Takes what one rank does, operation by operation. */
interface Operations {
    /** Takes nothing. */
    Operations NONE = new Operations() {
    };

    /** A word is published in shared memory. */
    default void published(SymbolicMemory.Place word, long value) {
    }

    /** A word that another rank has published is found. */
    default void found(SymbolicMemory.Place word, long value) {
    }

    default void copied(SymbolicMemory.Place from, SymbolicMemory.Place to, long bytes) {
    }

    /** {@code target = operand op incoming}. */
    default void combined(SymbolicMemory.Place incoming, SymbolicMemory.Place operand, SymbolicMemory.Place target,
        long bytes) {
    }

    default void sent(int peer, int bytes) {
    }

    default void received(int peer, int bytes) {
    }

    /** A message has been received and combined with bytes of this rank. */
    default void folded(int peer, int bytes) {
    }
}
