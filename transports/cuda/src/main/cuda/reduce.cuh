// The kernels that reduce, for any type and operation: packets, lines, pull, two-shot. Contributions are folded in rank order, ((0 + 1) + 2) + 3, on whichever rank it is done: results are
// bit-identical on all ranks and in all runs, and those of the host's direct exchange.
#pragma once

#include "bandwidth_reduce.cuh"
#include "fold.cuh"
#include "lines.cuh"
#include "resident.cuh"

#ifdef BRIGADE_SOFTWARE
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // of what only the first contribution sets: there is one
#endif

/** Small messages: every rank folds for itself what all send it. */
template <class Fold, int RANKS> DEVICE void reduce_packets(Member &member) {
    constexpr int UNIT = sizeof(typename Fold::Item) > 8 ? 16 : 8;
    const Call &call = member.call;
    int first = member.first(), stride = member.stride();
    send_packets<UNIT, RANKS>(member, first, stride);
    bool own_by_packet = (call.flags & OVERLAPS) != 0;
    int bytes = 0;
    #pragma unroll
    for (int p = 0; p < RANKS; p++) {
        if (is_rank<RANKS>(call, p) && call.recvBytes[p] > 0) {
            bytes = (int)call.recvBytes[p];
        }
    }
    bool own_by_load = call.recvBytes[call.rank] > 0 && !own_by_packet;
    const char *own = call.send + call.sendAt[call.rank];
    char *slots = packet_slot(member.own, member.epoch, 0);
    for (int at = first * UNIT; at < bytes; at += stride * UNIT) {
        Packets<UNIT> packets[RANKS];
        #pragma unroll
        for (int p = 0; p < RANKS; p++) {
            if (is_rank<RANKS>(call, p) && call.recvBytes[p] > 0 && (p != call.rank || own_by_packet)) {
                packets[p].load(slots + p * PACKET_SLOT_BYTES + 2 * at);
            }
        }
        Bits<UNIT> mine;
        if (own_by_load) {
            mine = load_own<UNIT>(own + at, bytes - at);
        }
        Folding<Fold, UNIT> folding;
        bool begun = false;
        #pragma unroll
        for (int p = 0; p < RANKS; p++) {
            if (is_rank<RANKS>(call, p) && call.recvBytes[p] > 0) {
                Bits<UNIT> data;
                if (p == call.rank && own_by_load) {
                    data = mine;
                } else {
                    packets[p].await(member, slots + p * PACKET_SLOT_BYTES + 2 * at, member.flag());
                    data = packets[p].data();
                }
                if (begun) {
                    folding.next(data);
                } else {
                    folding.first(data);
                }
                begun = true;
            }
        }
        store_own<UNIT>(call.recv + at, folding.result(), bytes - at);
    }
    member.finish();
}

template <class Fold> DEVICE void reduce_packets(Member &member) {
    if (!exchange_even<Fold>(member)) {
        reduce_packets<Fold, MAX_RANKS>(member);
    }
}

/** Writes results into one vector, or the same into all members'. */
struct ToOne {
    char *target;
    DEVICE void whole(i64 at, const Bits<16> &bits) const { *(Bits<16> *)(target + at) = bits; }
    DEVICE void part(i64 at, const Bits<16> &bits, int length) const { scatter<16>(target + at, bits, length); }
};

struct ToAll {
    const Call &call;
    DEVICE void whole(i64 at, const Bits<16> &bits) const {
        // From the right neighbour on: if all began with the same one, its link would have to take everything at once.
        #pragma unroll
        for (int i = 1; i <= MAX_RANKS; i++) {
            if (i <= call.ranks) {
                int p = call.rank + i < call.ranks ? call.rank + i : call.rank + i - call.ranks;
                *(Bits<16> *)(call.peerRecv[p] + at) = bits;
            }
        }
    }
    DEVICE void part(i64 at, const Bits<16> &bits, int length) const {
        #pragma unroll 1
        for (int p = 0; p < call.ranks; p++) {
            scatter<16>(call.peerRecv[p] + at, bits, length);
        }
    }
};

