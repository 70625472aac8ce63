package org.brigade.topology.profile;

import java.util.ArrayList;
import java.util.List;
import org.brigade.pattern.TransferRoute;

/**
 * A transfer from one node of a ring to the next, wherever in the ring: from a GPU's or NUMA node's memory to one of
 * the next node. The memories decide which adapters it uses ({@link NodeLayout#nicFor}), so a ring uses the two
 * adapters of a node that fit its ends.
 *
 * @param from index of the GPU or NUMA node on the sending node
 * @param to index on the receiving node
 */
public record Crossing(boolean fromGpu, int from, boolean toGpu, int to) {
    /** All crossings between nodes of this layout: by the kinds of memory, then by index. */
    public static List<Crossing> all(NodeLayout layout) {
        List<Crossing> all = new ArrayList<>();
        for (int kind = 0; kind < 4; kind++) {
            boolean fromGpu = kind < 2;
            boolean toGpu = kind % 2 == 0;
            for (int from = 0; from < (fromGpu ? layout.gpus() : layout.numaNodes()); from++) {
                for (int to = 0; to < (toGpu ? layout.gpus() : layout.numaNodes()); to++) {
                    all.add(new Crossing(fromGpu, from, toGpu, to));
                }
            }
        }
        return all;
    }

    public TransferType type() {
        return TransferType.inter(fromGpu, toGpu);
    }

    /** This crossing as a hop of a ring or chain. */
    TransferRoute way() {
        return TransferRoute.network(fromGpu ? -1 : from, toGpu ? -1 : to);
    }

    /** This crossing as it enters the node in question. */
    public Transfer head() {
        return new Transfer(type(), Transfer.PREVIOUS, Transfer.HERE, from, to);
    }

    /** This crossing as it leaves the node in question. */
    public Transfer tail() {
        return new Transfer(type(), Transfer.HERE, Transfer.NEXT, from, to);
    }

    /** {@code CPU_GPU_INTER 0>1}. */
    @Override
    public String toString() {
        return type() + " " + from + ">" + to;
    }
}
