package org.brigade.topology.machine;

/**
 * The cost of a transfer beside its bytes on the wires.
 *
 * @param upTo largest message in bytes; {@link Long#MAX_VALUE} in the last of a kind
 * @param startup seconds that the sender is busy before the first byte moves
 * @param latency seconds more until the last byte has arrived, beside those of the links
 * @param most bytes/s of one transfer by this method; infinite if only the wires limit it
 */
public record TransferCost(long upTo, double startup, double latency, double most) {
}