/** Loads in flight of a thread that pulls, 16 bytes each. */
constexpr int PULLS = 8;

/** How many units of 16 bytes a thread of a pull takes at a time: as many as fill its loads, or fewer if that leaves others without work. Tiles of a block are so many units wide. */
DEVICE int pull_width(const Call &call, i64 units) {
    int wide = PULLS >> (call.ranks <= 2 ? 1 : call.ranks <= 4 ? 2 : 3);
    while (wide > 1 && (i64)(gridDim.x * blockDim.x) * (wide - 1) >= units) {
        wide--;
    }
    return wide;
}

/**
 * Folds the bytes [begin, end) of what all contributors have at source(p), and gives the results to write. aligned: all sources and targets
 * lie at multiples of 16, as begin does.
 */
template <class Fold, class Source, class Write> DEVICE void pull_and_fold(const Call &call, i64 begin, i64 end, bool aligned, Source source, Write write) {
    if (end <= begin) {
        return;
    }
    int shift = call.ranks <= 2 ? 1 : call.ranks <= 4 ? 2 : 3;
    i64 units = (end - begin + 15) >> 4;
    int wide = pull_width(call, units);
    i64 tile = (i64)blockDim.x * wide;
    for (i64 start = blockIdx.x * tile; start < units; start += gridDim.x * tile) {
        i64 at = begin + ((start + threadIdx.x) << 4);
        i64 step = (i64)blockDim.x << 4;
        if (aligned && at + (wide - 1) * step + 16 <= end) {
            Bits<16> held[PULLS];
            #pragma unroll
            for (int s = 0; s < PULLS; s++) {
                int p = s & ((1 << shift) - 1), u = s >> shift;
                if (u < wide && p < call.ranks && call.recvBytes[p] > 0) {
                    held[s] = load_peer(source(p) + at + u * step);
                }
            }
            Folding<Fold, 16> folding;
            bool begun = false;
            #pragma unroll
            for (int s = 0; s < PULLS; s++) {
                int p = s & ((1 << shift) - 1), u = s >> shift;
                if (u < wide && p < call.ranks && call.recvBytes[p] > 0) {
                    if (begun) {
                        folding.next(held[s]);
                    } else {
                        folding.first(held[s]);
                    }
                    begun = true;
                }
                if (p == (1 << shift) - 1 && begun) {
                    write.whole(at + u * step, folding.result());
                    begun = false;
                }
            }
        } else {
            for (int u = 0; u < wide; u++, at += step) {
                if (at < end) {
                    int length = end - at < 16 ? (int)(end - at) : 16;
                    Folding<Fold, 16> folding;
                    bool begun = false;
                    for (int p = 0; p < call.ranks; p++) {
                        if (call.recvBytes[p] > 0) {
                            Bits<16> bits = gather<16>(source(p) + at, length);
                            if (begun) {
                                folding.next(bits);
                            } else {
                                folding.first(bits);
                            }
                            begun = true;
                        }
                    }
                    if (begun) {
                        write.part(at, folding.result(), length);
                    }
                }
            }
        }
    }
}

/**
 * Reduce, reduce-scatter, scan and exscan: who owns a result loads every contribution from its owner's send and folds.
 *
 * A start word says: my send is ready; an end word: this block is done reading. Where a member writes over what others read (in place), results wait in its scratch until all blocks of all
 * readers are done: up to PIPELINES_BYTES. Where hosts are told there are no such words; then nobody writes over what others read.
 */
