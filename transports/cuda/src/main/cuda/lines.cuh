// Lines, for messages between small and large: 112 bytes of data and a flag in each 128 bytes, stored straight into the receiver's scratch. As with packets, who sees the flag has the data: no fence, no
// barrier, one hop. Packets take twice the bytes over the link, lines a seventh more. (NCCL's LL128 protocol.) A line is written and read by the lanes of a warp side by side, in one instruction. Where
// the link may tear it (no WHOLE_LINES), a fence goes before the flag and behind its reader.
//
// Slots are free again as those of packets are (packets.cuh). They are apart from these, so that a flag is only where flags were before. A call divides its parity's part among the peers, and
// among its phases if it has two.
//
// exchange (allgather, alltoall): every rank sends to every other: one phase, (n - 1) M bytes out of each rank.
// relay (bcast): the root sends each other rank a piece, which that rank passes on: two phases; M bytes out of the root, M (n - 2) / (n - 1) out of the others.
// fold (reduce-scatter, allreduce, reduce): every rank sends each other its slice; who owns it folds it in rank order, and in an allreduce sends the result to all, in a reduce to the root:
//     (n - 1) / n M bytes in each phase. Allreduce and reduce of two ranks are one phase, in which whole vectors go.
//
// Among 2, 4 and 8 ranks, where links do not tear lines, everything lies at multiples of 16 and blocks of an exchange have one length, a round begins all its loads before it waits, and asks
// nothing twice (QUICK). Other calls take one peer after the other.
//
// In place is safe position by position, as in packets.cuh; not in a reduce-scatter, where a rank's result would overwrite what another of its thread blocks has still to send.
#pragma once

#include "fold.cuh"
#include "packets.cuh"

/** One thread's part of a line. */
struct Line {
    Bits<16> unit[LINE_UNITS];
};

/** RANKS of a call that is not quick. */
constexpr int ANY = 0;

/** A thread's way through the lines of blocks: all threads of a warp go on together. RANKS: there are exactly so many, links do not tear lines, and all blocks are whole units at multiples of 16; or ANY. */
template <int RANKS> struct Lines {
    static constexpr bool QUICK = RANKS != ANY;
    /** Ranks, and other ranks, that a step takes at once. */
    static constexpr int ALL = RANKS == 8 ? 4 : QUICK ? RANKS : 1, PEERS = RANKS == 8 ? 4 : QUICK ? RANKS - 1 : 1;

    Member &member;
    const Call &call;
    u32 lane, first, stride;  // of lines
    u32 behind;               // from the first line of the warp to this thread's
    u32 slot, base;           // bytes of a slot; where those of this parity begin
    bool met, parts = false;

    DEVICE Lines(Member &m, int phases) : member(m), call(m.call) {
        u32 thread = member.first();
        lane = thread % LINE_LANES;
        first = thread / LINE_LANES;
        stride = (u32)member.stride() / LINE_LANES;
        behind = threadIdx.x % WARP / LINE_LANES;
        slot = (u32)LINES_BYTES / 2 / phases / ranks() & ~(LINE_BYTES - 1u);
        base = (u32)LINES_AT + (member.epoch & 1) * ((u32)LINES_BYTES / 2);
        met = (call.flags & MET) != 0;
        if (!met && member.block == 0 && threadIdx.x == blockDim.x - 1) {
            member.acknowledge(member.epoch);  // as in send_packets
        }
    }

    DEVICE bool is_whole() const { return QUICK || (call.flags & WHOLE_LINES) != 0; }
    DEVICE int ranks() const { return QUICK ? RANKS : call.ranks; }
    DEVICE bool is_peer(int distance) const { return RANKS != 8 || distance < 8; }

    DEVICE int peer(int distance) const {
        int p = call.rank + distance;
        return QUICK ? p & (RANKS - 1) : p < call.ranks ? p : p - call.ranks;
    }

    /** So many times this thread's warp has a line, the first times this thread has one, too. */
    DEVICE int rounds(int bytes) const {
        int rest = (bytes + LINE_DATA - 1) / LINE_DATA - (int)(first - behind);
        return rest <= 0 ? 0 : (u32)rest <= stride ? 1 : ((u32)rest + stride - 1) / stride;
    }

    DEVICE int line(int round) const { return first + round * stride; }
    DEVICE bool is_there(int line, int bytes) const { return line * LINE_DATA < bytes; }
    /** Where this thread's unit lies in a block. */
    DEVICE int at(int line, int unit) const { return line * LINE_DATA + 16 * (LINE_LANES == 1 ? unit : lane); }
    DEVICE bool has_data(int at, int bytes) const { return at < bytes && (LINE_LANES == 1 || lane < LINE_LANES - 1); }
    DEVICE char *place(int of, int phase, int from, int line) const { return call.scratch[of] + (base + (phase * ranks() + from) * slot + line * LINE_BYTES); }

    DEVICE Line load(const char *block, int bytes, int line) const {
        Line data;
        #pragma unroll
        for (int u = 0; u < LINE_UNITS; u++) {
            int from = at(line, u);
            data.unit[u] = {{0, 0, 0, 0}};
            if (has_data(from, bytes)) {
                data.unit[u] = QUICK ? *(const Bits<16> *)(block + from) : load_own<16>(block + from, bytes - from);
            }
        }
        return data;
    }

    DEVICE void store(char *block, int bytes, int line, const Line &data) const {
        #pragma unroll
        for (int u = 0; u < LINE_UNITS; u++) {
            int to = at(line, u);
            if (has_data(to, bytes)) {
                if (QUICK) {
                    *(Bits<16> *)(block + to) = data.unit[u];
                } else {
                    store_own<16>(block + to, data.unit[u], bytes - to);
                }
            }
        }
    }

    /** What is known of a peer's calls, to be loaded before data is. */
    DEVICE u32 known(int p) const { return met ? member.epoch : member.acknowledged(p); }

    DEVICE void send(int p, int phase, int line, const Line &data, bool wanted, u32 known) {
        if (wanted) {
            member.await_parity(p, known);
        }
        store_line(place(p, phase, call.rank, line), lane, data.unit, member.flag(), wanted, is_whole());
    }

    DEVICE Line look(int from, int phase, int line, bool wanted) const {
        Line data;
        if (wanted) {
            load_line(place(call.rank, phase, from, line), lane, data.unit);
        }
        return data;
    }

    DEVICE void await(int from, int phase, int line, Line &data, bool wanted) {
        await_line(place(call.rank, phase, from, line), lane, data.unit, member.flag(), wanted, is_whole(), [&] { return member.again(); });
    }

    /** While lines fly, when all threads know the epoch: nobody but the next kernel on this GPU reads it again. */
    DEVICE void flying() {
        parts = member.adds_parts();
        if (parts) {
            __syncthreads();
            if (threadIdx.x == 0) {
                member.add_part();
            }
        }
    }

    DEVICE void finish() {
        if (!parts) {
            member.finish();
        } else if (member.alone) {
            store_relaxed(member.own + STATUS_AT, STATUS_PEER_LOST);
        }
    }
};

