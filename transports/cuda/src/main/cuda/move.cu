// The kernels that move blocks and do not reduce: packets_place, lines_place, put, push and the pipelines of bandwidth_move.cuh, for bcast, allgather(v), alltoall(v), gather(v), scatter(v).
#include "bandwidth_move.cuh"
#include "copy.cuh"
#include "lines.cuh"
#include "resident.cuh"

KERNEL(MAX_THREADS) brigade_packets_place(const Call call) {
    Member member(call);
    place_blocks(member);
}

KERNEL(MAX_THREADS) brigade_lines_place(const Call call) {
    Member member(call);
    place_lines(member);
}

/**
 * Whom this block serves i-th, from 0 on. Each sender begins with its right neighbour, so that no receiver has to take all at once. Every second block of the grid begins with its own rank:
 * copies within the GPU and over the links then go on at the same time.
 */
DEVICE int served(const Call &call, int i) {
    int p = call.rank + i + 1 - (int)(blockIdx.x & 1);
    return p < call.ranks ? p : p - call.ranks;
}

/** This block's share of the same for all targets there are, target(p) or null, which lie at multiples of 16 as the source does. */
template <int RANKS, class Target> DEVICE void copy_to_all(const Call &call, const char *source, i64 bytes, Target target) {
    constexpr int DEEP = 4;
    i64 stride = (i64)gridDim.x * blockDim.x, at = (i64)blockIdx.x * blockDim.x + threadIdx.x, units = bytes >> 4;
    for (; at < units; at += DEEP * stride) {
        Bits<16> held[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            if (at + i * stride < units) {
                held[i] = *(const Bits<16> *)(source + 16 * (at + i * stride));
            }
        }
        // From the right neighbour on, this rank last: if all senders began with the same one, its link would have to take everything at once.
        #pragma unroll
        for (int distance = 1; distance <= RANKS; distance++) {
            int p = call.rank + distance < call.ranks ? call.rank + distance : call.rank + distance - call.ranks;
            if (distance <= call.ranks && target(p) != nullptr) {
                char *to = target(p);
                #pragma unroll
                for (int i = 0; i < DEEP; i++) {
                    if (at + i * stride < units) {
                        *(Bits<16> *)(to + 16 * (at + i * stride)) = held[i];
                    }
                }
            }
        }
    }
    if (blockIdx.x == 0) {
        for (i64 rest = (units << 4) + threadIdx.x; rest < bytes; rest += blockDim.x) {
            for (int p = 0; p < call.ranks; p++) {
                if (target(p) != nullptr) {
                    target(p)[rest] = source[rest];
                }
            }
        }
    }
}

template <class Target> DEVICE void copy_to_all(const Call &call, const char *source, i64 bytes, Target target) {
    if (call.ranks <= 4) {
        copy_to_all<4>(call, source, bytes, target);
    } else {
        copy_to_all<MAX_RANKS>(call, source, bytes, target);
    }
}

/**
 * Blocks of any size, where all have met and hosts are told (Call.told): every sender stores straight into its receivers' recv, and that is all. M bytes once over the link; receivers have
 * no kernel.
 */
KERNEL(MAX_PUSH_THREADS) brigade_put(const Call call) {
    u32 whom = 1u << call.rank;
    u64 addresses = (u64)call.send;
    bool links = false;
    for (int p = 0; p < call.ranks; p++) {
        addresses |= (u64)call.peerRecv[p];
        links |= p != call.rank && call.peerRecv[p] != nullptr;
        whom |= call.peerRecv[p] != nullptr ? 1u << p : 0;
    }
    if ((call.flags & ALIKE) != 0 && (addresses & 15) == 0) {
        copy_to_all(call, call.send, call.bytes, [&](int p) { return call.peerRecv[p]; });
    } else {
        for (int i = 0; i < call.ranks; i++) {
            int p = served(call, i);
            if (call.peerRecv[p] != nullptr) {
                const char *block = call.send + call.sendAt[p];
                i64 bytes = (call.flags & ALIKE) != 0 ? call.bytes : call.sendBytes[p];
                copy_block(call.peerRecv[p], block, bytes, part_of_copy(blockIdx.x, gridDim.x, p == call.rank, links));
            }
        }
    }
    tell_hosts(call, whom);
}

/**
 * Larger blocks: every sender stores straight into its receivers' recv, M bytes once over the link, one rendezvous. A start word, a packet, tells the sender where its block goes;
 * an end word of each of its blocks tells the receiver that it is there. Alltoall in place is not for this: what comes would overwrite what is to go.
 */
KERNEL(MAX_PUSH_THREADS) brigade_push(const Call call) {
    __shared__ char *targets[MAX_RANKS];  // null where nothing goes
    Member member(call);
    u32 flag = member.flag();
    int rank = call.rank, right = rank + 1 < call.ranks ? rank + 1 : 0;
    const char *own = call.send + call.sendAt[rank];
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if (p != rank && call.recvBytes[p] > 0 && blockIdx.x == 0) {
            u64 at = (u64)call.recvAt[p];
            store_packet(member.start_packet(p, 0, rank), {{(u32)at, flag, (u32)(at >> 32), flag}});
        }
    }
    // One thread of the block asks for a peer: if all did, they would be in each other's way at the word.
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        char *place = call.recv + call.recvAt[rank];
        targets[p] = p == rank && call.recvBytes[rank] > 0 && place != own ? place : nullptr;
        if (p != rank && call.sendBytes[p] > 0) {
            Packets<8> start;
            const char *word = member.start_packet(rank, 0, p);
            start.load(word);
            start.await(member, word, flag);
            if (!member.alone) {
                Bits<8> at = start.data();
                targets[p] = call.peerRecv[p] + (i64)(at.w[0] | (u64)at.w[1] << 32);
            }
        }
    }
    __syncthreads();
    const char *block = call.send + call.sendAt[right];
    u64 addresses = (u64)own | (u64)block;
    bool links = false;
    for (int p = 0; p < call.ranks; p++) {
        addresses |= (u64)targets[p];
        links |= p != rank && targets[p] != nullptr;
    }
    if ((call.flags & ALIKE) != 0 && (addresses & 15) == 0) {
        copy_to_all(call, block, call.sendBytes[right], [&](int p) { return targets[p]; });
    } else {
        for (int i = 0; i < call.ranks; i++) {
            int p = served(call, i);
            if (targets[p] != nullptr) {
                copy_block(targets[p], call.send + call.sendAt[p], p == rank ? call.recvBytes[p] : call.sendBytes[p],
                           part_of_copy(blockIdx.x, gridDim.x, p == rank, links));
            }
        }
    }
    __syncthreads();
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if (p != rank && call.sendBytes[p] > 0) {
            store_release(member.end_word(p, blockIdx.x, rank), flag);
        }
    }
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if (p != rank && call.recvBytes[p] > 0) {
            member.await(member.end_word(rank, blockIdx.x, p), flag);
        }
    }
    member.finish();
}

KERNEL(MAX_THREADS) brigade_scatter_allgather(const Call call) { scatter_allgather(call); }
KERNEL(MAX_THREADS) brigade_chain(const Call call) { chain(call); }
KERNEL(MAX_THREADS) brigade_ring(const Call call) { ring_gather(call); }

RESIDENT(brigade_resident, Placing)
