package org.brigade.transport.cuda.kernel;

import org.brigade.algorithm.DeviceKernel;
import org.brigade.pattern.CommunicatorTopology;

/**
 * The numberings of one group's members: that of the ring and, if wires have chains of their own, that of the chain
 * from each root. All other kernels run by rank, since they reduce in rank order or exchange between all pairs. A group
 * without known wires has only the scratch of the kernels by rank; otherwise more follows, and no two numberings share
 * a word:
 *
 * <pre>
 *       0     by rank: call.cuh has the layout
 *   64 Mi     the chain from root r at r * 256 Ki from here: a chain uses the epoch and the words beside it,
 *             and the pipelines' words 24.25 Mi further on
 *   66 Mi     the ring, and all chains without orders of their own; the place of its lines, unused, holds the chains'
 *             words
 *  130 Mi
 * </pre>
 */
public final class KernelOrders {
    /** No less than the pipelines' words of one numbering take, and than what it has in front of its packets. */
    public static final long CHAIN_STEP = 256 << 10;
    public static final long CHAINS_AT = CallArguments.SCRATCH_BYTES;
    public static final long RING_AT = CHAINS_AT + CallArguments.MAX_RANKS * CHAIN_STEP;
    /** Where wires say nothing. */
    public static final KernelOrders BY_RANK = new KernelOrders(CommunicatorTopology.NONE, 0, new long[0]);

    private final CommunicatorTopology wires;
    private final int rank;
    private final long[] scratches;
    private final KernelOrder ring;
    /** By root, made when first asked for; null where the ring's order is that of all chains. */
    private final KernelOrder[] chains;

    private KernelOrders(CommunicatorTopology wires, int rank, long[] scratches) {
        this.wires = wires;
        this.rank = rank;
        this.scratches = scratches;
        int ranks = scratches.length;
        ring = wires.isOrdered() ? KernelOrder.of(wires.order(ranks), rank, scratches, RING_AT) : KernelOrder.RANKS;
        chains = wires.hasChains() ? new KernelOrder[ranks] : null;
    }

    /** @param scratches by rank: every member's, as mapped here, of {@link #bytes} each */
    public static KernelOrders of(CommunicatorTopology wires, int rank, long[] scratches) {
        return wires.isOrdered() || wires.hasChains() ? new KernelOrders(wires, rank, scratches) : BY_RANK;
    }

    /** Bytes of each member's scratch. */
    public static long bytes(CommunicatorTopology wires) {
        return wires.isOrdered() || wires.hasChains() ? RING_AT + CallArguments.SCRATCH_BYTES
            : CallArguments.SCRATCH_BYTES;
    }

    /** @param root for a chain */
    public KernelOrder of(DeviceKernel.Order order, int root) {
        return switch (order) {
            case RANKS -> KernelOrder.RANKS;
            case RING -> ring;
            case CHAIN -> chain(root);
        };
    }

    KernelOrder ring() {
        return ring;
    }

    /** Any thread: streams have launches of their own. */
    synchronized KernelOrder chain(int root) {
        if (chains == null) {
            return ring;
        }
        if (chains[root] == null) {
            chains[root] =
                KernelOrder.of(wires.chain(root, scratches.length), rank, scratches, CHAINS_AT + root * CHAIN_STEP);
        }
        return chains[root];
    }
}
