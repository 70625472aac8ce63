package org.brigade.topology.machine;

import java.util.List;

/**
 * How fast the ranks of a node work in memory that they share, as measured: for straight-line code, which does that
 * itself. How late a rank sees a word that another has stored is the latency of the links between their cores.
 *
 * @param entry seconds of a collective call before its first operation
 * @param operation seconds of a copy, a reduction or a short message, beside its bytes
 * @param kernel seconds of a read in another process, beside its bytes
 * @param rates for calls of growing sizes
 */
public record SharedMemoryCosts(double entry, double operation, double kernel, List<Rates> rates) {
    /**
     * Bytes/s of one rank. An operation takes as long as the slowest of what it does.
     *
     * @param upTo largest call in bytes; {@link Long#MAX_VALUE} in the last
     * @param own copies in memory that the rank has written itself
     * @param fetch reads of what another rank has written last
     * @param store stores where another rank has read
     * @param reduce bytes of a result, from operands of its own
     * @param read copies from another process by the kernel
     * @param together what all ranks at a CPU move at once; infinite if that was not measured
     */
    public record Rates(long upTo, double own, double fetch, double store, double reduce, double read,
        double together) {
    }

    public SharedMemoryCosts {
        rates = List.copyOf(rates);
    }

    /** The rates of a call of so many bytes. */
    public Rates of(long bytes) {
        for (Rates each : rates) {
            if (bytes <= each.upTo) {
                return each;
            }
        }
        throw new AssertionError("no rates for " + bytes + " bytes, which the reader checks");
    }
}
