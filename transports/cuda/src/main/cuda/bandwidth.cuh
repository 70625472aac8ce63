// What the kernels for large messages share: spans, windows and the words that count them. See bandwidth_move.cuh and bandwidth_reduce.cuh for the algorithms.
//
// The pipelines' part of a scratch. A word is written by the peer that it tells of and read by the scratch's owner:
//     PIPELINES_AT  words [kind][block][peer], 16 bytes each: the call's flag << 32 | a count
//     WINDOWS_AT    windows, laid out by each algorithm
// Words only grow, and are compared by difference: what an earlier call left satisfies no wait of this one, and a peer that is a call ahead satisfies all. A wait for 0 is none.
// When a call of these has ended on a rank, whatever it has put into windows has been taken. So where all have met (MET) the next may begin without asking. Where they have not, a peer may
// still be in an earlier call, with windows from others that are laid out in another way: then whoever is stored to first says that it has begun (STARTED).
#pragma once

#include "device.cuh"

enum Kind { STARTED, ARRIVED, TAKEN, ENDED, KINDS };
constexpr i64 WINDOWS_AT = PIPELINES_AT + 16ll * KINDS * MAX_BLOCKS * MAX_RANKS;
constexpr i64 WINDOWS_BYTES = SCRATCH_BYTES - WINDOWS_AT;
/** Slices and stretches begin at multiples of what a link carries in one packet. */
constexpr i64 GRAIN = 128;

struct Span {
    i64 at, bytes;
};

/** Part `index` of `parts` of a span, as equal as the grain allows; the last ones may be short or empty. */
DEVICE Span part_of(Span whole, int index, int parts) {
    i64 size = ((whole.bytes + parts - 1) / parts + GRAIN - 1) / GRAIN * GRAIN, at = size * index;
    if (at >= whole.bytes) {
        return {whole.at + whole.bytes, 0};
    }
    return {whole.at + at, at + size < whole.bytes ? size : whole.bytes - at};
}

/** The same of a stretch cut into windows of `chunk` bytes. */
DEVICE Span window_of(Span stretch, i64 chunk, i64 index) {
    i64 at = chunk * index;
    if (at >= stretch.bytes) {
        return {stretch.at + stretch.bytes, 0};
    }
    return {stretch.at + at, at + chunk < stretch.bytes ? chunk : stretch.bytes - at};
}

DEVICE i64 windows_in(Span stretch, i64 chunk) { return (stretch.bytes + chunk - 1) / chunk; }

/** A thread's part in a pipeline. Its block moves window by window, with two barriers for each: behind the waits, and before it tells. */
struct Pipeline {
    Member member;
    const Call &call;
    int rank, ranks;
    i64 chunk;
    u64 base;
    volatile int *lost;  // shared by the block: a wait of it has been given up

    DEVICE Pipeline(const Call &c, int *shared) : member(c), call(c), rank(c.rank), ranks(c.ranks), chunk(c.chunk), base((u64)member.flag() << 32), lost(shared) {
        if (threadIdx.x == 0) {
            *lost = 0;
        }
        __syncthreads();
    }

    DEVICE char *word(int at, Kind kind, int lane, int from) const { return call.scratch[at] + PIPELINES_AT + 16ll * ((kind * MAX_BLOCKS + lane) * MAX_RANKS + from); }
    DEVICE char *window_at(int at, i64 offset) const { return call.scratch[at] + WINDOWS_AT + offset; }
    DEVICE int next(int p) const { return p + 1 < ranks ? p + 1 : 0; }
    DEVICE int previous(int p) const { return p > 0 ? p - 1 : ranks - 1; }

    /** One thread: until a peer has told this rank so much. */
    DEVICE void poll(Kind kind, int lane, int from, i64 count) {
        if (count == 0) {
            return;
        }
        const char *at = word(rank, kind, lane, from);
        while ((i64)(load_acquire_long(at) - (base + count)) < 0) {
            if (!member.again()) {
                *lost = 1;
                return;
            }
        }
    }

    /** All threads, behind their polls; false: a peer is lost, go to the end. */
    DEVICE bool ready() {
        __syncthreads();
        return *lost == 0;
    }

    DEVICE bool await(Kind kind, int lane, int from, i64 count) {
        if (threadIdx.x == 0) {
            poll(kind, lane, from, count);
        }
        return ready();
    }

    /** Of all peers but `without` (-1: of all). */
    DEVICE bool await_all(Kind kind, int lane, i64 count, int without = -1) {
        for (int p = threadIdx.x; p < ranks; p += blockDim.x) {
            if (p != rank && p != without) {
                poll(kind, lane, p, count);
            }
        }
        return ready();
    }

