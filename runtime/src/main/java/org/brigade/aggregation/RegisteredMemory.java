package org.brigade.aggregation;

import org.brigade.memory.NativeMemory;

/**
 * Memory that is registered with a network.
 *
 * @param handle the network's own handle; null if it needs none
 */
public record RegisteredMemory(NativeMemory memory, Object handle) {
}
