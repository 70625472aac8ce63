// Packets, for small messages: 8 bytes of data and twice the flag of the call in one 16-byte store straight into the receiver's scratch. Who sees the flag has the data: no fence, no
// barrier, one hop. (NCCL's LL protocol; MSCCL++'s packets.) Every rank sends to every other at once and combines what it gets by itself: one round, (n - 1) M bytes out of each rank,
// twice that on the link.
//
// A slot of this call's parity is free again when its reader has ended the call before the previous one. In exchanges among all that is so when its packets of the previous call are there;
// acknowledged epochs make it so for one-way patterns, too, and normally are there long before. A call acknowledges those before it when it begins, so who sends waits at most until his
// receiver has come to the call before, or to this one.
//
// In place is safe position by position: a thread reads what it sends before it writes there. Where recv takes in other parts of send (OVERLAPS) there is one block, its own vector goes by
// packet as well, and a barrier lies between.
#pragma once

#include "device.cuh"

/** What one thread sends at a time: UNIT bytes, 8 or 16, that is one packet or two. */
template <int UNIT> struct Packets {
    static constexpr int COUNT = UNIT / 8;
    Bits<16> packet[COUNT];

    DEVICE void set(const Bits<UNIT> &data, u32 flag) {
        #pragma unroll
        for (int k = 0; k < COUNT; k++) {
            packet[k] = {{data.w[2 * k], flag, data.w[2 * k + 1], flag}};
        }
    }

    DEVICE Bits<UNIT> data() const {
        Bits<UNIT> data;
        #pragma unroll
        for (int k = 0; k < COUNT; k++) {
            data.w[2 * k] = packet[k].w[0];
            data.w[2 * k + 1] = packet[k].w[2];
        }
        return data;
    }

    DEVICE void load(const char *slot) {
        #pragma unroll
        for (int k = 0; k < COUNT; k++) {
            packet[k] = load_packet(slot + 16 * k);
        }
    }

    DEVICE void store(char *slot) const {
        #pragma unroll
        for (int k = 0; k < COUNT; k++) {
            store_packet(slot + 16 * k, packet[k]);
        }
    }

    DEVICE void await(Member &member, const char *slot, u32 flag) {
        #pragma unroll
        for (int k = 0; k < COUNT; k++) {
            while ((packet[k].w[1] != flag || packet[k].w[3] != flag) && member.again()) {
                packet[k] = load_packet(slot + 16 * k);
            }
        }
    }
};

/**
 * Numbers of ranks that small kernels are compiled for, the two that GPUs come in most often and any: loops over peers then cost what there are of them, in code and parameters that
 * are read for the first time above all. A resident kernel has read its code already, and keeps few enough of its
 * values in registers only if there is little of it.
 */
template <int N> struct Ranks { static constexpr int COUNT = N; };

template <class Body> DEVICE void by_ranks(const Member &member, Body body) {
    if (!member.resident && member.call.ranks == 2) {
        body(Ranks<2>());
    } else if (!member.resident && member.call.ranks == 4) {
        body(Ranks<4>());
    } else {
        body(Ranks<MAX_RANKS>());
    }
}

template <int RANKS> DEVICE bool is_rank(const Call &call, int p) { return RANKS < MAX_RANKS || p < call.ranks; }

/** Where one rank's packets of a call lie in another's scratch. */
DEVICE char *packet_slot(char *scratch, u32 epoch, int from) {
    return scratch + PACKETS_AT + (i64)((epoch & 1) * MAX_RANKS + from) * PACKET_SLOT_BYTES;
}

/** The lengths and addresses of a rank's blocks, for or from its peers. */
struct Blocks {
    int longest = 0, shortest = 1 << 30;  // of those that are not empty
    u64 addresses = 0;

    DEVICE void add(const char *at, i64 bytes) {
        int length = (int)bytes;
        longest = length > longest ? length : longest;
        shortest = length < shortest ? length : shortest;
        addresses |= (u64)at;
    }

    /** All blocks have a whole unit here, and it is aligned in all. */
    template <int UNIT> DEVICE bool whole(int at) const { return is_aligned<UNIT>(addresses) && at + UNIT <= shortest; }

    /** All blocks have as much of a unit here, in whole words, aligned in all. Then the blocks are taken all at once, else one after another. */
    template <int UNIT> DEVICE bool alike(int at) const {
        return (at + UNIT <= shortest || shortest == longest) && in_words<UNIT>(addresses, shortest - at);
    }
};

/** A unit or the words of it that there are: at once where it is whole. */
template <int UNIT> DEVICE Bits<UNIT> load_unit(const char *at, bool whole, int length) {
    return whole ? *(const Bits<UNIT> *)at : load_words<UNIT>(at, length);
}

template <int UNIT> DEVICE void store_unit(char *at, const Bits<UNIT> &unit, bool whole, int length) {
    if (whole) {
        *(Bits<UNIT> *)at = unit;
    } else {
        store_words<UNIT>(at, unit, length);
    }
}