/** Blocks of one length in a row: block i at i * step, as far as there is anything. */
struct Row {
    int step, size, total;

    DEVICE int at(int i) const { return i * step < total ? i * step : total; }
    DEVICE int length(int i) const { return size < total - at(i) ? size : total - at(i); }
};

/** The blocks of a call, in rows. */
template <int RANKS> struct RowBlocks {
    static constexpr bool GATHERS = true;
    const Call &call;
    Row sends, recvs;
    int turn = 0;  // rank p has block p + turn

    /** Of an even exchange; or, if `parts` is not 0, equal parts of a vector, at multiples of 16 bytes: the last ones may be short or empty. */
    DEVICE RowBlocks(const Call &c, int parts) : call(c) {
        sends.step = (int)call.sendStep;
        recvs.step = (int)call.recvStep;
        sends.size = recvs.size = (int)call.block;
        if (parts != 0) {
            sends.step = recvs.step = sends.size = recvs.size = (((u32)call.bytes + 15) / 16 + parts - 1) / parts * 16;
        }
        sends.total = parts != 0 ? (int)call.bytes : sends.step * (call.ranks - 1) + sends.size;
        recvs.total = parts != 0 ? (int)call.bytes : recvs.step * (call.ranks - 1) + recvs.size;
    }

    DEVICE int index(int p) const {
        int i = p + turn;
        return RANKS != ANY ? i & (RANKS - 1) : i < call.ranks ? i : i - call.ranks;
    }

    DEVICE char *send(int p) const { return call.send + sends.at(index(p)); }
    DEVICE char *recv(int p) const { return call.recv + recvs.at(index(p)); }
    DEVICE int to(int p) const { return sends.length(index(p)); }
    DEVICE int from(int p) const { return recvs.length(index(p)); }
    DEVICE int longest_to() const { return sends.size; }
    DEVICE int longest_from() const { return recvs.size; }
};

