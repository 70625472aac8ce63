package org.brigade.cli.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.ByteSize;
import org.brigade.select.Choice;

/**
 * An algorithm of host memory with its parameters.
 *
 * @param chunk bytes of a window; 0 if it has none
 * @param radix branching; 0 if it has none
 */
record TunedWay(String algorithm, long chunk, int radix) {
    private static final long[] CHUNKS = {16 << 10, 64 << 10, 256 << 10};
    private static final int[] RADICES = {2, 4, 8};

    static TunedWay of(Choice choice) {
        Algorithm algorithm = choice.algorithm();
        return new TunedWay(algorithm.name(), algorithm.pipelined() ? choice.chunkBytes() : 0,
            algorithm.radixed() ? choice.radix() : 0);
    }

    /**
     * All that may serve a call on one machine.
     *
     * @param bytes as the ladder counts them
     * @param bound whether ranks may be on different levels of the machine, which some algorithms need
     */
    static List<TunedWay> all(Collective collective, int ranks, long bytes, boolean bound) {
        return all(collective, ranks, bytes,
            algorithm -> algorithm.wireUse() != WireUse.NETWORK && algorithm.wireUse() != WireUse.MULTICAST
                && (bound || algorithm.wireUse().pointless(CommunicatorTopology.NONE) == null));
    }

    /** All that may serve a call between nodes. @param wires as they are known without measuring */
    static List<TunedWay> between(Collective collective, int ranks, long bytes, CommunicatorTopology wires) {
        return all(collective, ranks, bytes, algorithm -> algorithm.wireUse().pointless(wires) == null
            && algorithm.wireUse() != WireUse.ONE_NODE);
    }

    private static List<TunedWay> all(Collective collective, int ranks, long bytes, Predicate<Algorithm> serves) {
        List<TunedWay> ways = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.of(collective)) {
            if (algorithm.restrictions().violatedBy(ranks, bytes, true) != null || !serves.test(algorithm)) {
                continue;
            }
            for (int radix : radices(algorithm, ranks)) {
                for (long chunk : chunks(algorithm, bytes)) {
                    ways.add(new TunedWay(algorithm.name(), chunk, radix));
                }
            }
        }
        return ways;
    }

    private static int[] radices(Algorithm algorithm, int ranks) {
        int n = 0;
        while (algorithm.radixed() && n < RADICES.length && RADICES[n] <= Math.max(2, ranks)) {
            n++;
        }
        return n == 0 ? new int[1] : Arrays.copyOf(RADICES, n);
    }

    /** A window of the whole message is no pipeline. */
    private static long[] chunks(Algorithm algorithm, long bytes) {
        int n = 0;
        while (algorithm.pipelined() && n < CHUNKS.length && (n == 0 || 2 * CHUNKS[n] <= bytes)) {
            n++;
        }
        return n == 0 ? new long[1] : Arrays.copyOf(CHUNKS, n);
    }

    /** As a rule says it: {@code pipelined-chain chunk 64K}. */
    String words() {
        return algorithm + (chunk > 0 ? " chunk " + ByteSize.compact(chunk) : "")
            + (radix > 0 ? " radix " + radix : "");
    }
}