/** All that this thread sends: unit `first`, and every `stride`th from there, to every peer. */
template <int UNIT, int RANKS> DEVICE void send_packets(Member &member, int first, int stride) {
    const Call &call = member.call;
    bool to_itself = (call.flags & OVERLAPS) != 0, met = (call.flags & MET) != 0;  // who has met has ended all calls before
    if (!met && !member.resident && member.block == 0 && threadIdx.x == blockDim.x - 1) {
        member.acknowledge(member.epoch);  // what a kernel before this one has left to its end; before any wait of this thread
    }
    u32 known[RANKS];
    Blocks blocks;
    #pragma unroll
    for (int p = 0; p < RANKS; p++) {
        if (is_rank<RANKS>(call, p) && call.sendBytes[p] > 0 && (p != call.rank || to_itself)) {
            known[p] = met || p == call.rank ? member.epoch : member.acknowledged(p);
            blocks.add(call.send + call.sendAt[p], call.sendBytes[p]);
        }
    }
    for (int at = first * UNIT; at < blocks.longest; at += stride * UNIT) {
        if (blocks.template alike<UNIT>(at)) {
            bool whole = blocks.template whole<UNIT>(at);
            Bits<UNIT> data[RANKS];
            #pragma unroll
            for (int p = 0; p < RANKS; p++) {
                if (is_rank<RANKS>(call, p) && call.sendBytes[p] > 0 && (p != call.rank || to_itself)) {
                    data[p] = load_unit<UNIT>(call.send + call.sendAt[p] + at, whole, blocks.shortest - at);
                }
            }
            #pragma unroll
            for (int p = 0; p < RANKS; p++) {
                if (is_rank<RANKS>(call, p) && call.sendBytes[p] > 0 && (p != call.rank || to_itself)) {
                    member.await_parity(p, known[p]);
                    Packets<UNIT> packets;
                    packets.set(data[p], member.flag());
                    packets.store(packet_slot(call.scratch[p], member.epoch, call.rank) + 2 * at);
                }
            }
        } else {
            #pragma unroll 1
            for (int p = 0; p < call.ranks; p++) {
                if (at < (int)call.sendBytes[p] && (p != call.rank || to_itself)) {
                    if (p != call.rank && !met) {
                        member.await_parity(p, member.acknowledged(p));
                    }
                    Packets<UNIT> packets;
                    packets.set(gather<UNIT>(call.send + call.sendAt[p] + at, call.sendBytes[p] - at), member.flag());
                    packets.store(packet_slot(call.scratch[p], member.epoch, call.rank) + 2 * at);
                }
            }
        }
    }
    if (to_itself) {
        __syncthreads();
    }
}

/** Blocks to where they belong. */
template <int RANKS> DEVICE void place_packets(Member &member) {
    constexpr int UNIT = 8;
    const Call &call = member.call;
    int first = member.first(), stride = member.stride();
    send_packets<UNIT, RANKS>(member, first, stride);
    const char *own = call.send + call.sendAt[call.rank];
    char *place = call.recv + call.recvAt[call.rank];
    bool copies = place != own;
    Blocks blocks;
    #pragma unroll
    for (int p = 0; p < RANKS; p++) {
        if (is_rank<RANKS>(call, p) && call.recvBytes[p] > 0 && (p != call.rank || copies)) {
            blocks.add(call.recv + call.recvAt[p], call.recvBytes[p]);
            if (p == call.rank) {
                blocks.addresses |= (u64)own;
            }
        }
    }
    char *slots = packet_slot(member.own, member.epoch, 0);
    for (int at = first * UNIT; at < blocks.longest; at += stride * UNIT) {
        if (blocks.alike<UNIT>(at)) {
            bool whole = blocks.whole<UNIT>(at);
            int length = blocks.shortest - at;
            Packets<UNIT> packets[RANKS];
            #pragma unroll
            for (int p = 0; p < RANKS; p++) {
                if (is_rank<RANKS>(call, p) && call.recvBytes[p] > 0 && p != call.rank) {
                    packets[p].load(slots + p * PACKET_SLOT_BYTES + 2 * at);
                }
            }
            if (copies && call.recvBytes[call.rank] > 0) {
                store_unit<UNIT>(place + at, load_unit<UNIT>(own + at, whole, length), whole, length);
            }
            #pragma unroll
            for (int p = 0; p < RANKS; p++) {
                if (is_rank<RANKS>(call, p) && call.recvBytes[p] > 0 && p != call.rank) {
                    packets[p].await(member, slots + p * PACKET_SLOT_BYTES + 2 * at, member.flag());
                    store_unit<UNIT>(call.recv + call.recvAt[p] + at, packets[p].data(), whole, length);
                }
            }
        } else {
            #pragma unroll 1
            for (int p = 0; p < call.ranks; p++) {
                i64 rest = call.recvBytes[p] - at;
                if (rest > 0 && (p != call.rank || copies)) {
                    Bits<UNIT> bits;
                    if (p == call.rank) {
                        bits = gather<UNIT>(own + at, rest);
                    } else {
                        Packets<UNIT> packets;
                        packets.load(slots + p * PACKET_SLOT_BYTES + 2 * at);
                        packets.await(member, slots + p * PACKET_SLOT_BYTES + 2 * at, member.flag());
                        bits = packets.data();
                    }
                    scatter<UNIT>(call.recv + call.recvAt[p] + at, bits, rest);
                }
            }
        }
    }
    member.finish();
}

DEVICE void place_packets(Member &member) {
    by_ranks(member, [&](auto ranks) { place_packets<ranks.COUNT>(member); });
}