    /**
     * One thread, behind a barrier: all that the block has stored is there, all that it has read may be written. Not so for STARTED: what this GPU did with its buffers before has ended with the
     * kernels that did it, and the fence, which takes as long as a flight of the link, would be for nothing.
     */
    DEVICE void tell(int peer, Kind kind, int lane, i64 count) {
        if (kind == STARTED) {
            store_relaxed_long(word(peer, kind, lane, rank), base + count);
        } else {
            store_release_long(word(peer, kind, lane, rank), base + count);
        }
    }

    DEVICE void tell_all(Kind kind, int lane, i64 count, int without = -1) {
        for (int p = threadIdx.x; p < ranks; p += blockDim.x) {
            if (p != rank && p != without) {
                tell(p, kind, lane, count);
            }
        }
    }

    DEVICE void finish() {
        __syncthreads();
        if (*lost) {
            member.alone = true;
        }
        member.finish();
    }
};

/** Whether addresses, or-ed, are multiples of what loads and stores move at once. */
DEVICE bool in_units(u64 addresses) { return (addresses & 15) == 0; }

/** Loads of a thread that are under way at once: a window of 64 KiB then waits for memory once only, and so does a shorter one. */
constexpr int DEEP = 8;

/** The block's copy to every target: in 16-byte units, or slowly if these are not aligned in all. */
DEVICE void spread(const char *source, char *const *targets, int count, i64 bytes) {
    u64 addresses = (u64)source;
    for (int t = 0; t < count; t++) {
        addresses |= (u64)targets[t];
    }
    int units = in_units(addresses) ? (int)(bytes >> 4) : 0, step = blockDim.x;
    for (int at = threadIdx.x; at < units; at += DEEP * step) {
        Bits<16> held[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            if (at + i * step < units) {
                held[i] = load_peer(source + 16ll * (at + i * step));
            }
        }
        for (int t = 0; t < count; t++) {
            #pragma unroll
            for (int i = 0; i < DEEP; i++) {
                if (at + i * step < units) {
                    *(Bits<16> *)(targets[t] + 16ll * (at + i * step)) = held[i];
                }
            }
        }
    }
    for (i64 at = 16ll * (units + (int)threadIdx.x); at < bytes; at += 16 * step) {
        Bits<16> held = gather<16>(source + at, bytes - at);
        for (int t = 0; t < count; t++) {
            scatter<16>(targets[t] + at, held, bytes - at);
        }
    }
}

/** Where the stretches of a lane lie in the data, and where each goes; shared by the block. The divisions of part_of take too long to be made in every round. */
struct Stretches {
    int count;
    i64 rounds;  // windows of the longest
    Span span[MAX_RANKS];
    char *target[MAX_RANKS];

    /** All threads: of(i) is span i, place(i) its target. */
    template <class Of, class Place> DEVICE void cut(int parts, i64 chunk, Of of, Place place) {
        for (int i = threadIdx.x; i < parts; i += blockDim.x) {
            span[i] = of(i);
            target[i] = place(i);
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            i64 most = 0;
            for (int i = 0; i < parts; i++) {
                most = span[i].bytes > most ? span[i].bytes : most;
            }
            count = parts;
            rounds = windows_in({0, most}, chunk);
        }
        __syncthreads();
    }
};

/**
 * The block's copy of window `index` of all stretches of source, each to its target, from `there` bytes on. Other than by one spread for each, all loads of the round are under way at once.
 */
DEVICE void deal(const char *source, const Stretches &stretches, i64 chunk, i64 index, i64 there) {
    i64 begin = chunk * index;
    u32 each = (u32)(chunk >> 4), all = each * stretches.count, step = blockDim.x;
    u64 addresses = (u64)source | (u64)there;
    bool ragged = false;
    for (int p = 0; p < stretches.count; p++) {
        addresses |= (u64)stretches.target[p] | (u64)stretches.span[p].at;
        ragged |= (stretches.span[p].bytes & 15) != 0;
    }
    bool quick = in_units(addresses);
    for (u32 first = threadIdx.x; first < all && quick; first += DEEP * step) {
        Bits<16> held[DEEP];
        char *target[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            u32 unit = first + i * step, p = unit / each, at = 16 * (unit - p * each);
            target[i] = nullptr;
            if (unit < all && begin + at + 16 <= stretches.span[p].bytes) {
                target[i] = stretches.target[p] + there + at;
                held[i] = load_peer(source + stretches.span[p].at + begin + at);
            }
        }
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            if (target[i] != nullptr) {
                *(Bits<16> *)target[i] = held[i];
            }
        }
    }
    // What is left of a unit at the end of the data, or everything.
    for (u32 unit = threadIdx.x; unit < all && (ragged || !quick); unit += step) {
        u32 p = unit / each, at = 16 * (unit - p * each);
        i64 rest = stretches.span[p].bytes - begin - at;
        if (rest > 0 && (rest < 16 || !quick)) {
            scatter<16>(stretches.target[p] + there + at, gather<16>(source + stretches.span[p].at + begin + at, rest), rest);
        }
    }
}
