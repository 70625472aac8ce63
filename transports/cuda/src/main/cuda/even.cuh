// The packets of even exchanges (Call.block): everyone has a block of one length for everyone, as in allreduce, allgather, alltoall and most reduce-scatters. What packets.cuh does for any call is done
// here in little code that runs straight on and reads few parameters, because a kernel fetches both anew with each launch: among 4 H200s in a graph an allgather of 16 bytes took 3.56 us by the general code, 2.94 by this.
#pragma once

#include "fold.cuh"
#include "packets.cuh"

/** What an exchange folds that only moves. */
struct Nothing {
    typedef u32 Item;
};
template <class Fold> struct Folded : Folding<Fold, 8> { static constexpr bool MOVES = false; };
template <> struct Folded<Nothing> {
    static constexpr bool MOVES = true;
    DEVICE void first(const Bits<8> &) {}
    DEVICE void next(const Bits<8> &) {}
    DEVICE Bits<8> result() const { return {{0, 0}}; }
};

/** A unit of a block: 8 bytes in one access where everything lies at multiples of 8, else one word or two. */
DEVICE Bits<8> load_even(bool wide, const char *at, int length) { return wide ? *(const Bits<8> *)at : load_words<8>(at, length); }

DEVICE void store_even(bool wide, char *at, const Bits<8> &unit, int length) {
    if (wide) {
        *(Bits<8> *)at = unit;
    } else {
        store_words<8>(at, unit, length);
    }
}

template <class Fold, int RANKS> DEVICE void exchange_even(Member &member) {
    const Call &call = member.call;
    const char *send = call.send;
    char *recv = call.recv;
    int rank = call.rank, length = (int)call.block, sendStep = (int)call.sendStep, recvStep = (int)call.recvStep;
    int first = member.first() * 8, stride = member.stride() * 8;
    bool wide = (((u64)send | (u64)recv | (u64)length) & 7) == 0;
    bool met = (call.flags & MET) != 0;  // who has met has ended all calls before
    u32 flag = member.flag();
    i64 mine = packet_slot(nullptr, member.epoch, rank) - (char *)nullptr;
    char *slots = packet_slot(member.own, member.epoch, 0);
    if (!met && !member.resident && member.block == 0 && threadIdx.x == blockDim.x - 1) {
        member.acknowledge(member.epoch);  // as in send_packets
    }
    u32 known[RANKS];
    #pragma unroll
    for (int p = 0; p < RANKS; p++) {
        known[p] = met || p == rank ? member.epoch : member.acknowledged(p);
    }
    #pragma unroll 1
    for (int at = first; at < length; at += stride) {
        Bits<8> data[RANKS];
        #pragma unroll
        for (int p = 0; p < RANKS; p++) {
            data[p] = load_even(wide, send + p * sendStep + at, length - at);
        }
        #pragma unroll
        for (int p = 0; p < RANKS; p++) {
            if (p != rank) {
                member.await_parity(p, known[p]);
                store_packet(call.scratch[p] + mine + 2 * at, {{data[p].w[0], flag, data[p].w[1], flag}});
            }
        }
    }
    // While the packets fly: all threads know the epoch, and nobody but the next kernel on this GPU reads it again.
    bool parts = member.adds_parts();
    if (parts) {
        __syncthreads();
        if (threadIdx.x == 0) {
            member.add_part();
        }
    }
    const char *own = send + rank * sendStep;
    char *place = recv + rank * recvStep;
    #pragma unroll 1
    for (int at = first; at < length; at += stride) {
        Bits<16> packets[RANKS];
        #pragma unroll
        for (int p = 0; p < RANKS; p++) {
            if (p != rank) {
                packets[p] = load_packet(slots + p * PACKET_SLOT_BYTES + 2 * at);
            }
        }
        Bits<8> unit = load_even(wide, own + at, length - at);
        if (Folded<Fold>::MOVES && place != own) {
            store_even(wide, place + at, unit, length - at);
        }
        Folded<Fold> folded;
        #pragma unroll
        for (int p = 0; p < RANKS; p++) {
            Bits<8> data = unit;
            if (p != rank) {
                while ((packets[p].w[1] != flag || packets[p].w[3] != flag) && member.again()) {
                    packets[p] = load_packet(slots + p * PACKET_SLOT_BYTES + 2 * at);
                }
                data = {{packets[p].w[0], packets[p].w[2]}};
                if (Folded<Fold>::MOVES) {
                    store_even(wide, recv + p * recvStep + at, data, length - at);
                }
            }
            if (p == 0) {
                folded.first(data);
            } else {
                folded.next(data);
            }
        }
        if (!Folded<Fold>::MOVES) {
            store_even(wide, recv + at, folded.result(), length - at);
        }
    }
    if (!parts) {
        member.finish();
    } else if (member.alone) {
        store_relaxed(member.own + STATUS_AT, STATUS_PEER_LOST);
    }
}

/** False, with nothing done: it is another kind of call. */
template <class Fold> DEVICE bool exchange_even(Member &member) {
    const Call &call = member.call;
    if constexpr (sizeof(typename Fold::Item) <= 8) {
        if (call.block != 0 && (((u64)call.send | (u64)call.recv) & 3) == 0) {
            if (call.ranks == 4) {
                exchange_even<Fold, 4>(member);
                return true;
            }
            if (call.ranks == 2) {
                exchange_even<Fold, 2>(member);
                return true;
            }
        }
    }
    return false;
}

/** Blocks to where they belong. */
DEVICE void place_blocks(Member &member) {
    if (!exchange_even<Nothing>(member)) {
        place_packets(member);
    }
}
