package org.brigade.aggregation;

import org.brigade.memory.NativeMemory;

/**
 * Memory that a network knows.
 *
 * @param handle the network's own name for it; null if it needs none
 */
public record RegisteredMemory(NativeMemory memory, Object handle) {
}