template <class Fold> DEVICE void reduce_pull(const Call &call) {
    Member member(call);
    u32 flag = member.flag();
    i64 bytes = 0, addresses = 0;
    bool read_by_others = false;
    for (int p = 0; p < call.ranks; p++) {
        if (call.recvBytes[p] > 0) {
            bytes = call.recvBytes[p];
            addresses |= (i64)(call.peerSend[p] + call.sendAt[call.rank]);
        }
        read_by_others |= p != call.rank && call.sendBytes[p] > 0;
    }
    bool told = call.told != nullptr, aside = !told && (call.flags & IN_PLACE) != 0 && read_by_others;
    for (int p = threadIdx.x; p < call.ranks && !told; p += blockDim.x) {
        if (p != call.rank && call.sendBytes[p] > 0 && blockIdx.x == 0) {
            store_relaxed(member.start_word(p, 0, call.rank), flag);
        }
        if (p != call.rank && call.recvBytes[p] > 0) {
            member.await(member.start_word(call.rank, 0, p), flag);
        }
    }
    __syncthreads();
    char *target = aside ? member.own + PIPELINES_AT : call.recv;
    bool aligned = ((addresses | (i64)target) & 15) == 0;
    i64 mine = call.sendAt[call.rank];
    pull_and_fold<Fold>(call, 0, bytes, aligned, [&](int p) { return (const char *)call.peerSend[p] + mine; },
                        ToOne{target});
    if (told) {
        u32 whom = 1u << call.rank;
        for (int p = 0; p < call.ranks; p++) {
            whom |= call.recvBytes[p] > 0 ? 1u << p : 0;
        }
        tell_hosts(call, whom);
        return;
    }
    __syncthreads();
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if (p != call.rank && call.recvBytes[p] > 0) {
            store_release(member.end_word(p, blockIdx.x, call.rank), flag);
        }
    }
    // In place another block's reader may be reading what this block writes.
    int blocks = aside ? (int)gridDim.x : 1;
    for (int i = threadIdx.x; i < blocks * MAX_RANKS; i += blockDim.x) {
        int p = i % MAX_RANKS, block = aside ? i / MAX_RANKS : (int)blockIdx.x;
        if (p != call.rank && p < call.ranks && call.sendBytes[p] > 0) {
            member.await(member.end_word(call.rank, block, p), flag);
        }
    }
    if (aside && bytes > 0) {
        __syncthreads();
        // Each thread what it has put there itself.
        i64 units = (bytes + 15) >> 4;
        i64 tile = (i64)blockDim.x * pull_width(call, units);
        for (i64 start = blockIdx.x * tile; start < units; start += gridDim.x * tile) {
            for (i64 unit = start + threadIdx.x; unit < start + tile && unit < units; unit += blockDim.x) {
                i64 at = unit << 4;
                store_own<16>(call.recv + at, load_own<16>(target + at, bytes - at), bytes - at);
            }
        }
    }
    member.finish();
}

/**
 * Allreduce in two shots: every rank pulls its slice of every vector, folds it, and pushes the result into all. One launch, 2 (n - 1) / n M bytes in and out of each rank. In place is safe,
 * since nobody else reads or writes the slice, and each thread reads all of a position before it writes any.
 */
template <class Fold> DEVICE void reduce_two_shot(const Call &call) {
    Member member(call);
    u32 flag = member.flag();
    i64 bytes = call.recvBytes[call.rank], addresses = 0;
    for (int p = 0; p < call.ranks; p++) {
        addresses |= (i64)call.peerSend[p] | (i64)call.peerRecv[p];
    }
    bool told = call.told != nullptr;
    for (int p = threadIdx.x; p < call.ranks && !told; p += blockDim.x) {
        if (p != call.rank) {
            if (blockIdx.x == 0) {
                store_relaxed(member.start_word(p, 0, call.rank), flag);
            }
            member.await(member.start_word(call.rank, 0, p), flag);
        }
    }
    __syncthreads();
    i64 slice = ((bytes + call.ranks - 1) / call.ranks + 127) & ~127ll;
    i64 begin = call.rank * slice, end = begin + slice < bytes ? begin + slice : bytes;
    pull_and_fold<Fold>(call, begin, end, (addresses & 15) == 0, [&](int p) { return (const char *)call.peerSend[p]; },
                        ToAll{call});
    if (told) {
        tell_hosts(call, (1u << call.ranks) - 1);
        return;
    }
    __syncthreads();
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if (p != call.rank) {
            store_release(member.end_word(p, blockIdx.x, call.rank), flag);
        }
    }
    for (int p = threadIdx.x; p < call.ranks; p += blockDim.x) {
        if (p != call.rank) {
            member.await(member.end_word(call.rank, blockIdx.x, p), flag);
        }
    }
    member.finish();
}

