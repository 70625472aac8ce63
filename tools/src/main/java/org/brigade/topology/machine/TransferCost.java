package org.brigade.topology.machine;

/**
 * What a transfer costs beside its bytes on the wires.
 *
 * @param upTo largest message in bytes that this holds for; {@link Long#MAX_VALUE} in the last of a kind
 * @param startup seconds that the sender is busy before the first byte moves
 * @param latency seconds more until the last byte has arrived, beside those of the links
 * @param most bytes/s that one transfer can reach by this method; infinite if the wires alone decide
 */
public record TransferCost(long upTo, double startup, double latency, double most) {
}
