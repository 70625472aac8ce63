package org.brigade.transport.cuda.kernel;

import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.EdgeList;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.memory.NativeMemory;

/**
 * The second parameter of {@code pairwise}, {@code struct Edges} of pairwise.cu: what this rank sends and receives,
 * block by block. A test compares the offsets with the C++ text.
 */
public final class EdgeArguments {
    static final int OUTS = 0;
    static final int INS = 4;
    static final int OUT_UNITS = 8;
    static final int IN_UNITS = 12;
    static final int OWN = 16;
    static final int RESERVED = 20;
    static final int SEND_BLOCKS = 24;
    static final int RECV_BLOCKS = 56;
    static final int OUT = 88;
    static final int IN = 1112;
    static final int SIZE = 2136;

    static final int EDGE_AT = 0;
    static final int EDGE_BYTES = 8;
    static final int EDGE_PEER = 16;
    static final int EDGE_NUMBER = 20;
    static final int EDGE_UNIT = 24;
    static final int EDGE_SLOT = 28;
    static final int EDGE_SIZE = 32;
    private static final int LONG = -1;

    private final NativeMemory memory;
    private final int struct;
    /** Units in each rank's slot so far. */
    private final int[] slots = new int[CallArguments.MAX_RANKS];

    EdgeArguments(NativeMemory memory, int struct) {
        this.memory = memory;
        this.struct = struct;
    }

    /**
     * Fills it in. Returns the most thread blocks that carry long blocks of one pair.
     *
     * @param most thread blocks of a pair; the same on all members
     */
    public int fill(BlockExchange call, int most) {
        int carriers = 0;
        for (int peer = 0; peer < call.ranks; peer++) {
            int sending = PairwiseKernel.carriers(call.out, peer, most);
            int receiving = PairwiseKernel.carriers(call.in, peer, most);
            putInt(SEND_BLOCKS + 4 * peer, sending);
            putInt(RECV_BLOCKS + 4 * peer, receiving);
            carriers = Math.max(carriers, sending);
        }
        putInt(OUTS, call.out.count());
        putInt(INS, call.in.count());
        putInt(OUT_UNITS, list(call, call.out, OUT));
        putInt(IN_UNITS, list(call, call.in, IN));
        return carriers;
    }

    /**
     * Lists edges from the right neighbour's on, this rank's own last: if all senders began with the same receiver, its
     * link would have to take everything at once. Returns the units of the short ones.
     */
    private int list(BlockExchange call, EdgeList edges, int at) {
        int place = 0;
        int units = 0;
        for (int distance = 1; distance <= call.ranks; distance++) {
            int peer = (call.rank + distance) % call.ranks;
            boolean packets = PairwiseKernel.isShort(edges, peer);
            slots[peer] = 0;
            if (peer == call.rank && at == OUT) {
                putInt(OWN, place);
            }
            for (int edge = 0; edge < edges.count(); edge++) {
                if (edges.peer(edge) == peer) {
                    int entry = at + EDGE_SIZE * place++;
                    int length = packets ? (int) PairwiseKernel.units(edges.bytes(edge)) : 0;
                    memory.putLong(struct + entry + EDGE_AT, edges.at(edge));
                    memory.putLong(struct + entry + EDGE_BYTES, edges.bytes(edge));
                    putInt(entry + EDGE_PEER, peer);
                    putInt(entry + EDGE_NUMBER, edges.number(edge));
                    putInt(entry + EDGE_UNIT, packets ? units : LONG);
                    putInt(entry + EDGE_SLOT, slots[peer]);
                    units += length;
                    slots[peer] += length;
                }
            }
        }
        return units;
    }

    private void putInt(int field, int value) {
        memory.bytes.putInt(struct + field, value);
    }
}