/** Of any call. */
struct AnyBlocks {
    static constexpr bool GATHERS = false;
    const Call &call;

    static DEVICE int longest(const Call &call, const i64 *bytes) {
        int longest = 0;
        for (int p = 0; p < call.ranks; p++) {
            longest = p != call.rank && bytes[p] > longest ? (int)bytes[p] : longest;
        }
        return longest;
    }

    DEVICE char *send(int p) const { return call.send + call.sendAt[p]; }
    DEVICE char *recv(int p) const { return call.recv + call.recvAt[p]; }
    DEVICE int to(int p) const { return (int)call.sendBytes[p]; }
    DEVICE int from(int p) const { return (int)call.recvBytes[p]; }
    DEVICE int longest_to() const { return longest(call, call.sendBytes); }
    DEVICE int longest_from() const { return longest(call, call.recvBytes); }
};

/** To each peer its block. */
template <int RANKS, class Blocks> DEVICE void send_lines(Lines<RANKS> &lines, const Blocks &blocks) {
    constexpr int PEERS = Lines<RANKS>::PEERS;
    int rounds = lines.rounds(blocks.longest_to());
    #pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        int line = lines.line(round);
        #pragma unroll 1
        for (int first = 1; first < lines.ranks(); first += PEERS) {
            u32 known[PEERS];
            Line data[PEERS];
            #pragma unroll
            for (int i = 0; i < PEERS; i++) {
                int p = lines.peer(first + i);
                known[i] = lines.known(p);
                data[i] = lines.load(blocks.send(p), blocks.to(p), line);
            }
            #pragma unroll
            for (int i = 0; i < PEERS; i++) {
                int p = lines.peer(first + i);
                lines.send(p, 0, line, data[i], lines.is_peer(first + i) && lines.is_there(line, blocks.to(p)), known[i]);
            }
        }
    }
}

/** What comes from each peer to its place. */
template <int RANKS, class Blocks> DEVICE void receive_lines(Lines<RANKS> &lines, int phase, const Blocks &blocks) {
    constexpr int PEERS = Lines<RANKS>::PEERS;
    int rounds = lines.rounds(blocks.longest_from());
    #pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        int line = lines.line(round);
        #pragma unroll 1
        for (int first = 1; first < lines.ranks(); first += PEERS) {
            Line data[PEERS];
            #pragma unroll
            for (int i = 0; i < PEERS; i++) {
                int p = lines.peer(first + i);
                data[i] = lines.look(p, phase, line, lines.is_peer(first + i) && lines.is_there(line, blocks.from(p)));
            }
            #pragma unroll
            for (int i = 0; i < PEERS; i++) {
                int p = lines.peer(first + i);
                bool there = lines.is_peer(first + i) && lines.is_there(line, blocks.from(p));
                lines.await(p, phase, line, data[i], there);
                lines.store(blocks.recv(p), there ? blocks.from(p) : 0, line, data[i]);
            }
        }
    }
}

/** A relay's piece, from the root to its place and to all others but the root. */
template <int RANKS, class Blocks> DEVICE void pass_lines_on(Lines<RANKS> &lines, const Blocks &blocks) {
    int rank = lines.call.rank, root = lines.call.root, bytes = blocks.from(rank), rounds = lines.rounds(bytes);
    #pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        int line = lines.line(round);
        bool there = lines.is_there(line, bytes);
        Line data = lines.look(root, 0, line, there);
        lines.await(root, 0, line, data, there);
        #pragma unroll (Lines<RANKS>::PEERS)
        for (int i = 1; i < lines.ranks(); i++) {
            int p = lines.peer(i);
            lines.send(p, 0, line, data, there && p != root, p == root ? lines.member.epoch : lines.known(p));
        }
        lines.store(blocks.recv(rank), bytes, line, data);
    }
}

template <int RANKS, class Blocks> DEVICE void place_lines(Member &member, const Blocks &blocks) {
    const Call &call = member.call;
    Lines<RANKS> lines(member, 1);
    bool relayed = (call.flags & RELAYED) != 0;
    int rank = call.rank;
    if (!relayed || rank == call.root) {
        send_lines(lines, blocks);
    } else {
        pass_lines_on(lines, blocks);
    }
    lines.flying();
    if (!relayed && blocks.recv(rank) != blocks.send(rank)) {
        int bytes = blocks.from(rank), rounds = lines.rounds(bytes);
        #pragma unroll 1
        for (int round = 0; round < rounds; round++) {
            lines.store(blocks.recv(rank), bytes, lines.line(round), lines.load(blocks.send(rank), bytes, lines.line(round)));
        }
    }
    if (!relayed || rank != call.root) {
        receive_lines(lines, 0, blocks);
    }
    lines.finish();
}

