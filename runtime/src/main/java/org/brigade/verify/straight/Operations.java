package org.brigade.verify.straight;

/** Takes what one rank does, operation by operation. */
interface Operations {
    /** Takes nothing. */
    Operations NONE = new Operations() {
    };

    /** A word is published in shared memory. */
    default void published(SymbolicMemory.Place word, Cells.Release release) {
    }

    /** A word that a rank has published is found, and what it has come to then. */
    default void found(SymbolicMemory.Place word, long value, Cells.Release release) {
    }

    /** @param inPeer whether the kernel reads another rank's own memory */
    default void copied(SymbolicMemory.Place from, SymbolicMemory.Place to, long bytes, boolean inPeer) {
    }

    /** {@code target = operand op incoming}. */
    default void combined(SymbolicMemory.Place incoming, SymbolicMemory.Place operand, SymbolicMemory.Place target,
        long bytes) {
    }

    default void sent(int peer, int bytes) {
    }

    /** @param target null if the message has no bytes */
    default void received(int peer, int bytes, SymbolicMemory.Place target) {
    }

    /** A message has been received and combined with bytes of this rank. */
    default void folded(int peer, int bytes, SymbolicMemory.Place target) {
    }
}