template <class Fold> DEVICE void reduce_packets(const Call &call) {
    Member member(call);
    reduce_packets<Fold>(member);
}

/** The reduction of a module's type that an operation stands for. */
template <int OPERATION> struct Reduction { static constexpr bool THERE = false; };

template <int OPERATION> DEVICE void reduce_packets(int operation, Member &member) {
    if constexpr (Reduction<OPERATION>::THERE) {
        if (operation == OPERATION) {
            reduce_packets<Reduction<OPERATION>>(member);
        }
    }
    if constexpr (OPERATION > 0) {
        reduce_packets<OPERATION - 1>(operation, member);
    }
}

/** All that a resident kernel of a type does. */
struct Reducing {
    static DEVICE void serve(int operation, Member &member) {
        if (operation == OP_PLACE) {
            place_blocks(member);
        } else {
            reduce_packets<OPERATIONS - 1>(operation, member);
        }
    }
};

#define REDUCTION(op, type, Fold)                                                                                \
    template <> struct Reduction<OP_##op> : Fold { static constexpr bool THERE = true; };                        \
    KERNEL(MAX_THREADS) brigade_packets_##op##_##type(const Call call) { reduce_packets<Fold>(call); }           \
    KERNEL(MAX_THREADS) brigade_lines_##op##_##type(const Call call) { reduce_lines<Fold>(call); }               \
    KERNEL(MAX_THREADS) brigade_pull_##op##_##type(const Call call) { reduce_pull<Fold>(call); }                 \
    KERNEL(MAX_THREADS) brigade_two_shot_##op##_##type(const Call call) { reduce_two_shot<Fold>(call); }             \
    KERNEL(MAX_THREADS) brigade_push_two_phase_##op##_##type(const Call call) { reduce_push_two_phase<Fold>(call); } \
    KERNEL(MAX_THREADS) brigade_ring_##op##_##type(const Call call) { reduce_ring<Fold>(call); }

/** No ring, and no resident kernel. */
#define AVERAGE(type, Type)                                                                                               \
    KERNEL(MAX_THREADS) brigade_packets_avg_##type(const Call call) { reduce_packets<Average<Type>>(call); }              \
    KERNEL(MAX_THREADS) brigade_lines_avg_##type(const Call call) { reduce_lines<Average<Type>>(call); }                  \
    KERNEL(MAX_THREADS) brigade_pull_avg_##type(const Call call) { reduce_pull<Average<Type>>(call); }                    \
    KERNEL(MAX_THREADS) brigade_two_shot_avg_##type(const Call call) { reduce_two_shot<Average<Type>>(call); }            \
    KERNEL(MAX_THREADS) brigade_push_two_phase_avg_##type(const Call call) { reduce_push_two_phase<Average<Type>>(call); }

#define ARITHMETIC(type, Type)                   \
    REDUCTION(max, type, Of<Type COMMA Max>)     \
    REDUCTION(min, type, Of<Type COMMA Min>)     \
    REDUCTION(sum, type, Of<Type COMMA Sum>)     \
    REDUCTION(prod, type, Of<Type COMMA Product>)

#define LOGICAL(type, Type)                               \
    REDUCTION(land, type, Of<Type COMMA LogicalAnd>)      \
    REDUCTION(lor, type, Of<Type COMMA LogicalOr>)        \
    REDUCTION(lxor, type, Of<Type COMMA LogicalXor>)

#define BITWISE(type, Type)                               \
    REDUCTION(band, type, Of<Type COMMA BitwiseAnd>)      \
    REDUCTION(bor, type, Of<Type COMMA BitwiseOr>)        \
    REDUCTION(bxor, type, Of<Type COMMA BitwiseXor>)

#define LOCATION(type, Type)                              \
    REDUCTION(maxloc, type, Of<Type COMMA MaxLocation>)   \
    REDUCTION(minloc, type, Of<Type COMMA MinLocation>)

#define COMMA ,