/** Numbers of ranks that code is compiled for. */
template <class Body> DEVICE void by_lines(bool aligned, const Call &call, Body body) {
    bool quick = aligned && (call.flags & WHOLE_LINES) != 0;
    if (quick && call.ranks == 2) {
        body(Ranks<2>());
    } else if (quick && call.ranks == 4) {
        body(Ranks<4>());
    } else if (quick && call.ranks == 8) {
        body(Ranks<8>());
    } else {
        body(Ranks<ANY>());
    }
}

DEVICE void place_lines(Member &member) {
    const Call &call = member.call;
    bool relayed = (call.flags & RELAYED) != 0, aligned = is_aligned<16>((u64)call.send | (u64)call.recv | (u64)(relayed ? call.bytes : call.block));
    by_lines(aligned && (relayed || call.block != 0), call, [&](auto ranks) {
        if (ranks.COUNT == ANY && !relayed) {
            place_lines<ANY>(member, AnyBlocks{call});
        } else {
            RowBlocks<ranks.COUNT> blocks(call, relayed ? call.ranks - 1 : 0);
            if (relayed) {
                blocks.turn = call.ranks - 1 - call.root;  // the pieces belong to the ranks in order behind the root, who has none
            }
            place_lines<ranks.COUNT>(member, blocks);
        }
    });
}

/** Folds, in rank order, what all send this rank, and puts the result to its place or, in a second phase, to those of all or of the root. */
template <class Fold, int RANKS, class Blocks> DEVICE void reduce_lines(Member &member, const Blocks &blocks) {
    constexpr int ALL = Lines<RANKS>::ALL;
    const Call &call = member.call;
    bool gathers = Blocks::GATHERS && (call.flags & GATHERED) != 0;
    Lines<RANKS> lines(member, gathers ? 2 : 1);
    int rank = call.rank, mine = blocks.to(rank), rounds = lines.rounds(mine);
    auto gets = [&](int p) { return call.root < 0 || p == call.root; };
    send_lines(lines, blocks);
    #pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        int line = lines.line(round);
        bool there = lines.is_there(line, mine);
        Line held = lines.load(blocks.send(rank), mine, line);
        Folding<Fold, 16> folding[LINE_UNITS];
        #pragma unroll 1
        for (int first = 0; first < lines.ranks(); first += ALL) {
            Line data[ALL];
            #pragma unroll
            for (int i = 0; i < ALL; i++) {
                data[i] = lines.look(first + i, 0, line, there && first + i != rank);
            }
            #pragma unroll
            for (int i = 0; i < ALL; i++) {
                lines.await(first + i, 0, line, data[i], there && first + i != rank);
                #pragma unroll
                for (int u = 0; u < LINE_UNITS; u++) {
                    Bits<16> unit = first + i == rank ? held.unit[u] : data[i].unit[u];
                    if (first + i == 0) {
                        folding[u].first(unit);
                    } else {
                        folding[u].next(unit);
                    }
                }
            }
        }
        #pragma unroll
        for (int u = 0; u < LINE_UNITS; u++) {
            held.unit[u] = folding[u].result();
        }
        if (gathers) {
            #pragma unroll (Lines<RANKS>::PEERS)
            for (int i = 1; i < lines.ranks(); i++) {
                int p = lines.peer(i);
                lines.send(p, 1, line, held, there && gets(p), member.epoch);  // who has sent has ended the call before the previous one
            }
        }
        if (!gathers || gets(rank)) {
            lines.store(gathers ? blocks.recv(rank) : call.recv, mine, line, held);
        }
    }
    lines.flying();
    if (gathers && gets(rank)) {
        receive_lines(lines, 1, blocks);
    }
    lines.finish();
}

template <class Fold> DEVICE void reduce_lines(const Call &call) {
    Member member(call);
    bool gathers = (call.flags & GATHERED) != 0, aligned = is_aligned<16>((u64)call.send | (u64)call.recv | (u64)(gathers ? call.bytes : call.block));
    by_lines(aligned && (gathers || call.block != 0), call, [&](auto ranks) {
        if (ranks.COUNT == ANY && !gathers) {
            reduce_lines<Fold, ANY>(member, AnyBlocks{call});
        } else {
            reduce_lines<Fold, ranks.COUNT>(member, RowBlocks<ranks.COUNT>(call, gathers ? call.ranks : 0));
        }
    });
}
