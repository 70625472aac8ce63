// Exchanges of which each rank knows its own part only: alltoallv, gatherv, scatterv, and those among neighbours, of
// whom several may be one rank. Both ends of a pair know what goes from one to the other, so each pair goes its own
// way, and no rank needs to know what the others do:
//
//   short   packets through the receiver's scratch, the edges of a pair one behind the other. One flight of the link
//   long    stores straight into the receiver's recv. A start word, a packet, tells the sender where an edge's block
//           goes; an end word of each of his thread blocks that have a part in it tells the receiver that it is there
//
// A rank is its own peer like any other. Each member has as many thread blocks as its own part wants; those that serve
// a long pair follow from its length alone.
#include "copy.cuh"
#include "packets.cuh"

constexpr int MOST_EDGES = 32;

/** A block that goes to a rank or comes from it. */
struct Edge {
    i64 at, bytes;      // in send or recv
    int peer, number;   // of the edges from one rank to the other, in an order that both know
    // The first of its units of 8 bytes among all short ones of this rank, -1: it is long; and in the pair's packets.
    int unit, slot;
};

/** What one rank sends and receives; transport.cuda.kernel.EdgeArguments mirrors this struct. */
struct Edges {
    int outs, ins;              // edges that carry anything
    int outUnits, inUnits;      // of 8 bytes, in all short edges
    int own;                    // the first edge of out to this rank itself, or outs: those from there on need no link
    int reserved;
    // Thread blocks that store this rank's long edges to a rank, and a rank's to this one; 0 where there are none.
    int sendBlocks[MAX_RANKS];
    int recvBlocks[MAX_RANKS];
    Edge out[MOST_EDGES];
    Edge in[MOST_EDGES];
};

constexpr int UNIT = 8;

/** The short edge that has this unit. */
DEVICE const Edge &edge_of(const Edge *edges, int count, int unit) {
    int found = 0;
    for (int e = 0; e < count; e++) {
        found = edges[e].unit >= 0 && edges[e].unit <= unit ? e : found;
    }
    return edges[found];
}

DEVICE void send_short(Member &member, const Edges &edges) {
    const Call &call = member.call;
    bool met = (call.flags & MET) != 0;
    #pragma unroll 1
    for (int unit = member.first(); unit < edges.outUnits; unit += member.stride()) {
        const Edge &edge = edge_of(edges.out, edges.outs, unit);
        int peer = edge.peer;
        u32 known = met || peer == call.rank ? member.epoch : member.acknowledged(peer);
        i64 at = (i64)(unit - edge.unit) * UNIT;
        Packets<UNIT> packet;
        packet.set(load_own<UNIT>(call.send + edge.at + at, edge.bytes - at), member.flag());
        member.await_parity(peer, known);
        char *slot = packet_slot(call.scratch[peer], member.epoch, call.rank);
        packet.store(slot + 2 * UNIT * (edge.slot + unit - edge.unit));
    }
}

DEVICE void receive_short(Member &member, const Edges &edges) {
    const Call &call = member.call;
    #pragma unroll 1
    for (int unit = member.first(); unit < edges.inUnits; unit += member.stride()) {
        const Edge &edge = edge_of(edges.in, edges.ins, unit);
        i64 at = (i64)(unit - edge.unit) * UNIT;
        const char *slot = packet_slot(member.own, member.epoch, edge.peer) + 2 * UNIT * (edge.slot + unit - edge.unit);
        Packets<UNIT> packet;
        packet.load(slot);
        packet.await(member, slot, member.flag());
        store_own<UNIT>(call.recv + edge.at + at, packet.data(), edge.bytes - at);
    }
}

/** Begins with what goes over links, or, every second thread block, with what stays here: both go on at once. */
DEVICE void send_long(Member &member, const Edges &edges, char *const *targets) {
    const Call &call = member.call;
    int first = (blockIdx.x & 1) != 0 ? edges.own : 0;
    for (int i = 0; i < edges.outs; i++) {
        int e = first + i < edges.outs ? first + i : first + i - edges.outs;
        if (targets[e] != nullptr) {
            const Edge &edge = edges.out[e];
            Part part = part_of_copy(blockIdx.x, edges.sendBlocks[edge.peer], edge.peer == call.rank, edges.own > 0);
            copy_block(targets[e], call.send + edge.at, edge.bytes, part);
        }
    }
}

KERNEL(MAX_PUSH_THREADS) brigade_pairwise(const Call call, const Edges edges) {
    __shared__ char *targets[MOST_EDGES];  // null where this thread block has nothing to store
    Member member(call);
    u32 flag = member.flag();
    int rank = call.rank;
    if ((call.flags & MET) == 0 && blockIdx.x == 0 && threadIdx.x == blockDim.x - 1) {
        member.acknowledge(member.epoch);  // as in send_packets
    }
    for (int e = threadIdx.x; e < edges.ins; e += blockDim.x) {
        const Edge &edge = edges.in[e];
        if (edge.unit < 0 && blockIdx.x == 0) {
            u64 at = (u64)edge.at;
            store_packet(member.start_packet(edge.peer, edge.number, rank), {{(u32)at, flag, (u32)(at >> 32), flag}});
        }
    }
    send_short(member, edges);
    for (int e = threadIdx.x; e < edges.outs; e += blockDim.x) {
        const Edge &edge = edges.out[e];
        char *target = nullptr;
        if (edge.unit < 0 && (int)blockIdx.x < edges.sendBlocks[edge.peer]) {
            Packets<8> start;
            const char *word = member.start_packet(rank, edge.number, edge.peer);
            start.load(word);
            start.await(member, word, flag);
            Bits<8> at = start.data();
            target = member.alone ? nullptr : call.peerRecv[edge.peer] + (i64)(at.w[0] | (u64)at.w[1] << 32);
        }
        targets[e] = target;
    }
    __syncthreads();
    send_long(member, edges, targets);
    receive_short(member, edges);
    __syncthreads();
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if ((int)blockIdx.x < edges.sendBlocks[p]) {
            store_release(member.end_word(p, blockIdx.x, rank), flag);
        }
    }
    for (int p = 0; p < call.ranks; p++) {
        for (int b = member.first(); b < edges.recvBlocks[p]; b += member.stride()) {
            member.await(member.end_word(rank, b, p), flag);
        }
    }
    member.finish();
}
